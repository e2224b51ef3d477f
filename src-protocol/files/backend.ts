// Names of the bundled runner's compute backends. What each is: docs/specs/backend.md.
import { z } from 'zod';

export const backendNames = ['plain', 'simd', 'simd-relaxed', 'tfjs-cpu', 'tfjs-wasm', 'tfjs-node', 'tfjs-gpu'] as const;

export const backendName = z.enum(backendNames);
export type BackendName = z.infer<typeof backendName>;

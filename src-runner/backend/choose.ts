// The compute backends by name, each loaded only when it is asked for. Imported by the harness and tests.
import { backendNames, type BackendName } from '../../src-protocol/files/backend.ts';
import type { Backend } from './compute.ts';
import { plainBackend } from './plain.ts';

const open: Readonly<Record<BackendName, () => Promise<Backend>>> = {
  plain: () => Promise.resolve(plainBackend),
  simd: async () => (await import('./simd.ts')).simdBackend,
  'simd-relaxed': async () => (await import('./simd.ts')).relaxedBackend,
  'tfjs-cpu': () => tfjs('tfjs-cpu'),
  'tfjs-wasm': () => tfjs('tfjs-wasm'),
  'tfjs-node': () => tfjs('tfjs-node'),
  'tfjs-gpu': () => tfjs('tfjs-gpu'),
};

const opened = new Map<BackendName, Promise<Backend>>();

/** Null means `plain`. Throws an Error that lists the known names, or says why a known backend cannot compute here. */
export async function chooseBackend(name: string | null): Promise<Backend> {
  if (name === null) return plainBackend;
  if (!isKnown(name)) throw new Error(`unknown backend "${name}"; known: ${backendNames.join(', ')}`);
  const backend = opened.get(name) ?? open[name]();
  opened.set(name, backend);
  return backend;
}

function isKnown(name: string): name is BackendName {
  return backendNames.some((one) => one === name);
}

async function tfjs(name: Extract<BackendName, `tfjs-${string}`>): Promise<Backend> {
  return (await import('./tfjs.ts')).openTfjs(name);
}

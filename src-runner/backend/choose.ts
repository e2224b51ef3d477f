// Picks the compute backend that a trial names. Imported by the harness.
import type { Backend } from './compute.ts';
import { plainBackend } from './plain.ts';
import { relaxedBackend, simdBackend } from './simd.ts';

const backends: ReadonlyMap<string, Backend> = new Map([plainBackend, simdBackend, relaxedBackend].map((backend) => [backend.name, backend]));

/** Null means the default. Throws an Error listing the known names. */
export function chooseBackend(name: string | null): Backend {
  if (name === null) return plainBackend;
  const backend = backends.get(name);
  if (backend === undefined) throw new Error(`unknown backend "${name}"; known: ${[...backends.keys()].join(', ')}`);
  return backend;
}

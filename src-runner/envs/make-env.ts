// Makes the environment that a trial's `entry` names, built-in or the user's own. Imported by the harness.
import type { PlainMap } from '../../src-protocol/files/plain.ts';
import type { Streams } from '../seeding/streams.ts';
import { registry } from './registry.ts';
import { loadUserEnv } from './user-env.ts';
import type { VectorEnv } from './vector-env.ts';

export interface EnvRequest {
  /** A registered id (`CartPole-v1`) or `./file.mjs#export`. */
  readonly entry: string;
  /** Absolute folder that a relative entry is resolved against. */
  readonly entryRoot: string;
  readonly envCfg: PlainMap;
  readonly numEnvs: number;
  readonly streams: Streams;
}

/** Throws an Error naming the entry when it is unknown, cannot be loaded, or refuses its settings. */
export async function makeEnv(request: EnvRequest): Promise<VectorEnv> {
  const { entry, numEnvs, envCfg, streams } = request;
  const generators = Array.from({ length: numEnvs }, (_, i) => streams.make('environment', i));
  const options = { numEnvs, seed: streams.seed, envCfg, generators };
  if (entry.includes('#')) return loadUserEnv(entry, request.entryRoot, options);
  const make = registry.get(entry);
  if (make === undefined) {
    throw new Error(`unknown environment "${entry}"; known: ${[...registry.keys()].join(', ')}, or "./file.mjs#export"`);
  }
  return make(options);
}

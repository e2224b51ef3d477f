// What a user's environment file is handed, so that it imports nothing and runs from a read-only snapshot.
// Imported by envs/user-env.ts; its types are the public contract of `makeEnv`.
import type { PlainMap } from '../../src-protocol/files/plain.ts';
import { makeGenerator, type Generator } from '../seeding/generator.ts';
import { CARTPOLE_RULES, makeCartPole } from './cartpole.ts';
import { readSettings } from './settings.ts';
import { withShaping } from './shaping.ts';
import { TIME_OUT, type VectorEnv } from './vector-env.ts';
import { vectorise } from './vectorise.ts';

export interface MakeEnvOptions {
  readonly numEnvs: number;
  /** Root seed, for information; draw from `generators`. */
  readonly seed: number;
  /** `env_cfg` of the trial, or of its evaluation with the canonical block forced over it. */
  readonly envCfg: PlainMap;
  /** One generator per copy; everything random in copy i comes from generators[i]. */
  readonly generators: readonly Generator[];
}

export const toolkit = {
  makeCartPole,
  cartPoleRules: CARTPOLE_RULES,
  makeGenerator,
  readSettings,
  timeOut: TIME_OUT,
  vectorise,
  withShaping,
} as const;
export type Toolkit = typeof toolkit;

/**
 * The contract of a user's environment: `export function makeEnv(options, rlxp)` in an `.mjs` file named by the task's
 * `entry` as `./env.mjs#makeEnv`. For example:
 *
 *     export function makeEnv({ generators, envCfg }, rlxp) {
 *       const { centre } = rlxp.readSettings(envCfg, { centre: 0 });
 *       const env = rlxp.makeCartPole(generators);
 *       return rlxp.withShaping(env, {
 *         centre: { weight: centre, value: (before, action, after) => -Math.abs(after[0]) },
 *       });
 *     }
 */
export type MakeEnv = (options: MakeEnvOptions, rlxp: Toolkit) => VectorEnv | Promise<VectorEnv>;

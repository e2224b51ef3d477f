// The built-in environments by id, each with its settings. Imported by envs/make-env.ts.
import { CARTPOLE_RULES, makeCartPole } from './cartpole.ts';
import { readSettings } from './settings.ts';
import { withShaping, type ShapingTerms } from './shaping.ts';
import type { MakeEnvOptions } from './toolkit.ts';
import type { VectorEnv } from './vector-env.ts';

export const registry: ReadonlyMap<string, (options: MakeEnvOptions) => VectorEnv> = new Map([['CartPole-v1', cartPole]]);

/** Weights of CartPole's shaping terms, all 0 by default: `env_cfg.shaping`. */
const CARTPOLE_SHAPING = { position: 0, angle: 0, velocity: 0, angular_velocity: 0 };

/** Settings: CartPoleRules by name, and `shaping`, a map of weights. A positive weight rewards staying near 0. */
function cartPole({ envCfg, generators }: MakeEnvOptions): VectorEnv {
  const { shaping = {}, ...rules } = envCfg;
  if (typeof shaping !== 'object' || shaping === null || Array.isArray(shaping)) {
    throw new Error('environment setting "shaping" must be a map of weights');
  }
  const weights = readSettings(shaping as Readonly<Record<string, unknown>>, CARTPOLE_SHAPING);
  return withShaping(makeCartPole(generators, readSettings(rules, CARTPOLE_RULES)), cartPoleTerms(weights));
}

/** Each term is 0 at rest and falls to about -1 at the environment's limits. */
function cartPoleTerms(weights: typeof CARTPOLE_SHAPING): ShapingTerms {
  const limits = [CARTPOLE_RULES.position_limit, 2, (CARTPOLE_RULES.angle_limit_deg * Math.PI) / 180, 3] as const;
  const distance = (index: number) => (_before: Float32Array, _action: number, after: Float32Array) =>
    -Math.abs(after[index]!) / limits[index]!;
  return {
    position: { weight: weights.position, value: distance(0) },
    velocity: { weight: weights.velocity, value: distance(1) },
    angle: { weight: weights.angle, value: distance(2) },
    angular_velocity: { weight: weights.angular_velocity, value: distance(3) },
  };
}

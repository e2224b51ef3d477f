// Reward shaping: wraps any environment and adds declared terms to what the learner optimises, never to what an
// evaluation counts unless a term says so. Imported by envs/registry.ts and the toolkit.
import type { VectorEnv } from './vector-env.ts';

/** One term: `weight` times `value`, added to the reward of every step. */
export interface ShapingTerm {
  readonly weight: number;
  /** Adds the term to `trueRewards` too: it is then part of the task, not a help for the learner. Default false. */
  readonly scored?: boolean;
  /** From the observation acted on, the action, and the observation reached (the final one where the episode ended). */
  readonly value: (before: Float32Array, action: number, after: Float32Array) => number;
}
export type ShapingTerms = Readonly<Record<string, ShapingTerm>>;

/** Terms of weight 0 cost nothing; without any other term the environment itself is returned. */
export function withShaping(env: VectorEnv, terms: ShapingTerms): VectorEnv {
  const active = Object.values(terms).filter((term) => term.weight !== 0);
  if (active.length === 0) return env;
  const { numEnvs, observationSize } = env;
  const rewards = new Float64Array(numEnvs);
  const trueRewards = new Float64Array(numEnvs);
  const previous = new Float32Array(numEnvs * observationSize);
  const rows = (all: Float32Array): Float32Array[] =>
    Array.from({ length: numEnvs }, (_, i) => all.subarray(i * observationSize, (i + 1) * observationSize));
  const before = rows(previous);
  const after = rows(env.observations);
  const final = rows(env.finalObservations);

  const addTerms = (i: number, action: number): void => {
    const reached = env.terminated[i] === 1 || env.truncated[i] === 1 ? final[i]! : after[i]!;
    for (const term of active) {
      const amount = term.weight * term.value(before[i]!, action, reached);
      rewards[i]! += amount;
      if (term.scored === true) trueRewards[i]! += amount;
    }
  };

  return {
    numEnvs,
    observationSize,
    actionCount: env.actionCount,
    timeLimit: env.timeLimit,
    observations: env.observations,
    terminated: env.terminated,
    truncated: env.truncated,
    finalObservations: env.finalObservations,
    rewards,
    trueRewards,
    reset: (one) => env.reset(one),
    step(actions) {
      previous.set(env.observations);
      env.step(actions);
      rewards.set(env.rewards);
      trueRewards.set(env.trueRewards);
      for (let i = 0; i < numEnvs; i++) addTerms(i, actions[i]!);
    },
    cause: (i) => env.cause(i),
    ...(env.success === undefined ? {} : { success: (i: number) => env.success?.(i) ?? false }),
    ...(env.metrics === undefined ? {} : { metrics: (i: number) => env.metrics?.(i) ?? {} }),
  };
}

// Collects a rollout: acts with the current policy, steps the environments, stores what PPO needs; the observations are valued
// together at the end, which costs a fraction of valuing them step by step. Imported by learners/ppo.ts.
import type { VectorEnv } from '../envs/vector-env.ts';
import { sampleAction } from '../heads/categorical-policy.ts';
import { logSoftmax } from '../losses/categorical.ts';
import type { ActorCritic } from '../models/actor-critic.ts';
import type { ObservationNormalizer } from '../models/observation-normalizer.ts';
import type { Generator } from '../seeding/generator.ts';
import type { EpisodeWindow } from './episode-window.ts';
import type { Rollout } from './rollout.ts';

export interface Collector {
  /** Fills the first `steps` steps of `rollout`, continuing the episodes of the last call. */
  collect(rollout: Rollout, steps: number): Promise<void>;
}

export interface CollectorParts {
  readonly env: VectorEnv;
  readonly models: ActorCritic;
  /** Null: the networks see raw observations. */
  readonly normalizer: ObservationNormalizer | null;
  /** One per environment, so that no environment's actions depend on another's. */
  readonly samplers: readonly Generator[];
  readonly window: EpisodeWindow;
}

/** Resets the environments. */
export function makeCollector({ env, models, normalizer, samplers, window }: CollectorParts): Collector {
  const { numEnvs, observationSize, actionCount } = env;
  const seen = new Float32Array(numEnvs * observationSize);
  const final = new Float32Array(numEnvs * observationSize);
  const logProbabilities = new Float32Array(numEnvs * actionCount);
  const actions = new Int32Array(numEnvs);

  // Statistics move only here, once per observation, so old and new log-probabilities use the same network input.
  const see = (): void => {
    if (normalizer === null) seen.set(env.observations);
    else {
      normalizer.update(env.observations, numEnvs);
      normalizer.apply(env.observations, numEnvs, seen);
    }
  };
  const act = async (): Promise<void> => {
    logSoftmax(await models.policy.forward(seen, numEnvs), numEnvs, actionCount, logProbabilities);
    for (let i = 0; i < numEnvs; i++) actions[i] = sampleAction(logProbabilities, i, actionCount, samplers[i]!);
  };
  /** Values of the final observations of truncated episodes, written into `into` from `at`. */
  const valueOfFinals = async (into: Float32Array, at: number): Promise<void> => {
    if (!env.truncated.includes(1)) return;
    if (normalizer === null) final.set(env.finalObservations);
    else normalizer.apply(env.finalObservations, numEnvs, final);
    const values = await models.value.forward(final, numEnvs);
    for (let i = 0; i < numEnvs; i++) if (env.truncated[i] === 1) into[at + i] = values[i]!;
  };

  env.reset();
  see();
  return {
    async collect(rollout, steps) {
      for (let t = 0; t < steps; t++) {
        const at = t * numEnvs;
        rollout.observations.set(seen, at * observationSize);
        await act();
        rollout.actions.set(actions, at);
        for (let i = 0; i < numEnvs; i++) rollout.logProbabilities[at + i] = logProbabilities[i * actionCount + actions[i]!]!;
        env.step(actions);
        window.observe(env);
        rollout.rewards.set(env.rewards, at);
        rollout.terminated.set(env.terminated, at);
        rollout.truncated.set(env.truncated, at);
        await valueOfFinals(rollout.nextValues, at);
        see();
      }
      // The last first: a network gives its one output array again.
      const last = (await models.value.forward(seen, numEnvs)).slice(0, numEnvs);
      const count = steps * numEnvs;
      rollout.values.set((await models.value.forward(rollout.observations, count)).subarray(0, count));
      linkValues(rollout, steps, last);
    },
  };
}

/** nextValues of steps that no truncation ended: the value of the next step, `last` after the final one. */
function linkValues(rollout: Rollout, steps: number, last: Float32Array): void {
  const { numEnvs } = rollout;
  for (let i = 0; i < steps * numEnvs; i++) {
    if (rollout.truncated[i] === 1) continue;
    const next = i + numEnvs;
    rollout.nextValues[i] = next < steps * numEnvs ? rollout.values[next]! : last[next - steps * numEnvs]!;
  }
}

// Proximal policy optimisation: collect, estimate advantages, update. Imported by the harness.
// Source: Schulman et al. 2017; facts of the composition in docs/specs/runner.md.
import type { BundledAgent } from '../../src-protocol/files/agent.ts';
import type { Backend, Optimizer } from '../backend/compute.ts';
import type { VectorEnv } from '../envs/vector-env.ts';
import { actorCriticShape, makeActorCritic, type ActorCritic } from '../models/actor-critic.ts';
import { makeObservationNormalizer, type ObservationNormalizer } from '../models/observation-normalizer.ts';
import type { Streams } from '../seeding/streams.ts';
import { makeCollector } from './collect.ts';
import { makeEpisodeWindow, type EpisodeWindow } from './episode-window.ts';
import { explainedVariance } from './explained-variance.ts';
import { generalisedAdvantages, standardise } from './gae.ts';
import { makePpoUpdate, type UpdateFigures } from './ppo-update.ts';
import { makeRollout } from './rollout.ts';
import { scheduledRate } from './schedules.ts';

export type PpoAgent = BundledAgent['agent'];

export interface PpoFigures extends UpdateFigures {
  readonly learningRate: number;
  readonly explainedVariance: number;
}

export interface Ppo {
  readonly models: ActorCritic;
  readonly optimizer: Optimizer;
  readonly normalizer: ObservationNormalizer | null;
  readonly window: EpisodeWindow;
  /** Collects `steps` (at most the agent's `rollouts`) per environment and trains on them; `progress` is 0..1 of the trial. */
  iterate(steps: number, progress: number): Promise<PpoFigures>;
}

export interface PpoParts {
  readonly env: VectorEnv;
  readonly backend: Backend;
  readonly config: BundledAgent;
  readonly streams: Streams;
}

/** Resets the environments. Throws an Error when the batch cannot be cut into the configured minibatches. */
export async function makePpo({ env, backend, config, streams }: PpoParts): Promise<Ppo> {
  const { agent } = config;
  const batch = agent.rollouts * env.numEnvs;
  if (batch % agent.mini_batches !== 0) {
    throw new Error(`a batch of ${batch} (rollouts ${agent.rollouts} x num_envs ${env.numEnvs}) does not divide into ${agent.mini_batches} mini_batches`);
  }
  const models = await makeActorCritic(backend, actorCriticShape(env.observationSize, env.actionCount, config.models.hidden), streams);
  const optimizer = await backend.makeAdam([models.policy, models.value]);
  const normalizer = agent.normalize_observations ? makeObservationNormalizer(env.observationSize) : null;
  const window = makeEpisodeWindow(env.numEnvs);
  const rollout = makeRollout(agent.rollouts, env.numEnvs, env.observationSize);
  const samplers = Array.from({ length: env.numEnvs }, (_, i) => streams.make('policy_sampling', i));
  const collector = makeCollector({ env, models, normalizer, samplers, window });
  const update = makePpoUpdate({ agent, models, optimizer, rollout, order: streams.make('minibatch_order', 0) });
  return {
    models,
    optimizer,
    normalizer,
    window,
    async iterate(steps, progress) {
      const samples = steps * env.numEnvs;
      await collector.collect(rollout, steps);
      const gae = { ...rollout, steps, discount: agent.discount_factor, lambda: agent.lambda };
      generalisedAdvantages(gae, rollout.advantages, rollout.targets);
      const explained = explainedVariance(rollout.values, rollout.targets, samples);
      standardise(rollout.advantages, samples);
      const learningRate = scheduledRate(agent.learning_rate_schedule, agent.learning_rate, progress);
      return { ...(await update(samples, learningRate)), learningRate, explainedVariance: explained };
    },
  };
}

// The policies that an evaluation can play: a checkpoint's, random, zero. Imported by harness/evaluate-trial.ts.
import type { Network } from '../backend/compute.ts';
import { bestAction, sampleAction } from '../heads/categorical-policy.ts';
import { logSoftmax } from '../losses/categorical.ts';
import type { ObservationNormalizer } from '../models/observation-normalizer.ts';
import type { Generator } from '../seeding/generator.ts';
import type { Actor } from './play-episodes.ts';

/** Always action 0. */
export function zeroActor(): Actor {
  return async (_env, actions) => {
    actions.fill(0);
  };
}

/** Uniform over the actions; one generator per environment. */
export function randomActor(generators: readonly Generator[]): Actor {
  return async (env, actions) => {
    for (let i = 0; i < env.numEnvs; i++) actions[i] = generators[i]!.integerBelow(env.actionCount);
  };
}

export interface PolicyActorParts {
  readonly policy: Network;
  /** Frozen statistics; null: raw observations. */
  readonly normalizer: ObservationNormalizer | null;
  /** One per environment to sample with; null: the most probable action. */
  readonly samplers: readonly Generator[] | null;
}

export function policyActor({ policy, normalizer, samplers }: PolicyActorParts): Actor {
  let seen = new Float32Array(0);
  let logProbabilities = new Float32Array(0);
  return async (env, actions) => {
    const { numEnvs, observationSize, actionCount } = env;
    if (seen.length === 0) {
      seen = new Float32Array(numEnvs * observationSize);
      logProbabilities = new Float32Array(numEnvs * actionCount);
    }
    if (normalizer === null) seen.set(env.observations);
    else normalizer.apply(env.observations, numEnvs, seen);
    const logits = await policy.forward(seen, numEnvs);
    if (samplers === null) {
      for (let i = 0; i < numEnvs; i++) actions[i] = bestAction(logits, i, actionCount);
      return;
    }
    logSoftmax(logits, numEnvs, actionCount, logProbabilities);
    for (let i = 0; i < numEnvs; i++) actions[i] = sampleAction(logProbabilities, i, actionCount, samplers[i]!);
  };
}

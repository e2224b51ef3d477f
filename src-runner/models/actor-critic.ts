// The actor-critic of PPO: a policy and a value network of the same widths that share nothing. Imported by learners and the harness.
import type { Backend, Network, NetworkShape } from '../backend/compute.ts';
import type { Streams } from '../seeding/streams.ts';
import { orthogonalParameters } from './initialise.ts';

export interface ActorCriticShape {
  readonly policy: NetworkShape;
  readonly value: NetworkShape;
}

export interface ActorCritic {
  readonly policy: Network;
  readonly value: Network;
}

export function actorCriticShape(observationSize: number, actionCount: number, hidden: readonly number[]): ActorCriticShape {
  return {
    policy: { inputs: observationSize, hidden, outputs: actionCount },
    value: { inputs: observationSize, hidden, outputs: 1 },
  };
}

/** Orthogonal weights; the policy head's gain of 0.01 makes the first policy nearly uniform. */
export async function makeActorCritic(backend: Backend, shape: ActorCriticShape, streams: Streams): Promise<ActorCritic> {
  const policy = orthogonalParameters(shape.policy, 0.01, streams.make('model_initialization', 0));
  const value = orthogonalParameters(shape.value, 1, streams.make('model_initialization', 1));
  return { policy: await backend.makeNetwork(shape.policy, policy), value: await backend.makeNetwork(shape.value, value) };
}

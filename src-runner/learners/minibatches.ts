// Passes over a rollout in shuffled minibatches. Imported by learners.
import type { Generator } from '../seeding/generator.ts';
import type { Rollout } from './rollout.ts';

export interface Minibatch {
  rows: number;
  readonly observations: Float32Array;
  readonly actions: Int32Array;
  readonly logProbabilities: Float32Array;
  readonly advantages: Float32Array;
  readonly targets: Float32Array;
}

/**
 * Calls `use` with `count` minibatches of the first `total` samples in a fresh random order; sizes differ by at most 1.
 * One minibatch object is refilled each time.
 */
export function makeMinibatches(rollout: Rollout, observationSize: number, generator: Generator) {
  const batch: Minibatch = {
    rows: 0,
    observations: new Float32Array(rollout.capacity * observationSize),
    actions: new Int32Array(rollout.capacity),
    logProbabilities: new Float32Array(rollout.capacity),
    advantages: new Float32Array(rollout.capacity),
    targets: new Float32Array(rollout.capacity),
  };
  const order = new Int32Array(rollout.capacity);

  const fill = (from: number, to: number): void => {
    batch.rows = to - from;
    for (let row = 0; row < batch.rows; row++) {
      const i = order[from + row]!;
      for (let j = 0; j < observationSize; j++) {
        batch.observations[row * observationSize + j] = rollout.observations[i * observationSize + j]!;
      }
      batch.actions[row] = rollout.actions[i]!;
      batch.logProbabilities[row] = rollout.logProbabilities[i]!;
      batch.advantages[row] = rollout.advantages[i]!;
      batch.targets[row] = rollout.targets[i]!;
    }
  };

  return async (total: number, count: number, use: (batch: Minibatch) => Promise<void>): Promise<void> => {
    for (let i = 0; i < total; i++) order[i] = i;
    generator.shuffle(order.subarray(0, total));
    for (let k = 0; k < count; k++) {
      fill(Math.floor((k * total) / count), Math.floor(((k + 1) * total) / count));
      await use(batch);
    }
  };
}

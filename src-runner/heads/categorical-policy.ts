// Choosing discrete actions from logits. Imported by learners and the harness. Never throws or loops on NaN logits.
import type { Generator } from '../seeding/generator.ts';

/** Samples an action of row `row` of rows x count log-probabilities; with NaN among them the last action. */
export function sampleAction(logProbabilities: Float32Array, row: number, count: number, generator: Generator): number {
  const u = generator.uniform();
  let cumulated = 0;
  for (let j = 0; j < count - 1; j++) {
    cumulated += Math.exp(logProbabilities[row * count + j]!);
    if (u < cumulated) return j;
  }
  return count - 1;
}

/** The most probable action of row `row`; the first of equals, and action 0 if all are NaN. */
export function bestAction(logits: Float32Array, row: number, count: number): number {
  let best = 0;
  for (let j = 1; j < count; j++) if (logits[row * count + j]! > logits[row * count + best]!) best = j;
  return best;
}

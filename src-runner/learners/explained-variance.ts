// How much of the value targets' variance the value network explains. Imported by learners.

/** 1 - var(targets - values) / var(targets) over the first `count`; 0 where the targets do not vary. */
export function explainedVariance(values: Float32Array, targets: Float32Array, count: number): number {
  const all = variance(count, (i) => targets[i]!);
  return all === 0 ? 0 : 1 - variance(count, (i) => targets[i]! - values[i]!) / all;
}

function variance(count: number, at: (i: number) => number): number {
  let mean = 0;
  for (let i = 0; i < count; i++) mean += at(i);
  mean /= count;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (at(i) - mean) ** 2;
  return sum / count;
}

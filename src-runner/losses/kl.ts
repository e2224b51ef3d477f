// KL(old || new) between categorical policies: value and gradient by the new logits. A pure function; imported by learners.

/** Adds `scale` x the gradient of the mean divergence to `gradient` (rows x count); gives the mean in nats. */
export function meanKl(
  oldLogProbabilities: Float32Array,
  newLogProbabilities: Float32Array,
  rows: number,
  count: number,
  scale: number,
  gradient: Float32Array,
): number {
  let total = 0;
  for (let i = 0; i < rows * count; i++) {
    const before = Math.exp(oldLogProbabilities[i]!);
    if (before > 0) total += before * (oldLogProbabilities[i]! - newLogProbabilities[i]!);
    if (scale !== 0) gradient[i]! += (scale / rows) * (Math.exp(newLogProbabilities[i]!) - before);
  }
  return total / rows;
}

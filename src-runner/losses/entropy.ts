// The entropy of categorical policies: value and gradient by the logits. A pure function; imported by learners.

/** Adds `scale` x the gradient of the mean entropy by the logits to `gradient` (rows x count); gives the mean entropy in nats. */
export function meanEntropy(logProbabilities: Float32Array, rows: number, count: number, scale: number, gradient: Float32Array): number {
  let total = 0;
  for (let at = 0; at < rows * count; at += count) {
    let entropy = 0;
    for (let j = at; j < at + count; j++) {
      const l = logProbabilities[j]!;
      entropy -= Math.exp(l) * (l === -Infinity ? 0 : l);
    }
    total += entropy;
    if (scale === 0) continue;
    for (let j = at; j < at + count; j++) {
      const l = logProbabilities[j]!;
      if (l !== -Infinity) gradient[j]! -= (scale / rows) * Math.exp(l) * (l + entropy);
    }
  }
  return total / rows;
}

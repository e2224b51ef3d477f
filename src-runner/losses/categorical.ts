// Categorical distributions over rows of logits: log-probabilities. Imported by losses, heads and learners.

/** out[row, j] = logits[row, j] - logsumexp(logits[row]); arrays are rows x count, row-major. */
export function logSoftmax(logits: Float32Array, rows: number, count: number, out: Float32Array): void {
  for (let at = 0; at < rows * count; at += count) {
    let max = -Infinity;
    for (let j = at; j < at + count; j++) if (logits[j]! > max) max = logits[j]!;
    let sum = 0;
    for (let j = at; j < at + count; j++) sum += Math.exp(logits[j]! - max);
    const total = max + Math.log(sum);
    for (let j = at; j < at + count; j++) out[j] = logits[j]! - total;
  }
}

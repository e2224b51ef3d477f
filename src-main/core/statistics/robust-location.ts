// Summaries of an arm that do not rest on its extremes or on normality. Anyone in core may import it.

/**
 * Interquartile mean: the mean of the middle half of the values, in their unit; NaN for an empty list.
 * Where a quarter of the values is not a whole number, the two values on the border count in part, so exactly half of
 * the weight is kept. For multiples of four it equals rliable's IQM (scipy trim_mean 0.25), which otherwise trims the whole
 * part only. Source: Agarwal et al. 2021 (arXiv 2108.13264).
 */
export function interquartileMean(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const low = sorted.length / 4;
  const high = sorted.length - low;
  let sum = 0;
  for (const [i, value] of sorted.entries()) {
    const weight = Math.min(i + 1, high) - Math.max(i, low);
    if (weight > 0) sum += weight * value;
  }
  return sum / (high - low);
}

/**
 * Probability of improvement: the share of all pairs (one value of `x`, one of `y`) in which x is greater, ties counting
 * half; NaN if either list is empty. Source: Agarwal et al. 2021; the Mann-Whitney statistic over n m.
 */
export function probabilityOfImprovement(x: readonly number[], y: readonly number[]): number {
  let wins = 0;
  for (const a of x) for (const b of y) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (x.length * y.length);
}

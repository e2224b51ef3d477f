// Sums whose rounding does not add up, so that equal rows give equal bits. Imported by this room only.

/** Neumaier's compensated sum (ZAMM 54, 1974), in the order given: callers fix the order first. */
export function exactSum(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** NaN of nothing. */
export function exactMean(values: readonly number[]): number {
  return exactSum(values) / values.length;
}

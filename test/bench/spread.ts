// Medians and spreads of repeated measurements. Imported by test/bench only.

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** RangeError for no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted[sorted.length - 1]];
  if (min === undefined || max === undefined) throw new RangeError('nothing was measured');
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? NaN, sorted[sorted.length >> 1] ?? NaN];
  return { median: (low + high) / 2, min, max, count: sorted.length };
}

/** `52 (48 to 61)`; a single value stands alone. */
export function spreadText(spread: Spread, digits = 3): string {
  const text = (value: number): string => figureText(value, digits);
  return spread.count === 1 ? text(spread.median) : `${text(spread.median)} (${text(spread.min)} to ${text(spread.max)})`;
}

/** At least `digits` significant digits, whole from there on; thousands are kept apart. */
export function figureText(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return String(value);
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toLocaleString('en-GB', { minimumFractionDigits: Math.max(0, digits - 1 - size), maximumFractionDigits: Math.max(0, digits - 1 - size) });
}

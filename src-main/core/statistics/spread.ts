// Mean, spread and correlation of scores over training seeds. Anyone in core may import it.
import { chiSquareQuantile } from './chi-square.ts';

/** Arithmetic mean; NaN for an empty list. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const first = values[0] ?? 0;
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length;
}

/** Standard deviation with n - 1; NaN for fewer than two values; exactly 0 if all values are equal. */
export function sampleSd(values: readonly number[]): number {
  if (values.length < 2) return NaN;
  return Math.sqrt(squares(values) / (values.length - 1));
}

export interface Spread {
  /** Standard deviation, in score units. */
  readonly sd: number;
  /** Interval of the sd at `level`, for normal values (chi-square). */
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly degrees: number;
}

/**
 * The common standard deviation of several groups with means of their own (a group of one adds nothing), with its
 * two-sided chi-square interval. null if no group has two values.
 */
export function pooledSpread(groups: readonly (readonly number[])[], level = 0.95): Spread | null {
  const degrees = groups.reduce((sum, group) => sum + Math.max(0, group.length - 1), 0);
  if (degrees === 0) return null;
  const total = groups.reduce((sum, group) => sum + (group.length < 2 ? 0 : squares(group)), 0);
  return {
    sd: Math.sqrt(total / degrees),
    lower: Math.sqrt(total / chiSquareQuantile((1 + level) / 2, degrees)),
    upper: Math.sqrt(total / chiSquareQuantile((1 - level) / 2, degrees)),
    level,
    degrees,
  };
}

/** Pearson's correlation of paired values; null for fewer than three pairs or where one side does not vary. */
export function correlation(x: readonly number[], y: readonly number[]): number | null {
  if (x.length !== y.length) throw new RangeError(`correlation needs pairs, got ${x.length} and ${y.length} values`);
  const xx = x.length < 3 ? 0 : squares(x);
  const yy = x.length < 3 ? 0 : squares(y);
  if (xx === 0 || yy === 0) return null;
  const mx = mean(x);
  const my = mean(y);
  const xy = x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? 0) - my), 0);
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

function squares(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}

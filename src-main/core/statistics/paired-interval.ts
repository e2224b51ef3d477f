// The interval of a mean paired difference, from which the words of a verdict are read. Anyone in core may import it.
import { mean, sampleSd } from './spread.ts';
import { criticalT } from './student-t.ts';

export interface PairedInterval {
  readonly pairs: number;
  readonly mean: number;
  /** Standard deviation of the differences; NaN for fewer than two pairs. */
  readonly sd: number;
  /** Non-finite where the pairs can support no bound. */
  readonly lower: number;
  readonly upper: number;
  /** Two-sided: the interval misses the true mean with this chance. */
  readonly level: number;
}

export interface PairedIntervalOptions {
  /** Two-sided, for example `nominalLevel(looks)`. */
  readonly level: number;
  /** Differences closer than this are the same number up to rounding; default 1e-12 of the largest difference. */
  readonly resolution?: number;
}

/** Fewest pairs from which equal, non-zero differences prove anything (their sign-flip p is 2^(1 - n)). */
export const fewestEqualPairs = 8;

/**
 * Always the paired t interval: mean +- t(1 - level / 2, n - 1) sd / sqrt(n).
 * Without spread the t interval would be a point, however few the pairs. So: all differences 0 give [0, 0]; equal and
 * non-zero ones give a point only where 2^(1 - n) <= level and n >= 8, else (-Infinity, Infinity), as do fewer than two pairs.
 */
export function pairedInterval(differences: readonly number[], options: PairedIntervalOptions): PairedInterval {
  const { level } = options;
  const pairs = differences.length;
  const centre = mean(differences);
  const largest = differences.reduce((max, d) => Math.max(max, Math.abs(d)), 0);
  const resolution = options.resolution ?? 1e-12 * largest;
  const unbounded = { pairs, mean: centre, sd: NaN, lower: -Infinity, upper: Infinity, level };
  if (pairs < 2) return unbounded;
  if (largest <= resolution) return { pairs, mean: 0, sd: 0, lower: 0, upper: 0, level };
  if (Math.max(...differences) - Math.min(...differences) <= resolution) {
    const isProof = pairs >= fewestEqualPairs && 2 ** (1 - pairs) <= level;
    return isProof ? { pairs, mean: centre, sd: 0, lower: centre, upper: centre, level } : { ...unbounded, sd: 0 };
  }
  const sd = sampleSd(differences);
  const half = (criticalT(level, pairs - 1) * sd) / Math.sqrt(pairs);
  return { pairs, mean: centre, sd, lower: centre - half, upper: centre + half, level };
}

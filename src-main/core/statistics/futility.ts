// Whether a plan can still end in "better". Anyone in core may import it.
import { pairedInterval } from './paired-interval.ts';
import type { PairedIntervalOptions } from './paired-interval.ts';
import { mean } from './spread.ts';

/**
 * Whether the interval could still lie above 0 at one of the looks after `differences.length` pairs, if every remaining
 * difference were the same number, as favourable as possible but no better than the best seen so far.
 * "As favourable as possible" is not always the best one: an outlier far above the rest widens the interval more than it
 * raises the mean. With mean m > 0 and sum of squares S around it, n pairs, t is largest for a future of m + S / (n m).
 * Stopping where this is false keeps the error of the plan (it only takes chances away) and, over normal noise, costs
 * less than 0.2 points of power (docs/specs/statistics.md, ST12).
 */
export function canStillReachBetter(
  differences: readonly number[],
  looks: readonly number[],
  options: PairedIntervalOptions,
): boolean {
  const best = Math.max(...differences);
  const centre = mean(differences);
  const squares = differences.reduce((sum, d) => sum + (d - centre) ** 2, 0);
  const future = centre > 0 ? Math.min(best, centre + squares / (differences.length * centre)) : best;
  return looks
    .filter((pairs) => pairs > differences.length)
    .some((pairs) => {
      const imagined = [...differences, ...new Array<number>(pairs - differences.length).fill(future)];
      return pairedInterval(imagined, options).lower > 0;
    });
}

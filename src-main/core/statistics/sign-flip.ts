// The sign-flip test of paired differences. Anyone in core may import it.
import { makeRandom } from './random.ts';

/** Up to this many pairs every assignment of signs is counted; above, `drawnFlips` are drawn with a fixed seed. */
export const exactPairs = 30;
const drawnFlips = 50_000;

/**
 * Two-sided p: the share of all 2^n assignments of signs whose sum is at least as far from 0 as the observed sum.
 * It needs symmetry around 0, not normality. 1 for an empty list. Sums that differ by rounding count as equal.
 * The smallest possible value is 2^(1 - n): 0.0625 for 5 pairs, 0.031 for 6. Above `exactPairs` the estimate is
 * (1 + hits) / (1 + draws), never below the true chance on average (Phipson and Smyth 2010).
 */
export function signFlipP(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0));
  const slack = 1e-12 * differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const threshold = observed - slack;
  if (threshold <= 0) return 1;
  if (differences.length > exactPairs) return drawnP(differences, threshold);
  const middle = differences.length >> 1;
  const left = signedSums(differences.slice(0, middle));
  const right = signedSums(differences.slice(middle));
  // Both lists rise and are symmetric around 0, so the far negative side counts as much as the far positive one.
  let hits = 0;
  let reached = right.length;
  for (const sum of left) {
    while (reached > 0 && sum + (right[reached - 1] ?? 0) >= threshold) reached -= 1;
    hits += right.length - reached;
  }
  return Math.min(1, (2 * hits) / 2 ** differences.length);
}

/** The sums of all assignments of signs, rising. */
function signedSums(values: readonly number[]): Float64Array {
  let sums = new Float64Array([0]);
  for (const value of values) {
    const next = new Float64Array(2 * sums.length);
    for (const [i, sum] of sums.entries()) {
      next[2 * i] = sum - value;
      next[2 * i + 1] = sum + value;
    }
    sums = next;
  }
  return sums.sort();
}

function drawnP(differences: readonly number[], threshold: number): number {
  const random = makeRandom(differences.length);
  let hits = 0;
  for (let draw = 0; draw < drawnFlips; draw += 1) {
    let sum = 0;
    for (const d of differences) sum += random.uniform() < 0.5 ? d : -d;
    if (Math.abs(sum) >= threshold) hits += 1;
  }
  return (1 + hits) / (1 + drawnFlips);
}

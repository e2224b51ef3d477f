// What a plan of looks can prove, before any money is spent. Anyone in core may import it.
import { nominalLevel } from './nominal-level.ts';
import { checkLooks } from './plan-error.ts';
import { makeRandom } from './random.ts';
import { criticalT } from './student-t.ts';

export interface PlanOptions {
  /** Correlation of winner and baseline over common seeds; 0 by default: seeds are not assumed to pair. */
  readonly correlation?: number;
}

/**
 * The smallest true difference, in seed sd of one arm, for which the plan ends in "better" with chance `power`
 * (default 0.8), for normal scores with equal spread. Multiply by the seed sd to have score units.
 */
export function detectableEffect(looks: readonly number[], power = 0.8, options: PlanOptions = {}): number {
  if (!(power > 0 && power < 1)) throw new RangeError(`power is between 0 and 1, got ${power}`);
  const needed = effectsNeeded(looks);
  return (needed[Math.floor(power * needed.length)] ?? Infinity) * sdOfDifference(options);
}

/** The chance that the plan ends in "better" when the true difference is `effect` seed sd of one arm. */
export function planPower(looks: readonly number[], effect: number, options: PlanOptions = {}): number {
  const needed = effectsNeeded(looks);
  const scaled = effect / sdOfDifference(options);
  let low = 0;
  let high = needed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((needed[middle] ?? Infinity) < scaled) low = middle + 1;
    else high = middle;
  }
  return low / needed.length;
}

/**
 * The smallest equivalence margin, in seed sd of one arm, for which the last look of the plan typically reads "tied" when
 * there is no difference: the half width of its interval. For [5, 8, 10] about 1.2.
 */
export function smallestTiedMargin(looks: readonly number[], options: PlanOptions = {}): number {
  checkLooks(looks);
  const last = looks[looks.length - 1] ?? 0;
  return (criticalT(nominalLevel(looks), last - 1) / Math.sqrt(last)) * sdOfDifference(options);
}

function sdOfDifference(options: PlanOptions): number {
  const rho = options.correlation ?? 0;
  if (!(rho >= -1 && rho < 1)) throw new RangeError(`a correlation is between -1 and 1 (and below 1 here), got ${rho}`);
  return Math.sqrt(2 * (1 - rho));
}

/**
 * For each of many drawn sequences of standard normal differences, the shift from which on the plan ends in "better",
 * rising. A shift moves the mean and leaves the sd, so each look turns "better" above one shift and "worse" below
 * another; the plan ends in "better" from the smallest shift that turns a look better while no earlier look was worse.
 * One draw therefore gives the power at every effect, and power is exactly monotone. Fixed seed; remembered.
 */
function effectsNeeded(looks: readonly number[]): Float64Array {
  checkLooks(looks);
  const key = looks.join(' ');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const level = nominalLevel(looks);
  const critical = looks.map((n) => criticalT(level, n - 1) / Math.sqrt(n));
  const last = looks[looks.length - 1] ?? 0;
  const needed = new Float64Array(Math.min(100_000, Math.ceil(2_000_000 / last)));
  const random = makeRandom(2654435769);
  for (let path = 0; path < needed.length; path += 1) needed[path] = effectNeeded(looks, critical, random.normal);
  needed.sort();
  if (remembered.size >= 64) remembered.clear();
  remembered.set(key, needed);
  return needed;
}

const remembered = new Map<string, Float64Array>();

function effectNeeded(looks: readonly number[], critical: readonly number[], normal: () => number): number {
  let n = 0;
  let centre = 0;
  let squares = 0;
  let needed = Infinity;
  let notWorse = -Infinity;
  for (let k = 0; k < looks.length; k += 1) {
    while (n < (looks[k] ?? 0)) {
      const difference = normal() - centre;
      n += 1;
      centre += difference / n;
      squares += difference * difference * ((n - 1) / n);
    }
    const half = (critical[k] ?? 0) * Math.sqrt(squares / (n - 1));
    needed = Math.min(needed, Math.max(half - centre, notWorse));
    notWorse = Math.max(notWorse, -half - centre);
  }
  return needed;
}

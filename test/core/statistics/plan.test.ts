import { describe, expect, it } from 'vitest';
import { nominalLevel } from '../../../src-main/core/statistics/nominal-level.ts';
import { planError } from '../../../src-main/core/statistics/plan-error.ts';
import { detectableEffect, planPower, smallestTiedMargin } from '../../../src-main/core/statistics/plan-power.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';
import { criticalT } from '../../../src-main/core/statistics/student-t.ts';

/** Looks, the level expected beforehand, the level with at most 5 % error at three digits. */
const plans = [
  [[5], 0.05, 0.05],
  [[5, 8], 0.0296, 0.0293],
  [[5, 10], 0.0283, 0.0279],
  [[8, 10], 0.0334, 0.0336],
  [[3, 5], 0.0275, 0.028],
  [[5, 8, 10], 0.0226, 0.0227],
  [[5, 10, 20], 0.0189, 0.0195],
] as const;

describe('the level of a plan', () => {
  it.each(plans)('ST2: %j has its level (expected %d, used %d)', (looks, expected, level) => {
    expect(nominalLevel(looks)).toBe(level);
    expect(Math.abs(level - expected)).toBeLessThanOrEqual(0.0006 + 1e-9);
  });

  it.each(plans)('ST3: %j: one step more in the last digit would break the promise (expected %d, used %d)', (looks, _expected, level) => {
    expect(planError(looks, level)).toBeLessThanOrEqual(0.05);
    if (looks.length > 1) expect(planError(looks, level + 0.0001)).toBeGreaterThan(0.05);
  });

  it.each([
    [[5, 8, 10], 0.0227],
    [[3, 4, 6], 0.05],
    [[2, 3, 4, 5], 0.0163],
    [[5, 6, 7], 0.1],
    [[5, 30], 0.3],
    [[40, 80], 0.05],
  ] as const)('ST2: the integral for %j at %d agrees with a plain simulation', (looks, level) => {
    const repeats = 25_000;
    const simulated = simulatedError(looks, level, repeats);
    const error = planError(looks, level);
    expect(Math.abs(simulated - error)).toBeLessThan(3.5 * Math.sqrt((error * (1 - error)) / repeats));
  });

  it('ST2: the integral has converged', () => {
    for (const looks of [[5, 8], [3, 5], [2, 3, 4], [5, 10, 20], [50, 100], [5, 500]]) {
      expect(Math.abs(planError(looks, 0.025) - planError(looks, 0.025, { points: 28 }))).toBeLessThan(1e-5);
    }
  });

  it('ST2: a plan takes well below a second', () => {
    const start = process.cpuUsage();
    expect(nominalLevel([4, 7, 10, 15])).toBeLessThan(0.0227);
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1);
  });

  it('ST2: what is not a plan is refused', () => {
    for (const looks of [[], [1], [5, 5], [8, 5], [2.5], [NaN]]) expect(() => nominalLevel(looks)).toThrow(RangeError);
    expect(() => nominalLevel([5], 0)).toThrow(RangeError);
  });
});

describe('what a plan can prove', () => {
  it.each([
    // Exact: the noncentral t distribution (SciPy), less the chance to be "worse".
    [[5], 0.8, 2.3787],
    [[10], 0.8, 1.40856],
    [[50], 0.8, 0.5716],
  ] as const)('ST13: %j proves with chance %d an effect of %d', (looks, power, exact) => {
    expect(Math.abs(detectableEffect(looks, power) / exact - 1)).toBeLessThan(0.01);
    expect(planPower(looks, detectableEffect(looks, power))).toBeCloseTo(power, 3);
  });

  it('ST13: the check values of the plans', () => {
    expect(planPower([5, 8, 10], 0)).toBeCloseTo(0.025, 2);
    expect(planPower([5, 8, 10], 1)).toBeCloseTo(0.42, 2);
    expect(planPower([5, 8, 10], 2)).toBeCloseTo(0.945, 2);
    expect(planPower([5], 3)).toBeCloseTo(0.935, 2);
    expect(detectableEffect([5, 8, 10])).toBeGreaterThan(1.5);
    expect(detectableEffect([5, 8, 10])).toBeLessThan(1.65);
  });

  it('ST13: pairing helps only if the arms correlate; the rest is scale', () => {
    const half = detectableEffect([5, 8, 10], 0.8, { correlation: 0.5 });
    expect(half / detectableEffect([5, 8, 10], 0.8)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(planPower([5, 8, 10], half, { correlation: 0.5 })).toBeCloseTo(0.8, 3);
    expect(() => detectableEffect([5], 0.8, { correlation: 1 })).toThrow(RangeError);
    expect(() => detectableEffect([5], 1)).toThrow(RangeError);
  });

  it('ST13: "tied" at 10 seeds needs a margin above about 1.2 sd', () => {
    expect(smallestTiedMargin([5, 8, 10])).toBeCloseTo(1.23, 2);
  });
});

function simulatedError(looks: readonly number[], level: number, repeats: number): number {
  const random = makeRandom(20);
  let errors = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    let sum = 0;
    let squares = 0;
    let n = 0;
    for (const look of looks) {
      for (; n < look; n += 1) {
        const d = random.normal();
        sum += d;
        squares += d * d;
      }
      const sd = Math.sqrt((squares - (sum * sum) / n) / (n - 1));
      if (Math.abs(sum / Math.sqrt(n) / sd) > criticalT(level, n - 1)) {
        errors += 1;
        break;
      }
    }
  }
  return errors / repeats;
}

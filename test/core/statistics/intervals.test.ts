import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../../src-main/core/statistics/comparison.ts';
import type { ComparisonRules } from '../../../src-main/core/statistics/comparison.ts';
import { canStillReachBetter } from '../../../src-main/core/statistics/futility.ts';
import { honestNumber, percent } from '../../../src-main/core/statistics/honest-number.ts';
import { nominalLevel } from '../../../src-main/core/statistics/nominal-level.ts';
import { pairedInterval } from '../../../src-main/core/statistics/paired-interval.ts';
import { clopperPearson, exactUpperBound, wilsonInterval } from '../../../src-main/core/statistics/proportion.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';
import { interquartileMean, probabilityOfImprovement } from '../../../src-main/core/statistics/robust-location.ts';
import { signFlipP } from '../../../src-main/core/statistics/sign-flip.ts';
import { correlation, mean, pooledSpread, sampleSd } from '../../../src-main/core/statistics/spread.ts';

const plain = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('the interval of a mean difference', () => {
  it('ST4: is the paired t interval (SciPy ttest_rel)', () => {
    const { lower, upper, sd } = pairedInterval([1.5, -0.5, 2, 3, 0.25], { level: 0.05 });
    expect(mean([1.5, -0.5, 2, 3, 0.25])).toBe(1.25);
    expect(sd).toBeCloseTo(1.3919410907075054, 12);
    expect(lower).toBeCloseTo(-0.4783231399519896, 10);
    expect(upper).toBeCloseTo(2.9783231399519896, 10);
  });

  it('ST4: shifts with its data, scales with it, and turns over', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 }), fc.integer({ min: -500, max: 500 }), (d, by) => {
        fc.pre(new Set(d).size > 1);
        const base = pairedInterval(d, { level: 0.03 });
        const shifted = pairedInterval(d.map((x) => x + by), { level: 0.03 });
        const turned = pairedInterval(d.map((x) => -2 * x), { level: 0.03 });
        expect(shifted.lower).toBeCloseTo(base.lower + by, 6);
        expect(turned.upper).toBeCloseTo(-2 * base.lower, 6);
        expect(pairedInterval(d, { level: 0.01 }).upper).toBeGreaterThan(base.upper);
      }),
    );
  });

  it('ST5: all zero is a point at 0; equal and not zero proves nothing before 8 pairs', () => {
    const of = (value: number, pairs: number, level = 0.0227) => {
      const { lower, upper } = pairedInterval(new Array<number>(pairs).fill(value), { level });
      return [lower, upper];
    };
    expect(of(0, 5)).toEqual([0, 0]);
    expect(of(3, 5)).toEqual([-Infinity, Infinity]);
    expect(of(3, 7)).toEqual([-Infinity, Infinity]);
    expect(of(3, 8)).toEqual([3, 3]);
    expect(of(3, 8, 0.005)).toEqual([-Infinity, Infinity]);
    expect(of(3, 1)).toEqual([-Infinity, Infinity]);
    expect(of(3, 0)).toEqual([-Infinity, Infinity]);
  });

  it('ST5: rounding is not spread', () => {
    const differences = [0.3 - 0.1, 0.5 - 0.3, 0.7 - 0.5, 1.2 - 1, 0.2];
    expect(new Set(differences).size).toBeGreaterThan(1);
    expect(pairedInterval(differences, { level: 0.05 }).lower).toBe(-Infinity);
    expect(pairedInterval([1e-13, -1e-13, 0, 0, 2e-13], { level: 0.05, resolution: 1e-12 })).toMatchObject({ lower: 0, upper: 0, mean: 0 });
  });

  it('ST16: the word follows from the interval alone', () => {
    const rules: ComparisonRules = { looks: [5], level: 0.05, resolution: 0, equivalenceMargin: 2, isCompleting: false };
    const differences = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(differences, (d) => {
        const look = readPlan({ differences: d, guardrails: [] }, rules).looks[0];
        const { lower, upper } = look?.interval ?? { lower: NaN, upper: NaN };
        const word = lower > 0 ? 'better' : upper < 0 ? 'worse' : (lower === 0 && upper === 0) || (lower > -2 && upper < 2) ? 'tied' : 'unproven';
        expect(look?.word).toBe(word);
      }),
    );
  });
});

describe('futility', () => {
  const level = nominalLevel([5, 8, 10]);
  it('ST12: a plan goes on exactly while a favourable future could still read better', () => {
    expect(canStillReachBetter([-1, -2, -1.5, -3, -1], [5, 8, 10], { level })).toBe(false);
    expect(canStillReachBetter([1, 2, -0.5, 3, 1], [5, 8, 10], { level })).toBe(true);
    expect(canStillReachBetter([1, 2, -0.5, 3, 1], [5], { level })).toBe(false);
  });

  it('ST12: no constant future up to the best so far reaches better where it says so', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 5, maxLength: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (d, share) => {
        fc.pre(!canStillReachBetter(d, [5, 8, 10], { level }));
        const future = Math.max(...d) - share * 6;
        for (const pairs of [8, 10]) {
          const { lower } = pairedInterval([...d, ...new Array<number>(pairs - 5).fill(future)], { level });
          expect(lower).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('ST12: an outlier above the rest does not end a plan that a plainer future would win', () => {
    const differences = [1, 1.1, 0.9, 1, 30];
    const raised = pairedInterval([...differences, ...new Array<number>(15).fill(30)], { level });
    expect(raised.lower).toBeGreaterThan(0);
    expect(canStillReachBetter(differences, [5, 8], { level })).toBe(
      [1, 2, 5, 10, 30].some((future) => pairedInterval([...differences, future, future, future], { level }).lower > 0),
    );
  });
});

describe('the sign-flip test', () => {
  it('ST6: the smallest p is 2^(1 - n)', () => {
    for (const n of [1, 3, 5, 6, 8, 10, 20]) expect(signFlipP(Array.from({ length: n }, (_, i) => 1 + i / 7))).toBe(2 ** (1 - n));
    expect(signFlipP([])).toBe(1);
    expect(signFlipP([0, 0, 0])).toBe(1);
  });

  it('ST6: counts what plain enumeration counts', () => {
    const small = fc.array(fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4_000_000, max: 4_000_000 }).map((x) => x / 1_000_000)), { maxLength: 11 });
    fc.assert(
      fc.property(small, (d) => {
        expect(signFlipP(d)).toBeCloseTo(enumeratedP(d), 12);
      }),
    );
  });

  it('ST6: drawn flips agree with counted ones', () => {
    const random = makeRandom(3);
    const differences = Array.from({ length: 31 }, () => random.normal() + 0.3);
    const exactNearby = signFlipP([...differences.slice(0, 29), (differences[29] ?? 0) + (differences[30] ?? 0)]);
    expect(Math.abs(signFlipP(differences) - exactNearby)).toBeLessThan(0.05);
    expect(signFlipP(differences)).toBe(signFlipP(differences));
    expect(signFlipP(new Array<number>(40).fill(1))).toBeCloseTo(1 / 50_001, 12);
  });
});

describe('shares', () => {
  // SciPy binomtest: Wilson lower, upper; exact lower, upper; exact one-sided upper.
  it.each([
    [0, 5, 0, 0.43448246478317476, 0, 0.5218237501049814, 0.45071972834694085],
    [1, 10, 0.017876213095072896, 0.4041500267952385, 0.0025285785444625728, 0.44501611702819543, 0.394163302436974],
    [5, 10, 0.236593090512564, 0.7634069094874361, 0.1870860284474045, 0.8129139715525955, 0.777558898991871],
    [10, 10, 0.7224672001371109, 1, 0.6915028921812371, 1, 1],
    [37, 120, 0.23272736988916295, 0.3958299772380067, 0.22725511963384845, 0.3991367645324066, 0.38491854968853717],
  ])('ST7: %d of %d', (k, n, wilsonLow, wilsonHigh, low, high, bound) => {
    expect(wilsonInterval(k, n).lower).toBeCloseTo(wilsonLow, 10);
    expect(wilsonInterval(k, n).upper).toBeCloseTo(wilsonHigh, 10);
    expect(clopperPearson(k, n).lower).toBeCloseTo(low, 10);
    expect(clopperPearson(k, n).upper).toBeCloseTo(high, 10);
    expect(exactUpperBound(k, n)).toBeCloseTo(bound, 10);
  });

  it('ST7: nothing seen says nothing, and nonsense is refused', () => {
    expect(wilsonInterval(0, 0)).toEqual({ lower: 0, upper: 1 });
    expect(clopperPearson(0, 0)).toEqual({ lower: 0, upper: 1 });
    expect(exactUpperBound(0, 0)).toBe(1);
    expect(exactUpperBound(0, 10)).toBeCloseTo(0.2589, 4);
    for (const [k, n] of [[-1, 3], [4, 3], [0.5, 3]] as const) expect(() => wilsonInterval(k, n)).toThrow(RangeError);
    expect(() => clopperPearson(1, 3, 1)).toThrow(RangeError);
  });
});

describe('summaries of arms', () => {
  it('ST8: the interquartile mean keeps the middle half', () => {
    expect(interquartileMean([4, 1, 2, 100])).toBe(3);
    expect(interquartileMean([1, 2, 3, 4, 5, 6, 7, 8, 9, 1000])).toBeCloseTo((0.5 * 3 + 4 + 5 + 6 + 7 + 0.5 * 8) / 5, 12);
    expect(interquartileMean([7])).toBe(7);
    expect(interquartileMean([])).toBeNaN();
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 30 }), (values) => {
        const sorted = values.flatMap((x) => [x, x, x, x]).sort((x, y) => x - y);
        const middle = sorted.slice(values.length, 3 * values.length);
        expect(interquartileMean(values)).toBeCloseTo(mean(middle), 5);
      }),
    );
  });

  it('ST9: the probability of improvement counts ties half and is complementary', () => {
    expect(probabilityOfImprovement([3, 4], [1, 2])).toBe(1);
    expect(probabilityOfImprovement([1, 2], [1, 2])).toBe(0.5);
    expect(probabilityOfImprovement([], [1])).toBeNaN();
    const few = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(few, few, (x, y) => {
        expect(probabilityOfImprovement(x, y) + probabilityOfImprovement(y, x)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('ST10: spreads and their interval', () => {
    expect(sampleSd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.138089935299395, 12);
    expect(sampleSd([0.1, 0.1, 0.1])).toBe(0);
    expect(sampleSd([1])).toBeNaN();
    expect(mean([])).toBeNaN();
    expect(pooledSpread([[1], []])).toBeNull();
    const spread = pooledSpread([[1, 2, 3], [10, 12]]);
    expect(spread?.degrees).toBe(3);
    expect(spread?.sd).toBeCloseTo(Math.sqrt(4 / 3), 12);
    expect(spread?.lower).toBeCloseTo(Math.sqrt(4 / 9.348403604496148), 10);
    expect(spread?.upper).toBeCloseTo(Math.sqrt(4 / 0.21579528262389788), 10);
  });

  it('ST11: a correlation, or none', () => {
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
    expect(correlation([1, 2, 3], [-1, -2, -3])).toBeCloseTo(-1, 12);
    expect(correlation([1, 2], [1, 2])).toBeNull();
    expect(correlation([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(() => correlation([1], [])).toThrow(RangeError);
  });
});

describe('printed numbers', () => {
  it.each([
    [51.834, 3.2, '51.8'],
    [51.834, 32, '52'],
    [51834, 3200, '51800'],
    [0.012345, 0.0021, '0.0123'],
    [-0.2, 32, '0'],
    [51.834, 0, '51.83'],
    [51.834, Infinity, '51.83'],
    [Infinity, 3, '+infinity'],
    [-Infinity, 3, '-infinity'],
    [NaN, 3, 'not a number'],
    [1.5e-12, 1e-13, '1.500e-12'],
  ])('ST15: %d within %d prints as %s', (value, half, text) => {
    expect(honestNumber(value, half)).toBe(text);
  });

  it('ST15: shares print as percentages', () => {
    expect([percent(0.4507), percent(0.95), percent(0.004), percent(0), percent(1)]).toEqual(['45 %', '95 %', '0.4 %', '0 %', '100 %']);
  });
});

function enumeratedP(differences: readonly number[]): number {
  const total = 2 ** differences.length;
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0));
  let hits = 0;
  for (let signs = 0; signs < total; signs += 1) {
    const sum = differences.reduce((s, d, i) => s + ((signs >> i) & 1 ? d : -d), 0);
    if (Math.abs(sum) >= observed - 1e-9) hits += 1;
  }
  return hits / total;
}

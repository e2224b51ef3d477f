import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smoothNext, smoothSeries, type Smoothed } from '../../../src-main/core/metrics/smoothing.ts';

/** The textbook form: a biased moving average over 1 - w^n. */
function plainDebiased(values: readonly number[], weight: number): readonly number[] {
  let biased = 0;
  let count = 0;
  return values.map((value) => {
    biased = weight * biased + (1 - weight) * value;
    count += 1;
    return biased / (1 - weight ** count);
  });
}

describe('smoothing', () => {
  it('ME1 equals the textbook debiased average', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 }), fc.double({ min: 0, max: 0.99, noNaN: true }), (values, weight) => {
        const ours = smoothSeries(values, weight);
        plainDebiased(values, weight).forEach((expected, index) => expect(ours[index]).toBeCloseTo(expected, 4));
      }),
    );
  });

  it('ME1 keeps a constant series constant to the last bit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: 0, max: 0.999, noNaN: true }), (value, weight) => {
        for (const smoothed of smoothSeries(Array<number>(50).fill(value), weight)) expect(smoothed === value).toBe(true);
      }),
    );
  });

  it('ME1 follows the points themselves at weight 0', () => {
    expect(smoothSeries([1, 5, -2], 0)).toEqual([1, 5, -2]);
  });

  it('ME2 leaves non-finite values out, as if they had never been written', () => {
    const smoothed = smoothSeries([NaN, 1, Infinity, 3, -Infinity, 5], 0.9);
    const without = smoothSeries([1, 3, 5], 0.9);
    expect(smoothed).toEqual([NaN, without[0], NaN, without[1], NaN, without[2]]);
    const state: Smoothed = { value: 2, bias: 0.9 };
    expect(smoothNext(state, NaN, 0.9)).toBe(state);
    expect(smoothNext(null, NaN, 0.9)).toBeNull();
  });
});

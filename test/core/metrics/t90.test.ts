import { describe, expect, it } from 'vitest';
import { t90 } from '../../../src-main/core/metrics/t90.ts';

const curve = (values: readonly number[]) => values.map((smoothed, index) => ({ step: (index + 1) * 100, wallTimeS: 1000 + index * 10, smoothed }));

describe('t90', () => {
  it('ME3 is the first point at nine tenths of the rise from the first to the final value', () => {
    expect(t90(curve([0, 50, 89, 90, 95, 100]), 995)).toEqual({ steps: 400, seconds: 35 });
  });

  it('ME3 measures seconds from the first event of any tag, not from the first reward', () => {
    expect(t90(curve([10, 20]), 940).seconds).toBe(70);
  });

  it('ME3 works below zero', () => {
    expect(t90(curve([-100, -60, -11, -10, 0]), 1000)).toEqual({ steps: 400, seconds: 30 });
  });

  it('ME3 is null without a rise, without points and for a single point', () => {
    const none = { steps: null, seconds: null };
    expect(t90(curve([5, 7, 5]), 1000)).toEqual(none);
    expect(t90(curve([5, 9, 4]), 1000)).toEqual(none);
    expect(t90(curve([5]), 1000)).toEqual(none);
    expect(t90([], 1000)).toEqual(none);
  });

  it('ME4 removes the part of a suspend gap that lies before the point', () => {
    const gaps = [
      { startS: 1005, durationS: 20 },
      { startS: 1030, durationS: 500 },
      { startS: 100, durationS: 50 },
    ];
    expect(t90(curve([0, 50, 89, 90, 100]), 1000, gaps).seconds).toBe(10);
  });

  it('MT31 a clock that is set an hour on, or back, or both, changes no seconds', () => {
    const hour = 3600;
    const points = curve([0, 50, 80, 85, 100]);
    const shifted = (from: number, to: number, byS: number) => points.map((point, index) => (index >= from && index < to ? { ...point, wallTimeS: point.wallTimeS + byS } : point));
    expect(t90(points, 995).seconds).toBe(45);
    expect(t90(shifted(2, 5, hour), 995, [{ startS: 1015, durationS: hour }]).seconds).toBe(45);
    expect(t90(shifted(2, 5, -hour), 995, [{ startS: 1015, durationS: -hour }]).seconds).toBe(45);
    const back = { startS: 1015, durationS: -hour };
    expect(t90(shifted(2, 4, -hour), 995, [back, { startS: 1035 - hour, durationS: hour }]).seconds).toBe(45);
    expect(t90(shifted(2, 4, hour), 995, [{ startS: 1015, durationS: hour }, { startS: 1035 + hour, durationS: -hour }]).seconds).toBe(45);
    // What was set back after the point is none of its time.
    expect(t90([...points, { step: 600, wallTimeS: 1050 - hour, smoothed: 100 }], 995, [{ startS: 1045, durationS: -hour }]).seconds).toBe(45);
  });
});

// Rule `plateau`: the smoothed reward has stopped improving. Imported by the monitor only.
import type { MonitorRules } from '../../../../src-protocol/files/study.ts';
import type { TrackedPoint } from '../reward-track.ts';
import type { MonitorDecision } from './decision.ts';

export type PlateauOptions = NonNullable<MonitorRules['plateau']>;

export interface PlateauRule {
  /** `points` ends with the point just added. */
  see(points: readonly TrackedPoint[]): MonitorDecision | null;
  /** Whether the last point that was judged showed a fall too large to call a plateau. */
  isDeclining(): boolean;
}

const fewestPoints = 8;

/**
 * Rule M7. With t the step of the last point, T = `timesteps`, b the smoothed reward at the last point <= t - window_frac * T,
 * t >= after_frac * T and at least 8 points after b: ends when |s(t) - b| < min_improve * max(|b|, max s - min s so far).
 */
export function makePlateauRule(options: PlateauOptions | null, timesteps: number): PlateauRule {
  let declining = false;
  return {
    isDeclining: () => declining,
    see(points) {
      const last = points[points.length - 1];
      if (options === null || last === undefined || last.step < options.after_frac * timesteps) return null;
      const start = countUpTo(points, last.step - options.window_frac * timesteps);
      const before = points[start - 1];
      if (before === undefined || points.length - start < fewestPoints) return null;
      const change = last.smoothed - before.smoothed;
      const band = options.min_improve * Math.max(Math.abs(before.smoothed), last.highest - last.lowest);
      declining = change <= -band && change < 0;
      if (Math.abs(change) >= band) return null;
      const text = `smoothed reward moved by ${change.toPrecision(3)} from ${before.step} to ${last.step}, less than ${band.toPrecision(3)}`;
      return { rule: 'plateau', text, step: last.step, value: last.smoothed };
    },
  };
}

/** How many points have a step <= `step`; steps rise. */
function countUpTo(points: readonly TrackedPoint[], step: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.step ?? Infinity) <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

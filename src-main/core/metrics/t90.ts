// How soon a curve reached nine tenths of its rise: t90 in steps and in seconds. Rooms from metrics leftwards may import it.

/** A finite reward point after smoothing. */
export interface SmoothedPoint {
  readonly step: number;
  readonly wallTimeS: number;
  readonly smoothed: number;
}

/** Time that the machine slept: `startS` on the wall clock, `durationS` long. */
export interface SuspendGap {
  readonly startS: number;
  readonly durationS: number;
}

export interface T90 {
  readonly steps: number | null;
  readonly seconds: number | null;
}

const never: T90 = { steps: null, seconds: null };

/**
 * Step and seconds at which the smoothed reward first reaches first + 0.9 * (final - first); both null when final <= first.
 * `firstEventS`: wall time of the trial's first event of any tag. Steps are those of the points, not a difference.
 */
export function t90(points: readonly SmoothedPoint[], firstEventS: number, gaps: readonly SuspendGap[] = []): T90 {
  const first = points[0];
  const final = points[points.length - 1];
  if (first === undefined || final === undefined || !(final.smoothed > first.smoothed)) return never;
  const goal = first.smoothed + 0.9 * (final.smoothed - first.smoothed);
  const reached = points.find((point) => point.smoothed >= goal) ?? final;
  const slept = gaps.reduce((sum, gap) => sum + overlap(gap, firstEventS, reached.wallTimeS), 0);
  return { steps: reached.step, seconds: Math.max(0, reached.wallTimeS - firstEventS - slept) };
}

function overlap(gap: SuspendGap, fromS: number, toS: number): number {
  return Math.max(0, Math.min(toS, gap.startS + gap.durationS) - Math.max(fromS, gap.startS));
}

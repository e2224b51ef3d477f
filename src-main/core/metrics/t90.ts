// How soon a curve reached nine tenths of its rise: t90 in steps and in seconds. Rooms from metrics leftwards may import it.

/** A finite reward point after smoothing. */
export interface SmoothedPoint {
  readonly step: number;
  readonly wallTimeS: number;
  readonly smoothed: number;
}

/** Time that the machine slept, or by which the wall clock was set (below 0: back): `startS` on the wall clock before it, `durationS` long. In the order they came. */
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
  const reached = points.findIndex((point) => point.smoothed >= goal);
  const until = points.slice(0, reached < 0 ? points.length : reached + 1);
  return { steps: until.at(-1)?.step ?? null, seconds: Math.max(0, elapsed([firstEventS, ...until.map((point) => point.wallTimeS)], gaps)) };
}

/** Smaller steps back are two writers that disagree. */
const setBackS = 1;

/** Seconds from the first to the last of `wallTimesS`, in the order they were written, without the gaps. A clock set back shows as a time below the one before. */
function elapsed(wallTimesS: readonly number[], gaps: readonly SuspendGap[]): number {
  let sum = 0;
  let next = 0;
  for (const [index, toS] of wallTimesS.entries()) {
    const fromS = wallTimesS[index - 1] ?? toS;
    sum += toS - fromS;
    for (let gap = gaps[next]; gap !== undefined; gap = gaps[next]) {
      const isBehind = gap.durationS < 0 ? toS < fromS - setBackS : gap.startS + gap.durationS <= toS;
      sum -= gap.durationS < 0 ? (isBehind ? gap.durationS : 0) : overlap(gap, fromS, toS);
      if (!isBehind) break;
      next += 1;
      if (gap.durationS < 0) break;
    }
  }
  return sum;
}

function overlap(gap: SuspendGap, fromS: number, toS: number): number {
  return Math.max(0, Math.min(toS, gap.startS + gap.durationS) - Math.max(fromS, gap.startS));
}

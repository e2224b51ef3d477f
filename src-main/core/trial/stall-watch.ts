// Notices, from one look to the next, that the machine slept or that this program stood still. Imported by this room only.
import type { Clock } from '../../ports.ts';
import type { SuspendGap } from '../metrics/t90.ts';

/** Looks come every 250 ms; one that comes this much later says nothing about the trial in between. */
const stallMs = 5_000;
/** Clocks are nudged by milliseconds; more than this between wall and monotonic time is a sleep or a clock that was set. */
const driftMs = 2_000;

export interface StallWatch {
  /** To be called at every look. */
  look(): void;
  readonly monoMs: number;
  /** Monotonic time in which nobody looked. */
  readonly suspendedMs: number;
  readonly gaps: readonly SuspendGap[];
}

export function watchStalls(clock: Pick<Clock, 'wallMs' | 'monotonicMs'>): StallWatch {
  let monoMs = clock.monotonicMs();
  let wallMs = clock.wallMs();
  let suspendedMs = 0;
  const gaps: SuspendGap[] = [];
  return {
    look() {
      const [mono, wall] = [clock.monotonicMs(), clock.wallMs()];
      const passedMs = mono - monoMs;
      if (passedMs > stallMs) suspendedMs += passedMs;
      const sleptMs = wall - wallMs - passedMs;
      if (Math.abs(sleptMs) > driftMs) gaps.push({ startS: wallMs / 1000, durationS: sleptMs / 1000 });
      monoMs = mono;
      wallMs = wall;
    },
    get monoMs() {
      return monoMs;
    },
    get suspendedMs() {
      return suspendedMs;
    },
    gaps,
  };
}

// What is still to come, in seconds of device time, from what the finished trials took. Imported by this room only.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { PlannedTrial } from './search-plan.ts';

/** Seconds one training of `timesteps` takes, by the records; null before the first finished trial. */
export function secondsOf(records: readonly TrialRecord[], timesteps: number): number | null {
  const finished = records.filter((record) => (record.status === 'completed' || record.status === 'plateau') && record.steps > 0);
  const same = finished.filter((record) => record.timesteps === timesteps);
  if (same.length > 0) return median(same.map((record) => record.wall_s));
  if (finished.length === 0) return null;
  return median(finished.map((record) => (record.wall_s * timesteps) / record.timesteps));
}

/** Seconds until `trials` are done in `slots` slots; null while nothing was measured. */
export function secondsLeft(records: readonly TrialRecord[], trials: readonly Pick<PlannedTrial, 'timesteps'>[], slots: number): number | null {
  let sum = 0;
  for (const trial of trials) {
    const seconds = secondsOf(records, trial.timesteps);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum / slots;
}

/** What verify may need at most: (1 + 2 * last look) * refine time * 1.2, shared by the slots. 0 when it does not train fresh seeds. */
export function verifyReserveS(options: {
  readonly records: readonly TrialRecord[];
  readonly refineTimesteps: number;
  readonly lastLook: number;
  readonly slots: number;
  /** Verify trials that are already settled need no reserve. */
  readonly done: number;
}): number | null {
  const each = secondsOf(options.records, options.refineTimesteps);
  if (each === null) return null;
  const trials = Math.max(0, 1 + 2 * options.lastLook - options.done);
  return (trials * each * 1.2) / options.slots;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

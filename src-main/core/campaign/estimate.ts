// What is still to come, in seconds of device time, from what the finished trials took. Imported by this room only.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { baselineName, settledTrials, type PlannedTrial, type Search } from './search-plan.ts';

/** Seconds one training of `timesteps` takes, by the records; null before the first finished trial. */
export function secondsOf(records: readonly TrialRecord[], timesteps: number): number | null {
  // Extra trials have lengths and rules of their own: they must not move what the campaign is estimated by.
  const finished = records.filter((record) => record.stage !== 'extra' && (record.status === 'completed' || record.status === 'plateau') && record.steps > 0);
  const same = finished.filter((record) => record.timesteps === timesteps);
  if (same.length > 0) return median(same.map((record) => record.wall_s));
  if (finished.length === 0) return null;
  return median(finished.map((record) => (record.wall_s * timesteps) / record.timesteps));
}

/** Seconds until trainings of these lengths are done in `slots` slots; null while nothing was measured. */
export function secondsFor(records: readonly TrialRecord[], timesteps: readonly number[], slots: number): number | null {
  let sum = 0;
  for (const one of timesteps) {
    const seconds = secondsOf(records, one);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum / slots;
}

/** What verify may still need: (1 + 2 * last look) * refine time * 1.2, less what is settled, shared by the slots. Null: not measured. */
export function verifyReserveS(options: {
  readonly records: readonly TrialRecord[];
  readonly refineTimesteps: number;
  readonly lastLook: number;
  readonly slots: number;
}): number | null {
  const each = secondsOf(options.records, options.refineTimesteps);
  if (each === null) return null;
  const done = [...settledTrials(options.records).values()].filter((record) => record.stage === 'verify').length;
  return (Math.max(0, 1 + 2 * options.lastLook - done) * each * 1.2) / options.slots;
}

export interface Outlook {
  readonly done: number;
  /** Trials as far as they are known: verify counts up to its next look. */
  readonly planned: number;
  /** The same with verify up to its last look. */
  readonly toLastLook: number;
  /** Timesteps of each training that is still to come. */
  readonly left: readonly number[];
}

/** How far the study is. `batch` is what the planner wants next, `look` the index of the look it is for. */
export function outlookOf(
  search: Search,
  records: readonly TrialRecord[],
  next: { readonly batch: readonly PlannedTrial[]; readonly look: number | null; readonly isConcluded: boolean },
): Outlook {
  const settled = [...settledTrials(records).values()].filter((record) => record.stage !== 'extra');
  const done = settled.length;
  if (next.isConcluded) return { done, planned: done, toLastLook: done, left: [] };
  const count = (stage: PlannedTrial['stage']) => settled.filter((record) => record.stage === stage).length;
  const [first] = next.batch;
  const isBefore = (stage: PlannedTrial['stage']) => first === undefined || order.indexOf(first.stage) < order.indexOf(stage);
  const lengthOf = (stage: PlannedTrial['stage']) => search.plan(stage, baselineName, search.baseSeed, 0).timesteps;
  const future: number[] = [];
  const addStage = (stage: PlannedTrial['stage'], trials: number) => {
    const missing = isBefore(stage) ? trials - count(stage) : 0;
    if (missing > 0) future.push(...new Array<number>(missing).fill(lengthOf(stage)));
  };
  addStage('screen', search.candidates.length);
  addStage('refine', Math.min(search.topK, search.candidates.length - 1) + 1);
  addStage('verify', 1 + 2 * (search.looks[0] ?? 0));
  const left = [...next.batch.map((trial) => trial.timesteps), ...future];
    const planned = done + left.length;
  const counted = first?.stage === 'verify' ? next.look : 0;
  const later = counted === null ? 0 : (search.looks.at(-1) ?? 0) - (search.looks[counted] ?? 0);
  return { done, planned, toLastLook: planned + 2 * later, left };
}

const order: readonly PlannedTrial['stage'][] = ['noise', 'screen', 'refine', 'verify', 'extra'];

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

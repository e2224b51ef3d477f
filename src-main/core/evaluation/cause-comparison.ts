// Why episodes end, a candidate beside the baseline. Rooms from evaluation leftwards may import it.
import type { CauseRow } from '../../../src-protocol/files/record.ts';
import { unattributed } from './cause-rows.ts';

export interface CauseDifference {
  readonly cause: string;
  /** Null where a side never ended for this cause. */
  readonly baseline: CauseRow | null;
  readonly candidate: CauseRow | null;
  /** Candidate's share minus the baseline's. */
  readonly change: number;
  /** The two Wilson intervals do not meet. */
  readonly isSeparated: boolean;
}

export interface CauseComparison {
  /** In the baseline's order, then causes that only the candidate has, `unattributed` last. */
  readonly rows: readonly CauseDifference[];
  /** The candidate has a larger share of `unattributed`: the probes may no longer match the task's code. */
  readonly hasUnattributedGrown: boolean;
}

export function compareCauses(baseline: readonly CauseRow[], candidate: readonly CauseRow[]): CauseComparison {
  const names = new Set([...baseline, ...candidate].map((row) => row.cause));
  names.delete(unattributed);
  const rows = [...names, unattributed].map((cause) => difference(cause, baseline, candidate));
  return { rows, hasUnattributedGrown: (rows[rows.length - 1]?.change ?? 0) > 0 };
}

function difference(cause: string, baseline: readonly CauseRow[], candidate: readonly CauseRow[]): CauseDifference {
  const before = baseline.find((row) => row.cause === cause) ?? null;
  const after = candidate.find((row) => row.cause === cause) ?? null;
  return {
    cause,
    baseline: before,
    candidate: after,
    change: (after?.share ?? 0) - (before?.share ?? 0),
    isSeparated: before !== null && after !== null && (before.share_low > after.share_high || after.share_low > before.share_high),
  };
}

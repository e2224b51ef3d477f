// What differs between what was approved and what is there now, row by row. This room only.
import type { ApprovalSubject, ApprovedFile } from '../../../src-protocol/files/approval.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import { digest } from '../provenance/canonical-json.ts';
import { rewardDifference } from './adapter-digest.ts';
import { capRows, differencesBetween } from './differences.ts';
import { snapshotDifferences, type SnapshotReading } from './snapshot.ts';
import { packageListName } from './packages.ts';

export interface Covered {
  readonly values: ApprovedFile;
  readonly subject: ApprovalSubject;
}

/**
 * Empty exactly when the digests of `now` are those of `approved` and every file of the snapshot could be read. Values only serve to say
 * what changed: where they show nothing and the digests differ all the same, the digest is the row.
 */
export function subjectDifferences(approved: Covered, now: Covered, snapshot: SnapshotReading): readonly Difference[] {
  const rows: Difference[] = [];
  const part = (what: string, before: string, after: string, values: readonly [unknown, unknown], more: readonly Difference[] = []): void => {
    if (before === after) return;
    const shown = [...differencesBetween(what, ...values), ...more];
    rows.push(...(shown.length > 0 ? shown : [{ what, approved: before.slice(0, 12), now: after.slice(0, 12) }]));
  };
  const [was, is] = [approved, now];
  part('study', was.subject.study_digest, is.subject.study_digest, [was.values.study, is.values.study]);
  part('experiment', was.subject.experiment_digest, is.subject.experiment_digest, [was.values.experiment, is.values.experiment]);
  part('contract', digest(was.subject.gates), digest(is.subject.gates), [was.values.gates, is.values.gates]);
  part('adapter', was.subject.adapter_digest, is.subject.adapter_digest, [was.values.adapter, is.values.adapter], rewardDifference(was.values.adapter, is.values.adapter));
  part('task', was.subject.task_digest, is.subject.task_digest, [was.values.task, is.values.task]);
  part(packageListName, was.subject.packages_digest, is.subject.packages_digest, [undefined, undefined]);
  rows.push(...snapshotDifferences(was.subject.snapshot, snapshot));
  if (rows.length === 0) part('what the approval covers', digest(was.subject), digest(is.subject), [undefined, undefined]);
  return capRows(rows);
}

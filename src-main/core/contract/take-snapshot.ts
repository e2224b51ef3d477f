// The copy of the task's code that every trial of a campaign runs from. Core rooms left of contract may import it.
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import type { ApprovalSubject } from '../../../src-protocol/files/approval.ts';
import { taskFile } from '../../../src-protocol/files/task.ts';
import type { Ports } from '../../ports.ts';
import { approvalPaths } from './approval-paths.ts';
import { approvedOrRefuse, type Approved } from './check-approval.ts';
import { notApproved } from './open-approval.ts';
import { copySnapshot, readCopy, snapshotDifferences } from './snapshot.ts';
import { namedPaths } from './snapshot-paths.ts';

/**
 * Copies what the approval covers read-only into runs/<study>/snapshot and gives that folder; a copy that is already there and right is
 * kept. The copied bytes are what is compared, so an edit between check and copy is noticed. Throws RefusalError: approval_lapsed.
 */
export async function takeSnapshot(ports: Pick<Ports, 'files' | 'git'>, root: string, { approval, approved }: Approved): Promise<string> {
  const { study, snapshot } = approval.subject;
  const folder = approvalPaths(root, study).snapshot;
  if ((await ports.files.stat(folder))?.kind === 'folder' && (await isCopyAsApproved(ports.files, root, approval.subject))) return folder;
  const named = namedPaths(taskFile.parse(approved.task), adapterFile.parse(approved.adapter));
  const copied = await copySnapshot(ports, { root, named, folder });
  const differences = snapshotDifferences(snapshot, copied);
  if (differences.length > 0) {
    await ports.files.remove(folder);
    approvedOrRefuse(notApproved('approval_lapsed', `The task's code changed since ${study} was approved.`, differences));
  }
  return folder;
}

/** Whether the copy is what `subject` covers; true as well when none was taken yet. */
export async function isCopyAsApproved(files: Ports['files'], root: string, subject: ApprovalSubject): Promise<boolean> {
  const folder = approvalPaths(root, subject.study).snapshot;
  const stat = await files.stat(folder);
  if (stat === null) return true;
  return stat.kind === 'folder' && snapshotDifferences(subject.snapshot, await readCopy(files, folder)).length === 0;
}

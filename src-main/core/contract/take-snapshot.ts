// The copy of the task's code that every trial of a campaign runs from. Core rooms left of contract may import it.
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { taskFile } from '../../../src-protocol/files/task.ts';
import type { Ports } from '../../ports.ts';
import { approvalPaths } from './approval-paths.ts';
import { approvedOrRefuse, type Approved } from './check-approval.ts';
import { no } from './open-approval.ts';
import { copySnapshot, readCopy, snapshotDifferences } from './snapshot.ts';
import { namedPaths } from './snapshot-paths.ts';

/**
 * Copies what the approval covers read-only into runs/<study>/snapshot and gives that folder; a copy that is already there and right is
 * kept. The copied bytes are what is compared, so an edit between check and copy is noticed. Throws RefusalError: approval_lapsed.
 */
export async function takeSnapshot(ports: Pick<Ports, 'files' | 'git'>, root: string, { approval, approved }: Approved): Promise<string> {
  const { study, snapshot } = approval.subject;
  const folder = approvalPaths(root, study).snapshot;
  if ((await ports.files.stat(folder))?.kind === 'folder' && snapshotDifferences(snapshot, await readCopy(ports.files, folder)).length === 0) return folder;
  const named = namedPaths(taskFile.parse(approved.task), adapterFile.parse(approved.adapter));
  const copied = await copySnapshot(ports, { root, named, folder });
  const differences = snapshotDifferences(snapshot, copied);
  if (differences.length > 0) {
    await ports.files.remove(folder);
    approvedOrRefuse(no('approval_lapsed', `The task's code changed since ${study} was approved.`, differences));
  }
  return folder;
}

// Moves the run of a study to runs/<study>.<time>, so that the name is free for another one. Core rooms left of contract may import it.
import { refuse } from '../../../src-protocol/refusal.ts';
import type { FileError, Ports } from '../../ports.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { archivedRunFolder, runPaths } from '../workspace/layout.ts';
import { carryApproval } from './carry-approval.ts';
import { heldRefusal, refuseWhileRunning } from './who-runs.ts';

/** The same under the campaign's own lock, so that no run is moved away under a campaign or its babysitter. Throws campaign_running as well. */
export async function setAsideAlone(ports: Ports, root: string, options: { readonly study: string; readonly by: string }): Promise<void> {
  await refuseWhileRunning(ports, root);
  const lock = await ports.locks.take(await ports.files.realPath(root), `start over ${options.study}`);
  if (!lock.held) throw await heldRefusal(ports, root, lock.holder);
  try {
    await setAside(ports, root, options);
  } finally {
    await lock.release();
  }
}

/** The approval stays in force. Nothing happens when there is no run. Throws RefusalError: unwritable, damaged. */
export async function setAside(ports: Ports, root: string, { study, by }: { readonly study: string; readonly by: string }): Promise<void> {
  const { folder, approval } = runPaths(root, study);
  if ((await ports.files.stat(folder)) === null) return;
  const hadApproval = (await ports.files.stat(approval)) !== null;
  const to = archivedRunFolder(root, study, ports.clock.wallMs());
  try {
    await ports.files.rename(folder, to);
  } catch (error) {
    const { code } = error as Partial<FileError>;
    if (code === undefined) throw error;
    refuse('unwritable', `${folder} cannot be set aside (${code}).`);
  }
  if (hadApproval) await carryApproval(ports, root, { study, fromFolder: to });
  await appendLedger(ports, root, { kind: 'archived', by, study, facts: { to: to.slice(root.length + 1) } });
}

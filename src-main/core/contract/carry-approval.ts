// An approval outlives the run it was given for when that run is set aside (`--fresh`). Core rooms left of contract may import it.
import path from 'node:path';
import type { Ports } from '../../ports.ts';
import { approvalPaths } from './approval-paths.ts';

/**
 * Copies the three files that say what was approved from a run that was set aside into a new runs/<study>/. The copied code stays behind,
 * so the new run starts from a check against the repository.
 */
export async function carryApproval(ports: Pick<Ports, 'files'>, root: string, options: { readonly study: string; readonly fromFolder: string }): Promise<void> {
  const to = approvalPaths(root, options.study);
  await ports.files.makeFolder(to.folder);
  for (const file of [to.approved, to.study, to.approval]) await ports.files.copyFile(path.join(options.fromFolder, path.basename(file)), file);
}

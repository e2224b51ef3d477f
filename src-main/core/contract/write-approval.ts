// Puts an approval in force: freezes what it covers, the ledger line, then the approval itself. This room only.
import { experimentsFile } from '../../../src-protocol/files/experiment.ts';
import type { ApprovalFile, ApprovedFile } from '../../../src-protocol/files/approval.ts';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { writeYamlEdit } from '../workspace/edit-file.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { readYamlFile } from '../workspace/read-file.ts';
import { approvalPaths } from './approval-paths.ts';

/**
 * Writes runs/<study>/: approved.json and study.yaml first, then what `record` writes into the ledger, then approval.json with the time of
 * that line. Killed anywhere in between, the study is not approved, or reads as lapsed if it was before.
 */
export async function putInForce(
  ports: Pick<Ports, 'files'>,
  root: string,
  parts: { readonly study: string; readonly studyBytes: Uint8Array; readonly approved: ApprovedFile },
  record: () => Promise<ApprovalFile>,
): Promise<ApprovalFile> {
  const paths = approvalPaths(root, parts.study);
  await ports.files.makeFolder(paths.folder);
  await ports.files.replaceFile(paths.approved, `${JSON.stringify(parts.approved, null, 2)}\n`);
  await ports.files.replaceFile(paths.study, parts.studyBytes);
  const approval = await record();
  await ports.files.replaceFile(paths.approval, `${JSON.stringify(approval, null, 2)}\n`);
  return approval;
}

/** experiments.yaml mirrors the approval. A file that cannot be edited keeps its status: the seal decides, not this. */
export async function mirrorInExperiments(ports: Pick<Ports, 'files' | 'log'>, root: string, approved: ApprovedFile): Promise<void> {
  const study = String(approved.experiment['study']);
  const file = projectPaths(root).experiments;
  const shownAs = shownPath(root, file);
  try {
    const { value } = await readYamlFile(ports.files, file, experimentsFile, { shownAs });
    const index = value.experiments.findIndex((one) => one.study === study);
    const { experiment } = approved;
    if (index < 0) {
      const added = { study, why: String(experiment['why'] ?? ''), evidence: [], status: 'approved' };
      await writeYamlEdit(ports.files, file, [{ path: ['experiments'], value: [...(value.experiments as unknown as Plain[]), added] }], { schema: experimentsFile, shownAs });
    } else await writeYamlEdit(ports.files, file, [{ path: ['experiments', index, 'status'], value: 'approved' }], { schema: experimentsFile, shownAs });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    ports.log.warn(`${shownAs} was not marked approved`, { study, why: error.message });
  }
}

// Whether an approval may be replaced: never under a running campaign, and never so that finished trials stand for something else. Core rooms left of contract may import it.
import { approvalFile, approvedFile } from '../../../src-protocol/files/approval.ts';
import type { GateName } from '../../../src-protocol/files/contract.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { searchDigest } from '../study/study-digest.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { approvalPaths } from './approval-paths.ts';
import { subjectOf, type Live } from './live.ts';
import type { ApprovalPorts } from './open-approval.ts';
import { whoRuns } from './who-runs.ts';
import { subjectDifferences } from './subject-differences.ts';

/** Gates that say how much may be spent and on what: raising them is an amendment and leaves finished trials as they are. */
export const amendableGates: readonly GateName[] = ['budget', 'hardware'];

/**
 * `unused`: no trial was finished under this name. `amended`: trials were, and only budgets changed. Throws RefusalError: campaign_running,
 * study_finished.
 */
export async function refuseWhileInUse(ports: ApprovalPorts, root: string, { study, live }: { readonly study: string; readonly live: Live }): Promise<'unused' | 'amended'> {
  const runner = await whoRuns(ports, root);
  if (runner?.holder.purpose === `campaign ${study}`) refuse('campaign_running', `The campaign of ${study} is running (process ${runner.holder.pid}); it keeps the approval it was started with.`);
  const paths = approvalPaths(root, study);
  const trials = await ports.files.stat(paths.trials);
  if (trials === null || trials.sizeBytes === 0) return 'unused';

  const approval = await tryJsonFile(ports.files, paths.approval, approvalFile);
  const approved = await tryJsonFile(ports.files, paths.approved, approvedFile);
  if (!approval.ok || !approved.ok) return refuse('study_finished', `${study} has finished trials, and the approval they ran under cannot be read.`);
  const now = withAmendable(live, approved.file);
  const differences = subjectDifferences({ values: approved.file, subject: approval.file.subject }, now, live.snapshot);
  if (differences.length === 0) return 'amended';
  return refuse('study_finished', `${study} has finished trials that would not stand for what you approve now.`, {
    differences,
    next: `Give the changed study a name of its own, or set its run aside and approve it with \`rlxp approve ${study} --fresh\`.`,
  });
}

/** The live values with what an amendment may change put back: those gates, and the study where it searches the same. */
function withAmendable(live: Live, before: Live['values']): Pick<Live, 'values' | 'subject'> {
  const gates = { ...live.values.gates };
  for (const gate of amendableGates) gates[gate] = before.gates[gate];
  const isSameSearch = searchDigest(studyFile.parse(live.values.study)) === searchDigest(studyFile.parse(before.study));
  const values = { ...live.values, gates, study: isSameSearch ? before.study : live.values.study };
  return { values, subject: subjectOf(live.subject.study, values, { snapshot: live.subject.snapshot, packages: live.subject.packages_digest }) };
}

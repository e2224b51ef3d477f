// Whether a study may run now: the gate that stands in dispatch, at the start of a campaign and before each trial. Core rooms left of contract may import it.
import type { ApprovalFile, ApprovedFile } from '../../../src-protocol/files/approval.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { digest } from '../provenance/canonical-json.ts';
import { shownPath } from '../workspace/layout.ts';
import { tryYamlFile } from '../workspace/read-file.ts';
import { approvalPaths } from './approval-paths.ts';
import { differencesBetween } from './differences.ts';
import { readLive, subjectOf, type Live } from './live.ts';
import { notApproved, openApproval, type ApprovalPorts, type Genuine, type NotApproved } from './open-approval.ts';
import { packagesDigest } from './packages.ts';
import { readCopy } from './snapshot.ts';
import { subjectDifferences } from './subject-differences.ts';

export type { ApprovalPorts, NotApproved } from './open-approval.ts';

export interface Approved {
  readonly ok: true;
  readonly approval: ApprovalFile;
  /** The values as they were approved: a running campaign uses these, not the files of the repository. */
  readonly approved: ApprovedFile;
  readonly agentsMayStart: boolean;
}

export type ApprovalCheck = Approved | NotApproved;

/** For any caller: a campaign that started is checked against its snapshot, any other against the repository as it is. */
export async function checkApproval(ports: ApprovalPorts, root: string, study: string): Promise<ApprovalCheck> {
  const hasStarted = (await ports.files.stat(approvalPaths(root, study).snapshot)) !== null;
  return hasStarted ? checkRunning(ports, root, study) : checkLive(ports, root, study);
}

/** Before a campaign starts: everything the approval covers must be in the repository as it was approved. */
export async function checkLive(ports: ApprovalPorts, root: string, study: string): Promise<ApprovalCheck> {
  const opened = await openApproval(ports, root, study);
  if (!opened.ok) return opened;
  let live: Live;
  try {
    live = await readLive(ports, root, study);
  } catch (error) {
    if (error instanceof RefusalError) return unreadable(study, error);
    throw error;
  }
  if (live.experimentStatus === 'withdrawn') return notApproved('approval_lapsed', `The experiment ${study} was withdrawn in experiments.yaml.`);
  const differences = subjectDifferences({ values: opened.approved, subject: opened.approval.subject }, live, live.snapshot);
  if (differences.length > 0) return notApproved('approval_lapsed', `Something changed since ${study} was approved.`, differences);
  const frozen = await readFrozen(ports, root, opened);
  return frozen.ok ? yes(opened) : frozen;
}

/**
 * Before each trial of a running campaign: the seal, the frozen values, the frozen study, the copied code and the package list. Edits of
 * the repository itself change nothing here.
 */
export async function checkRunning(ports: ApprovalPorts, root: string, study: string): Promise<ApprovalCheck> {
  const opened = await openApproval(ports, root, study);
  if (!opened.ok) return opened;
  const frozen = await readFrozen(ports, root, opened);
  if (!frozen.ok) return frozen;
  const { approval, approved } = opened;
  const paths = approvalPaths(root, study);
  if ((await ports.files.stat(paths.snapshot))?.kind !== 'folder') {
    return notApproved('approval_lapsed', `The copy of the task's code of ${study} is missing.`, [{ what: shownPath(root, paths.snapshot), approved: 'a folder', now: null }]);
  }
  const copy = await readCopy(ports.files, paths.snapshot);
  const adapter = adapterFile.parse(approved.adapter);
  const subject = subjectOf(study, approved, { snapshot: copy.entries, packages: await packagesDigest(ports, root, adapter) });
  const differences = subjectDifferences({ values: approved, subject: approval.subject }, { values: approved, subject }, copy);
  if (differences.length > 0) return notApproved('approval_lapsed', `What the campaign of ${study} runs on is not what was approved.`, differences);
  return yes(opened);
}

/** The frozen study must say what was approved: the campaign reads its stages from it. */
async function readFrozen(ports: ApprovalPorts, root: string, { approval, approved }: Genuine): Promise<NotApproved | { readonly ok: true }> {
  const { study, study_digest: approvedDigest } = approval.subject;
  const file = approvalPaths(root, study).study;
  const frozen = await tryYamlFile(ports.files, file, studyFile, { shownAs: shownPath(root, file) });
  if (!frozen.ok) return unreadable(study, new RefusalError(frozen.refusal));
  const value: unknown = JSON.parse(JSON.stringify(frozen.file.value));
  if (digest(value) === approvedDigest) return { ok: true };
  return notApproved('approval_lapsed', `${shownPath(root, file)} was edited: it is not the study that was approved.`, differencesBetween('study', approved.study, value));
}

/** Throws the RefusalError of an approval that does not hold; gives the approval otherwise. */
export function approvedOrRefuse(check: ApprovalCheck): Approved {
  if (check.ok) return check;
  const { code, text, differences } = check;
  throw new RefusalError(makeRefusal(code, text, differences.length === 0 ? {} : { differences }));
}

function yes({ approval, approved }: Genuine): Approved {
  return { ok: true, approval, approved, agentsMayStart: approval.agents_may_start };
}

function unreadable(study: string, { refusal }: RefusalError): NotApproved {
  const rows = (refusal.problems ?? []).map((problem) => ({
    what: problem.line === null ? problem.file : `${problem.file}:${problem.line}`,
    approved: 'as it was approved',
    now: problem.message,
  }));
  return notApproved('approval_lapsed', `Something ${study} was approved with cannot be read now: ${refusal.message}`, rows);
}

// Reads an approval and decides whether it is genuine, before anything is compared with it. Core rooms left of contract may import it to read what a run was approved with; what may run now is for check-approval.ts to say.
import path from 'node:path';
import { approvalFile, approvedFile, bundledApprovalFile, type ApprovalFile, type ApprovedFile } from '../../../src-protocol/files/approval.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { verifyLedger, type LedgerPorts, type LedgerReport } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { shownPath } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { approvalPaths, bundledApprovalPath } from './approval-paths.ts';
import { sealState } from './approval-seal.ts';
import { subjectOf } from './live.ts';
import { programFolder } from './packages.ts';

export type ApprovalPorts = LedgerPorts & Pick<Ports, 'node' | 'git'>;

/** An approval that does not hold, with the reason in one sentence. */
export interface NotApproved {
  readonly ok: false;
  readonly code: 'not_approved' | 'approval_lapsed' | 'approved_elsewhere' | 'damaged';
  readonly text: string;
  readonly differences: readonly Difference[];
}

export interface Genuine {
  readonly ok: true;
  readonly approval: ApprovalFile;
  readonly approved: ApprovedFile;
}

export async function openApproval(ports: ApprovalPorts, root: string, study: string): Promise<Genuine | NotApproved> {
  const paths = approvalPaths(root, study);
  if ((await ports.files.stat(paths.approval)) === null) return notApproved('not_approved', `The study ${study} has no approval.`);
  const shownAs = shownPath(root, paths.approval);
  const reading = await tryJsonFile(ports.files, paths.approval, approvalFile, { shownAs });
  if (!reading.ok) return notApproved('approval_lapsed', `The approval cannot be read: ${reading.refusal.message}`);
  const approval = reading.file;
  if (approval.subject.study !== study) return notApproved('approval_lapsed', `${shownAs} is an approval of the study ${approval.subject.study}, not of ${study}.`);
  if (digest(approval.subject) !== approval.digest) return edited(shownAs, 'its digest is not that of what it lists');

  const doubt = approval.kind === 'person' ? await doubtOfPerson(ports, approval, shownAs) : await doubtOfBundled(ports, root, study, approval);
  if (doubt !== null) return doubt;
  const ledger = await verifyLedger(ports, root);
  if (!ledger.ok) return notApproved('damaged', ledger.text);
  if (!isInLedger(ledger, approval)) return notApproved('approval_lapsed', `The ledger holds no line of this approval of ${study}.`);

  const values = await tryJsonFile(ports.files, paths.approved, approvedFile, { shownAs: shownPath(root, paths.approved) });
  if (!values.ok) return notApproved('approval_lapsed', `What was approved cannot be read: ${values.refusal.message}`);
  const { snapshot, packages_digest: packages } = approval.subject;
  if (digest(subjectOf(study, values.file, { snapshot, packages })) !== approval.digest) return edited(shownPath(root, paths.approved), 'its values are not those that were approved');
  return { ok: true, approval, approved: values.file };
}

export function notApproved(code: NotApproved['code'], text: string, differences: readonly Difference[] = []): NotApproved {
  return { ok: false, code, text, differences };
}

function edited(file: string, why: string): NotApproved {
  return notApproved('approval_lapsed', `${file} was edited: ${why}.`, [{ what: file, approved: 'as it was written', now: 'edited' }]);
}

async function doubtOfPerson(ports: ApprovalPorts, approval: ApprovalFile, shownAs: string): Promise<NotApproved | null> {
  switch (sealState(await ports.secrets.machineKey(), approval)) {
    case 'valid':
      return null;
    case 'foreign':
      return notApproved('approved_elsewhere', `The study ${approval.subject.study} was approved by ${approval.by} on another machine.`);
    case 'broken':
      return edited(shownAs, 'its seal does not hold');
  }
}

/** A bundled example needs no seal: it lies among the program's own examples and is, value for value, the approval shipped with it. */
async function doubtOfBundled(ports: ApprovalPorts, root: string, study: string, approval: ApprovalFile): Promise<NotApproved | null> {
  if (!(await isBundledExample(ports, root))) return notApproved('approval_lapsed', `An approval shipped with an example counts only inside the program's own examples folder.`);
  const file = bundledApprovalPath(root, study);
  const shipped = await tryJsonFile(ports.files, file, bundledApprovalFile, { shownAs: shownPath(root, file) });
  if (!shipped.ok) return notApproved('approval_lapsed', `The approval shipped with this example cannot be read: ${shipped.refusal.message}`);
  if (digest(shipped.file.approval) !== digest(approval)) return edited('approval.json', 'it is not the one shipped with this example');
  return null;
}

export async function isBundledExample(ports: Pick<Ports, 'files' | 'node'>, root: string): Promise<boolean> {
  const examples = path.join(programFolder(ports), 'examples');
  if ((await ports.files.stat(examples))?.kind !== 'folder') return false;
  const inside = path.relative(await ports.files.realPath(examples), await ports.files.realPath(root));
  return inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside);
}

function isInLedger(ledger: LedgerReport, approval: ApprovalFile): boolean {
  return ledger.lines.some(
    (line) => (line.kind === 'experiment_approved' || line.kind === 'amendment') && line.study === approval.subject.study && line.facts['digest'] === approval.digest,
  );
}

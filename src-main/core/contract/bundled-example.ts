// The approval that a bundled example is shipped with: how it is made, and how a person takes it on as a visible step. Core rooms left of contract may import it.
import path from 'node:path';
import { bundledApprovalFile, type ApprovalFile, type BundledApprovalFile } from '../../../src-protocol/files/approval.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';
import { makeRefusal, refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import { adoptLedger, appendLedger } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { shownPath } from '../workspace/layout.ts';
import { readJsonFile, tryJsonFile } from '../workspace/read-file.ts';
import { approvalPaths, bundledApprovalPath } from './approval-paths.ts';
import { refuseWhileInUse } from './approval-in-use.ts';
import { checkApproval } from './check-approval.ts';
import { editContract, type GateEdit } from './contract-file.ts';
import { underLock } from './gate-changes.ts';
import { readLive, type Live } from './live.ts';
import { isBundledExample, type ApprovalPorts } from './open-approval.ts';
import { subjectDifferences } from './subject-differences.ts';
import { isCopyAsApproved } from './take-snapshot.ts';
import { putInForce } from './write-approval.ts';

const by = 'rlxp (bundled example)';

/**
 * Copies the shipped approval into runs/<study>/, with a ledger line, after checking that everything it covers is as shipped. Taking it on
 * twice writes once. Throws RefusalError: not_approved (no such approval, or not one of the program's own examples), approval_lapsed.
 */
export async function acceptBundledExample(ports: ApprovalPorts, root: string, study: string): Promise<ApprovalFile> {
  const shipped = await readShipped(ports, root, study);
  return underLock(ports, root, async () => {
    const already = await checkApproval(ports, root, study);
    if (already.ok && already.approval.digest === shipped.approval.digest) return already.approval;
    const live = await readAsShipped(ports, root, study, shipped);
    const use = await refuseWhileInUse(ports, root, { study, live });
    await adoptLedger(ports, root, by);
    const approval = await putInForce(ports, root, { study, studyBytes: live.studyBytes, approved: shipped.approved }, async () => {
      const { subject, digest: approved, kind } = shipped.approval;
      const facts = { digest: approved, kind, files: subject.snapshot.length, gates: { ...subject.gates } };
      await appendLedger(ports, root, { kind: 'experiment_approved', by, study, facts });
      return shipped.approval;
    });
    if (use === 'unused' || !(await isCopyAsApproved(ports.files, root, live.subject))) await ports.files.remove(approvalPaths(root, study).snapshot);
    return approval;
  });
}

/** Throws RefusalError (not_approved, approval_lapsed) unless the example is exactly as it was shipped. Changes nothing. */
export async function requireAsShipped(ports: ApprovalPorts, root: string, study: string): Promise<void> {
  await readAsShipped(ports, root, study, await readShipped(ports, root, study));
}

async function readAsShipped(ports: ApprovalPorts, root: string, study: string, shipped: BundledApprovalFile): Promise<Live> {
  const live = await readLive(ports, root, study);
  const differences = subjectDifferences({ values: shipped.approved, subject: shipped.approval.subject }, live, live.snapshot);
  if (differences.length === 0) return live;
  throw new RefusalError(makeRefusal('approval_lapsed', `The example is not as it was shipped, so its approval does not hold.`, {
    differences,
    next: `Undo the change, or confirm the gates and approve it yourself with \`rlxp approve ${study}\`.`,
  }));
}

/** Whether `root` is one of the program's own examples and ships an approval of `study`. */
export async function hasBundledApproval(ports: ApprovalPorts, root: string, study: string): Promise<boolean> {
  return (await isBundledExample(ports, root)) && (await ports.files.stat(bundledApprovalPath(root, study))) !== null;
}

/**
 * For the program's developers: approves an example as it is now and writes .rlxp/approvals/<study>.json, with the gates marked confirmed
 * in contract.yaml. An approval that already covers exactly this is left untouched, so that running it again changes nothing.
 */
export async function makeBundledApproval(ports: ApprovalPorts, root: string, study: string): Promise<BundledApprovalFile> {
  const file = bundledApprovalPath(root, study);
  const at = new Date(ports.clock.wallMs()).toISOString();
  return underLock(ports, root, async () => {
    const live = await readLive(ports, root, study);
    const empty = gateNames.filter((gate) => live.contract.gates[gate].value === null);
    if (empty.length > 0) refuse('gate_missing', `These gates have no value: ${empty.join(', ')}.`);
    if (live.snapshot.problems.length > 0) refuse('invalid_file', live.snapshot.problems.map((one) => `${one.path} ${one.what}`).join('; '));
    const stale = gateNames.filter((gate) => live.contract.gates[gate].confirmed?.digest !== live.subject.gates[gate] || live.contract.gates[gate].status !== 'confirmed');
    const edits = stale.map((gate): [typeof gate, GateEdit] => [gate, { status: 'confirmed', confirmed: { by, at, digest: live.subject.gates[gate] } }]);
    if (edits.length > 0) await editContract(ports.files, root, new Map(edits));

    const before = await tryJsonFile(ports.files, file, bundledApprovalFile);
    if (before.ok && before.file.approval.digest === digest(live.subject) && digest(before.file.approved) === digest(live.values)) return before.file;
    const approval = { schema: 1, kind: 'bundled-example', by, at, agents_may_start: false, subject: live.subject, digest: digest(live.subject), machine: null, seal: null };
    const made = bundledApprovalFile.parse({ schema: 1, approval, approved: live.values });
    await ports.files.makeFolder(path.dirname(file));
    await ports.files.replaceFile(file, `${JSON.stringify(made, null, 2)}\n`);
    return made;
  });
}

async function readShipped(ports: ApprovalPorts, root: string, study: string): Promise<BundledApprovalFile> {
  if (!(await hasBundledApproval(ports, root, study))) return refuse('not_approved', `${study} is no study that an example of this program ships an approval for.`);
  const file = bundledApprovalPath(root, study);
  return readJsonFile(ports.files, file, bundledApprovalFile, { shownAs: shownPath(root, file) });
}

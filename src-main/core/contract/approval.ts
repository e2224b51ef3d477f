// A person approves a study: everything it rests on is digested, frozen and sealed. Core rooms left of contract may import it.
import { approvalFile, type ApprovalFile } from '../../../src-protocol/files/approval.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { makeRefusal, refuse, RefusalError, type Problem } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { appendLedger, verifyLedger } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { approvalPaths } from './approval-paths.ts';
import { sealApproval } from './approval-seal.ts';
import { refuseWhileInUse } from './approval-in-use.ts';
import { underLock } from './gate-changes.ts';
import { viewGates, type GateView } from './gates.ts';
import { readLive, type Live } from './live.ts';
import type { ApprovalPorts } from './open-approval.ts';
import { mirrorInExperiments, putInForce } from './write-approval.ts';

export type ApprovePorts = ApprovalPorts & Pick<Ports, 'log'>;

export interface ApproveOptions {
  readonly study: string;
  /** Name of the person. */
  readonly by: string;
  readonly agentsMayStart: boolean;
  /** Digest of the subject that the person was shown; refused when it is another by now. */
  readonly digest?: string;
}

/**
 * Seals an approval into runs/<study>/. Throws RefusalError: gate_missing (with every gate that stands in the way), invalid_file, not_found,
 * approval_lapsed (another subject was shown), campaign_running, study_finished, damaged.
 */
export async function approve(ports: ApprovePorts, root: string, options: ApproveOptions): Promise<ApprovalFile> {
  return underLock(ports, root, async () => {
    const { study, by } = options;
    const live = await readApprovable(ports, root, study);
    const subjectDigest = digest(live.subject);
    if (options.digest !== undefined && options.digest !== subjectDigest) {
      refuse('approval_lapsed', `Something changed since ${study} was shown; nothing was approved.`, { next: `Look again with \`rlxp approval check ${study}\`, then approve.` });
    }
    const use = await refuseWhileInUse(ports, root, { study, live });
    const approval = await putInForce(ports, root, { study, studyBytes: live.studyBytes, approved: live.values }, async () => {
      const kind = use === 'amended' ? 'amendment' : 'experiment_approved';
      const facts = { digest: subjectDigest, agents_may_start: options.agentsMayStart, files: live.subject.snapshot.length };
      const line = await appendLedger(ports, root, { kind, by, study, facts });
      const unsealed = { digest: subjectDigest, kind: 'person' as const, by, at: line.at, agents_may_start: options.agentsMayStart };
      return approvalFile.parse({ schema: 1, ...unsealed, subject: live.subject, ...sealApproval(await ports.secrets.machineKey(), unsealed) });
    });
    if (use === 'unused') await ports.files.remove(approvalPaths(root, study).snapshot);
    await mirrorInExperiments(ports, root, study);
    return approval;
  });
}

/** Everything as it is now, if a person could approve it: all eight gates confirmed, naming this study, and every file covered. */
export async function readApprovable(ports: ApprovalPorts, root: string, study: string): Promise<Live> {
  const live = await readLive(ports, root, study);
  const gates = viewGates(live.contract, await linesToTrust(ports, root));
  const shownAs = shownPath(root, projectPaths(root).contract);
  const problems = [...gates.flatMap((gate) => openGate(gate, shownAs)), ...crossChecks(live, study, shownAs)];
  if (problems.length > 0) {
    throw new RefusalError(makeRefusal('gate_missing', `The contract is not ready for ${study}: ${problems.map((one) => one.message).join('; ')}.`, { problems, next: problems[0]?.fix ?? '' }));
  }
  if (live.experimentStatus === 'withdrawn') refuse('not_found', `The experiment ${study} was withdrawn in experiments.yaml.`, { next: 'Set its status to `proposed` again, or write another study.' });
  if (live.snapshot.problems.length > 0) {
    refuse('invalid_file', `Some of the task's code cannot be covered by an approval.`, {
      problems: live.snapshot.problems.map((one) => ({ file: one.path, line: null, column: null, message: `${one.path} ${one.what}`, fix: 'Correct the task\'s `entry` or `snapshot`, or the file itself.' })),
    });
  }
  return live;
}

/** None of a ledger that this machine did not seal: its gates have to be confirmed here. */
async function linesToTrust(ports: ApprovalPorts, root: string): Promise<readonly LedgerLine[]> {
  const { ok, state, text, lines } = await verifyLedger(ports, root);
  if (ok) return lines;
  return state === 'sealed_elsewhere' || state === 'head_missing' ? [] : refuse('damaged', text);
}

function openGate(gate: GateView, file: string): readonly Problem[] {
  if (gate.state === 'confirmed') return [];
  const fix = gate.state === 'missing' ? `Give it a value with \`rlxp contract set ${gate.gate} --value JSON\`, then confirm it.` : `Confirm it with \`rlxp contract confirm ${gate.gate}\`.`;
  return [{ file, line: null, column: null, message: `the gate ${gate.gate} ${gate.text}`, fix }];
}

/** The contract must be about this very study and its task. */
function crossChecks({ contract, values }: Live, study: string, file: string): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (gate: string, named: string, wanted: string): void => {
    problems.push({ file, line: null, column: null, message: `the gate ${gate} names ${named}, and this is ${wanted}`, fix: `Set the gate ${gate} to ${wanted} and confirm it.` });
  };
  const named = contract.gates.experiment.value?.study;
  if (named !== undefined && named !== study) add('experiment', named, study);
  const task = (values.study['base'] as { readonly task?: string } | undefined)?.task ?? '';
  const agreed = contract.gates.task.value?.task;
  if (agreed !== undefined && agreed !== task) add('task', agreed, task);
  return problems;
}

// A person approves one doctor of a study, and whether such an approval still holds. Core rooms left of contract may import it.
import { doctorApprovalFile, doctorGates, type DoctorApprovalFile } from '../../../src-protocol/files/doctor.ts';
import { refuse, RefusalError, makeRefusal, type Difference, type Problem } from '../../../src-protocol/refusal.ts';
import { appendLedger, linesThatCount, verifyLedger, type LedgerReport } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { isSealOf, machineMark, makeSeal } from '../provenance/seal.ts';
import { doctorPaths, projectPaths, shownPath } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { rewardDifference } from './adapter-digest.ts';
import { hasBundledApproval, requireAsShipped } from './bundled-example.ts';
import { capRows, differencesBetween } from './differences.ts';
import { readDoctorLive, valueDigests, type DoctorLive } from './doctor-subject.ts';
import { underLock } from './gate-changes.ts';
import { viewGates } from './gates.ts';
import type { ApprovalPorts } from './open-approval.ts';
import { snapshotDifferences } from './snapshot.ts';
import { packageListName } from './packages.ts';

const domain = 'rlxp doctor approval v1';

export interface ApproveDoctorOptions {
  readonly study: string;
  /** Name of the person. */
  readonly by: string;
  readonly agentsMayStart: boolean;
  /** Null: those of the screen stage. */
  readonly timesteps: number | null;
  /** Digest of what the person was shown; refused when it is another by now. */
  readonly digest?: string;
}

/**
 * Seals an approval into doctor/<study>/; asked for twice before it is used, it gives the one that stands. Throws RefusalError:
 * gate_missing (each gate that stands in the way), approval_lapsed (something else was shown), damaged, and what loading a study throws.
 */
export async function approveDoctor(ports: ApprovalPorts, root: string, options: ApproveDoctorOptions): Promise<{ readonly approval: DoctorApprovalFile; readonly live: DoctorLive }> {
  return underLock(ports, root, async () => {
    const { study, by } = options;
    const live = await readDoctorApprovable(ports, root, options);
    const subjectDigest = digest(live.subject);
    if (options.digest !== undefined && options.digest !== subjectDigest) {
      refuse('approval_lapsed', `Something changed since the doctor of ${study} was shown; nothing was approved.`, { next: `Look again with \`rlxp doctor show ${study}\`, then approve.` });
    }
    const standing = await checkDoctorApproval(ports, root, study);
    if (standing.state === 'valid' && standing.approval.digest === subjectDigest && standing.approval.agents_may_start === options.agentsMayStart) return { approval: standing.approval, live };
    const facts = { digest: subjectDigest, agents_may_start: options.agentsMayStart, allows: live.subject.allows, timesteps: live.timesteps };
    const line = await appendLedger(ports, root, { kind: 'doctor_approved', by, study, facts });
    const sealed = { digest: subjectDigest, by, at: line.at, agents_may_start: options.agentsMayStart };
    const key = await ports.secrets.machineKey();
    const approval = doctorApprovalFile.parse({ schema: 1, ...sealed, subject: live.subject, machine: machineMark(key), seal: makeSeal(key, domain, sealedFields(sealed)), approved: live.values });
    const paths = doctorPaths(root, study);
    await ports.files.makeFolder(paths.folder);
    await ports.files.replaceFile(paths.approval, `${JSON.stringify(approval, null, 2)}\n`);
    return { approval, live };
  });
}

/** What would be approved now; refused while a gate it rests on is open or some code cannot be covered. */
export async function readDoctorApprovable(ports: ApprovalPorts, root: string, of: Pick<ApproveDoctorOptions, 'study' | 'timesteps'>): Promise<DoctorLive> {
  const live = await readDoctorLive(ports, root, { ...of, looksForPrograms: true });
  const ledger = await verifyLedger(ports, root);
  if (!ledger.ok && ledger.state !== 'sealed_elsewhere' && ledger.state !== 'head_missing') refuse('damaged', ledger.text);
  const file = shownPath(root, projectPaths(root).contract);
  const open = viewGates(live.study.contract, ledger.ok ? ledger.lines : []).filter((gate) => doctorGates.some((one) => one === gate.gate) && gate.state !== 'confirmed');
  const problems = open.map(({ gate, state, text }): Problem => ({
    ...{ file, line: null, column: null, message: `the gate ${gate} ${text}` },
    fix: state === 'missing' ? `Give it a value with \`rlxp contract set ${gate} --value JSON\`, then confirm it.` : `Confirm it with \`rlxp contract confirm ${gate}\`.`,
  }));
  if (problems.length > 0) refuse('gate_missing', `The doctor of ${of.study} rests on gates that are not confirmed: ${open.map((gate) => gate.gate).join(', ')}.`, { problems, next: problems[0]?.fix ?? '' });
  if (live.snapshot.problems.length > 0) {
    const uncovered = live.snapshot.problems.map(({ path, what }): Problem => ({ file: path, line: null, column: null, message: `${path} ${what}`, fix: 'Correct the task\'s `entry` or `snapshot`, or the file itself.' }));
    refuse('invalid_file', 'Some of the task\'s code cannot be covered by an approval.', { problems: uncovered });
  }
  return live;
}

export type DoctorApprovalCheck =
  | { readonly state: 'valid'; readonly approval: DoctorApprovalFile; readonly live: DoctorLive }
  | { readonly state: 'none' | 'used' | 'lapsed' | 'elsewhere' | 'damaged'; readonly text: string; readonly differences: readonly Difference[] };

/** Reads everything again: seal, ledger, and every value and byte it covers. */
export async function checkDoctorApproval(ports: ApprovalPorts, root: string, study: string): Promise<DoctorApprovalCheck> {
  const { approval: file } = doctorPaths(root, study);
  const no = (state: Exclude<DoctorApprovalCheck['state'], 'valid'>, text: string, differences: readonly Difference[] = []) => ({ state, text, differences });
  if ((await ports.files.stat(file)) === null) return no('none', `No doctor of ${study} is approved.`);
  const shownAs = shownPath(root, file);
  const reading = await tryJsonFile(ports.files, file, doctorApprovalFile, { shownAs });
  if (!reading.ok) return no('lapsed', `The doctor's approval cannot be read: ${reading.refusal.message}`);
  const approval = reading.file;
  const key = await ports.secrets.machineKey();
  if (approval.machine !== machineMark(key)) return no('elsewhere', `The doctor of ${study} was approved by ${approval.by} on another machine.`);
  const isWhole = approval.subject.study === study && digest(approval.subject) === approval.digest && digest({ ...approval.subject, ...valueDigests(approval.approved) }) === approval.digest;
  if (!isWhole || !isSealOf(approval.seal, key, domain, sealedFields(approval))) return no('lapsed', `${shownAs} was edited: its seal does not hold.`, [{ what: shownAs, approved: 'as it was written', now: 'edited' }]);
  const ledger = await verifyLedger(ports, root);
  if (!ledger.ok) return no('damaged', ledger.text);
  const lines = linesThatCount(ledger.lines).filter((line) => line.study === study);
  if (!lines.some((line) => line.kind === 'doctor_approved' && line.facts['digest'] === approval.digest && line.at === approval.at)) return no('lapsed', `The ledger holds no line of this approval of a doctor of ${study}.`);
  if (isUsed(lines, approval)) return no('used', `The doctor that ${approval.by} approved at ${approval.at} has been run; one approval is for one doctor.`);
  return compareWithLive(ports, root, approval);
}

async function compareWithLive(ports: ApprovalPorts, root: string, approval: DoctorApprovalFile): Promise<DoctorApprovalCheck> {
  const { study, timesteps } = approval.subject;
  let live: DoctorLive;
  try {
    live = await readDoctorLive(ports, root, { study, timesteps });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const rows = (error.refusal.problems ?? []).map((one) => ({ what: one.line === null ? one.file : `${one.file}:${one.line}`, approved: 'as it was approved', now: one.message }));
    return { state: 'lapsed', text: `Something the doctor of ${study} was approved with cannot be read now: ${error.refusal.message}`, differences: rows };
  }
  if (digest(live.subject) === approval.digest && live.snapshot.problems.length === 0) return { state: 'valid', approval, live };
  return { state: 'lapsed', text: `Something changed since the doctor of ${study} was approved.`, differences: differencesOf(approval, live) };
}

function differencesOf(approval: DoctorApprovalFile, live: DoctorLive): readonly Difference[] {
  const { approved } = approval;
  const rows = [
    ...differencesBetween('trial', approved.trial, live.values.trial),
    ...differencesBetween('contract', approved.gates, live.values.gates),
    ...differencesBetween('adapter', approved.adapter, live.values.adapter),
    ...rewardDifference(approved.adapter, live.values.adapter),
    ...differencesBetween('task', approved.task, live.values.task),
    ...snapshotDifferences(approval.subject.snapshot, live.snapshot),
  ];
  const [was, is] = [approval.subject.packages_digest, live.subject.packages_digest];
  if (was !== is) rows.push({ what: packageListName, approved: was.slice(0, 12), now: is.slice(0, 12) });
  return capRows(rows);
}

function isUsed(lines: LedgerReport['lines'], approval: Pick<DoctorApprovalFile, 'digest' | 'at'>): boolean {
  return lines.some((line) => line.kind === 'doctor_started' && line.facts['digest'] === approval.digest && line.facts['approved_at'] === approval.at);
}

/** What lets a doctor run: a person's approval, or that a bundled example is as it was shipped. */
export interface DoctorPermission {
  readonly kind: 'person' | 'bundled-example';
  readonly by: string;
  readonly digest: string;
  /** Null for a bundled example, whose approval is not used up. */
  readonly approvedAt: string | null;
  readonly agentsMayStart: boolean;
  readonly live: DoctorLive;
}

/**
 * A bundled example is shipped with an approval of its whole study, which covers every byte a doctor uses, and counts only inside the
 * program's own examples. Throws RefusalError: not_approved, approval_lapsed, approved_elsewhere, damaged, and what loading a study throws.
 */
export async function requireDoctorPermission(ports: ApprovalPorts, root: string, study: string): Promise<DoctorPermission> {
  const check = await checkDoctorApproval(ports, root, study);
  if (check.state === 'valid') {
    const { by, digest: of, at, agents_may_start } = check.approval;
    return { kind: 'person', by, digest: of, approvedAt: at, agentsMayStart: agents_may_start, live: check.live };
  }
  if (check.state === 'none' && (await hasBundledApproval(ports, root, study))) {
    await requireAsShipped(ports, root, study);
    const live = await readDoctorLive(ports, root, { study, timesteps: null });
    return { kind: 'bundled-example', by: 'rlxp (bundled example)', digest: digest(live.subject), approvedAt: null, agentsMayStart: false, live };
  }
  // What is wrong with the study itself comes before the wish for an approval of it.
  if (check.state !== 'damaged') await readDoctorLive(ports, root, { study, timesteps: null });
  const codes = { none: 'not_approved', used: 'not_approved', lapsed: 'approval_lapsed', elsewhere: 'approved_elsewhere', damaged: 'damaged' } as const;
  const next = check.state === 'damaged' ? {} : { next: `Run \`rlxp doctor approve ${study}\` in a terminal.` };
  throw new RefusalError(makeRefusal(codes[check.state], check.text, { ...next, ...(check.differences.length === 0 ? {} : { differences: check.differences }) }));
}

function sealedFields(approval: Pick<DoctorApprovalFile, 'digest' | 'by' | 'at' | 'agents_may_start'>): readonly unknown[] {
  return [approval.digest, approval.by, approval.at, approval.agents_may_start];
}

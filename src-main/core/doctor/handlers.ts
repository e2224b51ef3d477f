// The tools doctor_approve, doctor_run and doctor_show, and what dispatch asks before a doctor spends. The workbench imports it.
import { doctorGates, doctorReport, type DoctorReport } from '../../../src-protocol/files/doctor.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Ports } from '../../ports.ts';
import { requireRepository } from '../campaign/read-campaign.ts';
import { hasBundledApproval } from '../contract/bundled-example.ts';
import { approveDoctor, checkDoctorApproval, readDoctorApprovable, requireDoctorPermission } from '../contract/doctor-approval.ts';
import { readDoctorLive, type DoctorLive } from '../contract/doctor-subject.ts';
import { readGates } from '../contract/gate-changes.ts';
import { shownStatus } from '../contract/handlers.ts';
import type { Handler, RequireApproval } from '../dispatch/handler.ts';
import { digest } from '../provenance/canonical-json.ts';
import { doctorPaths, doctorRunPaths } from '../workspace/layout.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { findCheckpointToJudge } from './evaluate-checkpoint.ts';
import { startDoctor } from './start-doctor.ts';

/** For dispatch: whether a doctor of this study may spend. */
export function makeRequireDoctorApproval(ports: Ports): RequireApproval {
  return async ({ root, study }) => {
    await requireRepository(ports, root);
    return { agentsMayStart: (await requireDoctorPermission(ports, root, study)).agentsMayStart };
  };
}

export const doctorApprove: Handler<'doctor_approve'> = async ({ root, study, timesteps, agents_may_start, digest: shown }, { ports, caller }) => {
  await requireRepository(ports, root);
  const options = { study, by: caller.by, agentsMayStart: agents_may_start, timesteps: timesteps ?? null, ...(shown === undefined ? {} : { digest: shown }) };
  const { approval, live } = await approveDoctor(ports, root, options);
  const { by, at, digest: of, subject } = approval;
  return { study, by, at, digest: of, allows: subject.allows, timesteps: live.timesteps, agents_may_start: approval.agents_may_start, files: subject.snapshot.length };
};

export const doctorRun: Handler<'doctor_run'> = async ({ root, study, eval_only, checkpoint }, { ports, signal }) => {
  if (eval_only && checkpoint === undefined) refuse('bad_input', 'eval_only needs a checkpoint.', { problems: [{ file: 'checkpoint', line: null, column: null, message: 'is missing', fix: 'Name the file to evaluate.' }] });
  if (!eval_only && checkpoint !== undefined) refuse('bad_input', 'A checkpoint is only evaluated with eval_only.', { problems: [{ file: 'eval_only', line: null, column: null, message: 'is missing beside a checkpoint', fix: 'Give both, or neither to train.' }] });
  if (checkpoint !== undefined) await findCheckpointToJudge(ports.files, root, checkpoint);
  return startDoctor(ports, { root, study, checkpoint: checkpoint ?? null, signal });
};

export const doctorShow: Handler<'doctor_show'> = async ({ root, study, timesteps }, { ports }) => {
  await requireRepository(ports, root);
  const live = await readDoctorLive(ports, root, { study, timesteps: timesteps ?? null });
  return { study, would: await wouldDo(ports, root, live), digest: await digestToApprove(ports, root, { study, timesteps: timesteps ?? null }), approval: await showApproval(ports, root, study), report: await readLastReport(ports, root, study) };
};

async function wouldDo(ports: Ports, root: string, { study, timesteps, subject }: DoctorLive): Promise<OutputOf<'doctor_show'>['would']> {
  const { adapter, baseline, base } = study;
  const gates = (await readGates(ports, root)).flatMap((gate) => doctorGates.filter((one) => one === gate.gate).map((name) => ({ gate: name, status: shownStatus(gate.state), value: study.contract.gates[name].value })));
  const argv = adapter.framework === 'bundled' ? ['node', 'train.js', '{trial_json}'] : [...(adapter.python ?? []), ...(adapter.train ?? [])];
  return { allows: subject.allows, timesteps, num_envs: baseline.num_envs, device: base.devices[0], seed: base.seed, argv, files: subject.snapshot.length, gates };
}

/** Null while something stands in the way. */
async function digestToApprove(ports: Ports, root: string, of: { readonly study: string; readonly timesteps: number | null }): Promise<string | null> {
  try {
    return digest((await readDoctorApprovable(ports, root, of)).subject);
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

async function showApproval(ports: Ports, root: string, study: string): Promise<OutputOf<'doctor_show'>['approval']> {
  const check = await checkDoctorApproval(ports, root, study);
  if (check.state === 'valid') return { state: 'valid', text: `${check.approval.by} approved one doctor of ${study} at ${check.approval.at}; it has not been run.`, differences: [] };
  if (check.state === 'none' && (await hasBundledApproval(ports, root, study))) return { state: 'bundled', text: 'It runs on the approval that this example is shipped with, as long as every file is as shipped.', differences: [] };
  return { state: check.state === 'damaged' ? 'lapsed' : check.state, text: check.text, differences: [...check.differences] };
}

/** Of the doctor that was started last among those that came to a report. */
async function readLastReport(ports: Ports, root: string, study: string): Promise<DoctorReport | null> {
  const runs = await ports.files.list(doctorPaths(root, study).folder);
  for (const run of runs.toReversed()) {
    const { report } = doctorRunPaths(root, study, run);
    if ((await ports.files.stat(report)) !== null) return readJsonFile(ports.files, report, doctorReport);
  }
  return null;
}

// One doctor from lock to report. Imported by the doctor's entry only. Rules: docs/specs/doctor.md.
import { doctorLimitS, type DoctorFinding, type DoctorMeasured, type DoctorReport } from '../../../src-protocol/files/doctor.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Ports } from '../../ports.ts';
import { findSecrets, makeRedactor } from '../../redaction/redactor.ts';
import { tagKey } from '../campaign/open-campaign.ts';
import { endStrays } from '../campaign/strays.ts';
import { checkDoctorLaunch, takeDoctorCopy } from '../contract/doctor-copy.ts';
import { requireDoctorPermission, type DoctorPermission } from '../contract/doctor-approval.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { finishManifest, startManifest } from '../provenance/manifest.ts';
import { doctorPaths, doctorRunPaths, runPaths, type DoctorRunPaths } from '../workspace/layout.ts';
import { evaluateCheckpoint, findCheckpointToJudge } from './evaluate-checkpoint.ts';
import { settleDoctors } from './settle-doctors.ts';
import { trainBaseline } from './train-baseline.ts';

export interface RunDoctorOptions {
  readonly ports: Ports;
  readonly root: string;
  readonly study: string;
  /** Name of its folder. */
  readonly run: string;
  /** Evaluates this file of the repository instead of training; null trains. */
  readonly checkpoint: string | null;
  /** Aborts when the doctor is to end. */
  readonly signal: AbortSignal;
}

/** What every part of a doctor works with. */
export interface Doctor extends RunDoctorOptions {
  readonly permission: DoctorPermission;
  readonly paths: DoctorRunPaths;
  /** Tags of its processes begin with it. */
  readonly tagPrefix: string;
  readonly leftMs: () => number;
  /** Throws a refusal when something may not start now. */
  readonly checkLaunch: () => Promise<void>;
  readonly redact: (text: string) => string;
}

export interface Examined {
  readonly findings: readonly DoctorFinding[];
  readonly measured: DoctorMeasured;
  readonly evaluation: DoctorReport['evaluation'];
  readonly checkpoint: DoctorReport['checkpoint'];
}

/** Throws RefusalError: campaign_running, cancelled, no_checkpoint, and what the permission refuses. */
export async function runDoctor(options: RunDoctorOptions): Promise<DoctorReport> {
  const { ports, root, study } = options;
  const lock = await ports.locks.take(await ports.files.realPath(root), `doctor ${study}`);
  if (!lock.held) return refuse('campaign_running', `${lock.holder?.purpose ?? 'Another process'} (process ${lock.holder?.pid ?? 'unknown'}) is working on this repository.`);
  try {
    const permission = await requireDoctorPermission(ports, root, study);
    const key = await tagKey(ports, root, study);
    await endStrays(ports, runPaths(root, study), key);
    await settleDoctors(ports, doctorPaths(root, study).folder);
    return await runLocked(await prepare({ ...options, permission, key }));
  } finally {
    await lock.release();
  }
}

/** Everything that may still refuse comes before the approval is used up. */
async function prepare(options: RunDoctorOptions & { readonly permission: DoctorPermission; readonly key: string }): Promise<Doctor> {
  const { ports, root, study, permission, run } = options;
  const paths = doctorRunPaths(root, study, run);
  if ((await ports.files.stat(paths.folder)) !== null) refuse('already_exists', `The doctor ${run} of ${study} was run before.`);
  if (options.checkpoint !== null) await findCheckpointToJudge(ports.files, root, options.checkpoint);
  await ports.files.makeFolder(paths.folder);
  await takeDoctorCopy(ports, root, { permission, folder: paths.snapshot });
  const endMs = ports.clock.monotonicMs() + doctorLimitS * 1000;
  return {
    ...options,
    paths,
    tagPrefix: `rlxp:${options.key}:doctor-${run}`,
    leftMs: () => endMs - ports.clock.monotonicMs(),
    checkLaunch: () => checkDoctorLaunch(ports, root, { permission, folder: paths.snapshot }),
    redact: makeRedactor(findSecrets(ports.machine)).text,
  };
}

async function runLocked(doctor: Doctor): Promise<DoctorReport> {
  const { ports, root, study, run, permission, paths, signal } = doctor;
  const startedMs = ports.clock.wallMs();
  const monoMs = ports.clock.monotonicMs();
  const { base, adapter } = permission.live.study;
  const manifest = await startManifest(ports, paths.manifest, {
    kind: 'doctor',
    root,
    argv: [ports.node.execPath, 'doctor.js', root, study, run],
    seeds: { trial: base.seed, evaluation: permission.live.study.eval.seed },
    backend: adapter.framework === 'bundled' ? base.backend : null,
    frameworks: {},
    facts: { approval: permission.digest, approval_kind: permission.kind, checkpoint: doctor.checkpoint },
  });
  const by = ports.machine.userName();
  const facts = { digest: permission.digest, kind: permission.kind, ...(permission.approvedAt === null ? {} : { approved_at: permission.approvedAt }), run, ...(doctor.checkpoint === null ? {} : { checkpoint: doctor.checkpoint }) };
  await appendLedger(ports, root, { kind: 'doctor_started', by, study, facts });
  const end = async (state: string) => {
    const seconds = Math.round(ports.clock.monotonicMs() - monoMs) / 1000;
    await appendLedger(ports, root, { kind: 'doctor_ended', by, study, facts: { run, state, seconds } });
  };
  try {
    const examined = doctor.checkpoint === null ? await trainBaseline(doctor) : await evaluateCheckpoint(doctor, doctor.checkpoint);
    if (signal.aborted) refuse('cancelled', `The doctor of ${study} was ended before it was done.`);
    const report = reportOf(doctor, examined, startedMs);
    await ports.files.replaceFile(paths.report, `${stringifyWire(report, 2)}\n`);
    await finishManifest(ports, paths.manifest, manifest, { status: 'completed', facts: { state: report.state } });
    await end(report.state);
    return report;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await finishManifest(ports, paths.manifest, manifest, { status: signal.aborted ? 'interrupted' : 'failed', error: { type: 'not_run', message } });
    await end(signal.aborted ? 'cancelled' : 'failed');
    throw error;
  }
}

function reportOf({ ports, study, run, permission, checkpoint }: Doctor, examined: Examined, startedMs: number): DoctorReport {
  const { findings } = examined;
  return {
    schema: 1,
    study,
    run,
    kind: checkpoint === null ? 'trial' : 'evaluation',
    approval: { kind: permission.kind, by: permission.by, digest: permission.digest },
    started_at: new Date(startedMs).toISOString(),
    ended_at: new Date(ports.clock.wallMs()).toISOString(),
    state: findings.some((one) => one.state === 'failed') ? 'failed' : findings.some((one) => one.state === 'warning') ? 'warning' : 'ok',
    findings: findings.map((one) => ({ ...one, evidence: [...one.evidence] })),
    measured: examined.measured,
    evaluation: examined.evaluation,
    checkpoint: examined.checkpoint,
  };
}

// Files of .rlxp/doctor/<study>/: the approval of one doctor, and the report of each. Rules: docs/specs/doctor.md.
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { snapshotEntry } from './approval.ts';
import { machineMark } from './ledger.ts';
import { isoTime, plain, plainMap, sha256, slug, stageName } from './plain.ts';
import { evaluationSummary } from './record.ts';

/** The gates that a doctor rests on; the others may still be open. */
export const doctorGate = z.enum(['task', 'hardware', 'baseline', 'evaluation']);
export type DoctorGate = z.infer<typeof doctorGate>;
export const doctorGates: readonly DoctorGate[] = doctorGate.options;

/** What a person agrees to, word for word. */
export const doctorAllows = 'one trial of the baseline (and once more in two halves, where the trainer can resume), or one evaluation of a checkpoint of this repository; at most 10 minutes';
export const doctorLimitS = 600;

export const doctorSubject = z.strictObject({
  study: slug,
  allows: z.literal(doctorAllows),
  /** Steps the person asked for; null: those of the study's screen stage. */
  timesteps: z.number().int().positive().nullable(),
  /** SHA-256 of the canonical JSON of everything the trial is trained and evaluated with. */
  trial_digest: sha256,
  gates: z.record(doctorGate, sha256),
  adapter_digest: sha256,
  task_digest: sha256,
  snapshot: z.array(snapshotEntry),
  packages_digest: sha256,
});
export type DoctorSubject = z.infer<typeof doctorSubject>;

/** .rlxp/doctor/<study>/approval.json. */
export const doctorApprovalFile = z.strictObject({
  schema: z.literal(1),
  by: z.string(),
  at: isoTime,
  agents_may_start: z.boolean(),
  subject: doctorSubject,
  /** SHA-256 of the canonical JSON of the subject. */
  digest: sha256,
  machine: machineMark,
  /** HMAC-SHA-256 of digest, by, at and agents_may_start under the machine key. */
  seal: sha256,
  /** The values behind the digests: they only serve to say what changed. */
  approved: z.strictObject({ trial: plainMap, gates: z.record(doctorGate, plain), adapter: plainMap, task: plainMap }),
});
export type DoctorApprovalFile = z.infer<typeof doctorApprovalFile>;

export const doctorFinding = z.strictObject({
  name: z.enum(['interpreter', 'environment', 'logs', 'steps', 'checkpoint', 'evaluation', 'speed', 'memory', 'resume']),
  state: z.enum(['ok', 'warning', 'failed']),
  /** One sentence. */
  text: z.string(),
  /** What it was read from. */
  evidence: z.array(z.string()),
  /** Empty when nothing is to be done. */
  fix: z.string(),
});
export type DoctorFinding = Readonly<z.infer<typeof doctorFinding>>;

const seconds = z.number().nonnegative();

export const doctorStage = z.strictObject({
  stage: stageName,
  trials: z.number().int().nonnegative(),
  /** One trial, its evaluation included. */
  each_s: seconds,
  /** All of them in the study's slots. */
  all_s: seconds,
});

export const doctorMeasured = z.strictObject({
  /** From the start of the process to its first event that could be read. */
  first_event_s: seconds.nullable(),
  /** Longest time without a new event after the first. */
  longest_silence_s: seconds.nullable(),
  /** On the adapter's axis, over the whole training. */
  steps_per_s: z.number().positive().nullable(),
  training_s: seconds.nullable(),
  evaluation_s: seconds.nullable(),
  /** Each process's own peak, added up. */
  peak_memory_bytes: z.union([z.number().nonnegative(), z.literal('unknown')]),
  peak_vram_bytes: z.union([z.number().nonnegative(), z.literal('unknown')]),
  stages: z.array(doctorStage),
  /** All stages together, with what verify keeps back. */
  study_s: seconds.nullable(),
  /** Null while the budget gate has no value. */
  budget_s: seconds.nullable(),
});
export type DoctorMeasured = z.infer<typeof doctorMeasured>;

/** .rlxp/doctor/<study>/<time>/report.json. */
export const doctorReport = z.strictObject({
  schema: z.literal(1),
  study: slug,
  /** Folder name below .rlxp/doctor/<study>/. */
  run: z.string(),
  kind: z.enum(['trial', 'evaluation']),
  approval: z.strictObject({ kind: z.enum(['person', 'bundled-example']), by: z.string(), digest: sha256 }),
  started_at: isoTime,
  ended_at: isoTime,
  state: z.enum(['ok', 'warning', 'failed']),
  findings: z.array(doctorFinding),
  measured: doctorMeasured,
  evaluation: evaluationSummary.nullable(),
  /** What was evaluated; null when nothing was. */
  checkpoint: z.strictObject({ path: z.string(), sha256: z.string().nullable(), step: anyNumber.nullable() }).nullable(),
});
export type DoctorReport = z.infer<typeof doctorReport>;

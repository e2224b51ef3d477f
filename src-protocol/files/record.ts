// trials.jsonl: one line per finished trial. The line commits the trial; everything else is derived.
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { isoTime, plainMap, sha256, slug, stageName } from './plain.ts';

export const trialStatus = z.enum(['completed', 'plateau', 'early_stopped', 'failed', 'cancelled']);
export type TrialStatus = z.infer<typeof trialStatus>;

export const monitorRuleName = z.enum(['nan', 'gate', 'hung', 'linger', 'plateau', 'budget', 'oom']);
export type MonitorRuleName = z.infer<typeof monitorRuleName>;

/** Why a trial ended as it did. `own`: its training failed on its own account; `infrastructure`: run it again. */
export const trialReason = z.strictObject({
  code: z.enum([
    'finished',
    'nan',
    'gate',
    'hung',
    'plateau',
    'budget',
    'oom',
    'crashed',
    'no_checkpoint',
    'no_evaluation',
    'invalid_evaluation',
    'skip',
    'stop',
    'disk',
    'launch',
  ]),
  /** One sentence for a person. */
  text: z.string(),
  cause: z.enum(['own', 'infrastructure']).nullable().default(null),
  /** The deciding point, for trials a rule ended. */
  step: z.number().nullable().default(null),
  value: anyNumber.nullable().default(null),
});

export const causeRow = z.strictObject({
  cause: z.string(),
  count: z.number().int().nonnegative(),
  share: z.number(),
  share_low: z.number(),
  share_high: z.number(),
  mean_length: anyNumber,
  mean_return: anyNumber,
});
export type CauseRow = z.infer<typeof causeRow>;

export const evaluationSummary = z.strictObject({
  valid: z.boolean(),
  /** Why it is not valid; null when it is. */
  problem: z.string().nullable(),
  /** Mean of the primary metric over the counted episodes, oriented so that greater is better. */
  score: anyNumber.nullable(),
  score_low: anyNumber.nullable(),
  score_high: anyNumber.nullable(),
  episodes: z.number().int().nonnegative(),
  mean_length: anyNumber.nullable(),
  success_rate: anyNumber.nullable(),
  causes: z.array(causeRow),
  metrics: z.record(z.string(), anyNumber),
});
export type EvaluationSummary = z.infer<typeof evaluationSummary>;

export const trialRecord = z.strictObject({
  schema: z.literal(1),
  seq: z.number().int().nonnegative(),
  identity: sha256,
  study: slug,
  stage: stageName,
  candidate: slug,
  settings_digest: sha256,
  seed: z.number().int().nonnegative(),
  repeat: z.number().int().nonnegative(),
  attempt: z.number().int().nonnegative(),
  status: trialStatus,
  /** The rule that ended it, when one did. */
  rule: monitorRuleName.nullable(),
  reason: trialReason,
  flags: z.array(z.enum(['declining', 'dirty_exit', 'linger', 'reward_up_score_down'])),
  /** Last step seen on the trainer's axis, and what was asked for. */
  steps: z.number().nonnegative(),
  timesteps: z.number().int().positive(),
  wall_s: z.number().nonnegative(),
  train_reward_min: anyNumber.nullable(),
  /** Smoothed training reward at the last point. */
  train_reward_final: anyNumber.nullable(),
  t90_steps: z.number().nullable(),
  t90_s: z.number().nullable(),
  peak_vram_bytes: z.union([z.number(), z.literal('unknown')]),
  evaluation: evaluationSummary.nullable(),
  /** SHA-256 of the evaluated checkpoint's bytes. */
  checkpoint_sha256: z.string().nullable(),
  folder: z.string(),
  settings: plainMap,
  ended_at: isoTime,
});
export type TrialRecord = z.infer<typeof trialRecord>;

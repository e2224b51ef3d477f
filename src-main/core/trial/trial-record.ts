// Puts the record of a finished trial together. Imported by run-trial.ts only. Pure but for the clock's time of the end.
import path from 'node:path';
import { t90 } from '../metrics/t90.ts';
import type { EvaluationOutcome } from './run-evaluation.ts';
import type { RunTrialOptions } from './trial-options.ts';
import type { TrainingResult } from './run-training.ts';
import type { Ending, TrialOutcome } from './trial-outcome.ts';

export interface RecordParts {
  readonly options: RunTrialOptions;
  /** Null: the trial counts, as completed or plateau. */
  readonly ending: Ending | null;
  readonly training: TrainingResult | null;
  readonly evaluation: EvaluationOutcome | null;
  readonly wallMs: number;
}

export function makeTrialRecord({ options, ending, training, evaluation, wallMs }: RecordParts): TrialOutcome {
  const { trial } = options;
  const view = training?.view ?? null;
  const rise = t90(view?.reward ?? [], view?.firstEventS ?? 0, training?.gaps ?? []);
  const { status, rule, reason } = ending ?? counted(training);
  return {
    schema: 1,
    identity: trial.identity,
    study: trial.study,
    stage: trial.stage,
    candidate: trial.candidate,
    settings_digest: options.settingsDigest,
    seed: trial.seed,
    repeat: trial.repeat,
    attempt: trial.attempt,
    status,
    rule,
    reason: { ...reason, text: options.redact(reason.text) },
    flags: flagsOf(training, evaluation),
    steps: view?.lastStep ?? 0,
    timesteps: trial.timesteps,
    wall_s: wallMs / 1000,
    train_reward_min: view?.lowestReward ?? null,
    train_reward_final: view?.reward.at(-1)?.smoothed ?? null,
    t90_steps: rise.steps,
    t90_s: rise.seconds,
    peak_vram_bytes: options.peakVramBytes?.() ?? 'unknown',
    evaluation: evaluation?.summary ?? null,
    checkpoint_sha256: evaluation?.file?.checkpoint?.sha256 ?? null,
    folder: path.basename(options.folder),
    settings: options.settings,
    ended_at: new Date(options.ports.clock.wallMs()).toISOString(),
  };
}

function counted(training: TrainingResult | null): Ending {
  const { decision } = training ?? { decision: null };
  if (decision?.rule === 'plateau') {
    const { text, step, value } = decision;
    return { status: 'plateau', rule: 'plateau', reason: { code: 'plateau', text, cause: null, step, value } };
  }
  const rule = decision?.rule === 'linger' ? 'linger' : null;
  const text = decision?.rule === 'linger' ? `finished, but ${decision.text}` : 'finished';
  return { status: 'completed', rule, reason: { code: 'finished', text, cause: null, step: null, value: null } };
}

function flagsOf(training: TrainingResult | null, evaluation: EvaluationOutcome | null): TrialOutcome['flags'] {
  const isEvaluated = evaluation?.ending === null;
  const lingered = training?.decision?.rule === 'linger' || (isEvaluated && evaluation.lingered);
  const isDirty = isEvaluated && (training?.isDirty === true || evaluation.isDirty);
  return [
    ...(training?.view.isDeclining === true ? (['declining'] as const) : []),
    ...(isDirty ? (['dirty_exit'] as const) : []),
    ...(lingered ? (['linger'] as const) : []),
  ];
}

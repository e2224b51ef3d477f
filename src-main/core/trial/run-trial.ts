// Runs one trial: folder, provenance, training under the monitor, evaluation, and the record of it all (docs/specs/trial.md).
// Rooms from trial leftwards may import it. Outcomes are data; only refusals and faults are thrown.
import path from 'node:path';
import type { EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { finishManifest, startManifest, type ManifestEnd } from '../provenance/manifest.ts';
import { trialPaths } from '../workspace/layout.ts';
import { foreignCheckpoint } from './artifacts.ts';
import type { LaunchPlan } from './launch-plan.ts';
import { launchFailure, runEvaluation, type EvaluationOutcome } from './run-evaluation.ts';
import { holdsLastStretch, runTraining, type TrainingResult } from './run-training.ts';
import type { RunTrialOptions } from './trial-options.ts';
import { cancelledBy, failedBy, type Ending, type TrialOutcome } from './trial-outcome.ts';
import { makeProgressReport } from './trial-progress.ts';
import { makeTrialRecord } from './trial-record.ts';
import { threadNames } from './trial-threads.ts';

export type { RunTrialOptions, TrialControl } from './trial-options.ts';

export async function runTrial(options: RunTrialOptions): Promise<TrialOutcome> {
  const { ports, folder, trial, control } = options;
  const paths = trialPaths(folder);
  const startMs = ports.clock.monotonicMs();
  const waited = { ms: 0 };
  // The attempt is part of the folder's name: what an earlier one left is never touched.
  if ((await ports.files.stat(paths.trial)) !== null) refuse('already_exists', `The trial folder ${path.basename(folder)} was used before: a new attempt needs a new folder.`);
  const recordOf = (ending: Ending | null, training: TrainingResult | null, evaluation: EvaluationOutcome | null): TrialOutcome =>
    makeTrialRecord({ options, ending, training, evaluation, wallMs: ports.clock.monotonicMs() - startMs - waited.ms });
  let manifest: Awaited<ReturnType<typeof startManifest>>;
  try {
    await Promise.all([ports.files.makeFolder(path.resolve(folder, trial.logs)), ports.files.makeFolder(path.resolve(folder, trial.checkpoints))]);
    await ports.files.replaceFile(paths.trial, `${JSON.stringify(trial, null, 2)}\n`);
    manifest = await startManifest(ports, paths.manifest, {
      kind: 'trial',
      root: options.root,
      argv: options.plan.trainArgv,
      seeds: { trial: trial.seed, evaluation: trial.evaluation.seed },
      backend: trial.backend,
      frameworks: options.frameworks ?? {},
      facts: { thread_limits: threadLimits(options.plan) },
    });
  } catch (error) {
    return recordOf(launchFailure(error), null, null);
  }
  /** A disk that takes no manifest any more must not cost the result. */
  const finish = async (end: ManifestEnd): Promise<void> => {
    await finishManifest(ports, paths.manifest, manifest, end).catch((error: unknown) => {
      ports.log.warn('a manifest could not be finished', { folder: path.basename(folder), error: String(error) });
    });
  };
  try {
    const { ending, training, evaluation } = await trainAndEvaluate(options, waited);
    const outcome = recordOf(ending, training, evaluation);
    await finish(endOfManifest(outcome, training, options.plan));
    return outcome;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await finish({ status: control.signal.aborted ? 'interrupted' : 'failed', error: { type: 'not_run', message } });
    throw error;
  }
}

const evaluationsOnFullDisk = 5;

interface Parts {
  readonly ending: Ending | null;
  readonly training: TrainingResult | null;
  readonly evaluation: EvaluationOutcome | null;
}

async function trainAndEvaluate(options: RunTrialOptions, waited: { ms: number }): Promise<Parts> {
  const { trial, folder, control } = options;
  const tag = `rlxp:${options.campaignRunId}:${path.basename(folder)}`;
  const progress = makeProgressReport(trial.timesteps, options.onProgress ?? (() => undefined));
  if (control.signal.aborted) return { ending: cancelledBy(control.cause), training: null, evaluation: null };
  await options.checkLaunch();
  const training = await runTraining({
    ...options,
    tag,
    progress,
    campaignLeftMs: options.campaignLeftMs ?? (() => Infinity),
    onStarted: (identity) => options.onStarted?.(identity, 'training'),
  });
  for (const finding of training.findings) options.onFinding?.(finding);
  const { checkpoint } = training;
  if (training.ending !== null || checkpoint === null) return { ending: training.ending, training, evaluation: null };
  if (control.signal.aborted) return { ending: cancelledBy(control.cause), training, evaluation: null };

  progress.evaluating();
  const evaluate = () =>
    runEvaluation({
      ...options,
      // Which checkpoint is evaluated stands in the file from here on.
      trial: { ...trial, checkpoint: checkpoint.relative },
      tag: `${tag}:evaluation`,
      maxMs: options.maxTrialMs,
      onStarted: (identity) => options.onStarted?.(identity, 'evaluating'),
    });
  let evaluation = await evaluate();
  // A full disk must not cost the training that filled it.
  for (let times = 1; evaluation.ending?.reason.code === 'disk' && times < evaluationsOnFullDisk; times += 1) {
    const fromMs = options.ports.clock.monotonicMs();
    const hasRoom = (await options.untilRoom?.(evaluation.ending.reason.text)) === true;
    waited.ms += options.ports.clock.monotonicMs() - fromMs;
    if (!hasRoom) break;
    evaluation = await evaluate();
  }
  if (evaluation.ending !== null) return { ending: evaluation.ending, training, evaluation };
  const doubt = await findDoubt(options, training, evaluation.file);
  const { summary } = evaluation;
  if (doubt !== null) return { ending: doubt, training, evaluation: { ...evaluation, summary: withoutScore(summary, doubt.reason.text) } };
  const ending = summary.valid ? null : failedBy('own', 'invalid_evaluation', `evaluation: ${summary.problem ?? 'not valid'}`);
  return { ending, training, evaluation };
}

/** Why a sound evaluation proves nothing about this training; null when it does. */
async function findDoubt(options: RunTrialOptions, training: TrainingResult, file: EvaluationFile): Promise<Ending | null> {
  const { checkpoint, view, needsProof, decision } = training;
  const foreign = checkpoint === null ? null : await foreignCheckpoint(options.ports.files, checkpoint, file);
  if (foreign !== null) return failedBy('own', 'invalid_evaluation', `evaluation: ${foreign}`);
  // A file's time and the evaluator's word are each enough: clocks of file servers differ, and not every evaluator knows the step.
  const step = file.checkpoint?.step ?? 0;
  const isProven = checkpoint !== null && (holdsLastStretch(checkpoint, view) || step >= view.lastStep - view.stride);
  if (!needsProof || isProven) return null;
  const text = `ended at step ${view.lastStep} of ${options.trial.timesteps}, and its newest checkpoint is of step ${step}`;
  return decision?.rule === 'linger' ? failedBy('own', 'hung', text, 'hung') : failedBy('own', 'crashed', text);
}

/** A score that must rank nothing. */
function withoutScore(summary: EvaluationSummary, problem: string): EvaluationSummary {
  return { ...summary, valid: false, problem, score: null, score_low: null, score_high: null };
}

/** What the processes get, whoever set it: counts are no secrets. */
function threadLimits({ env }: Pick<LaunchPlan, 'env'>): string {
  return threadNames.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`])).join(' ');
}

function endOfManifest(outcome: TrialOutcome, training: TrainingResult | null, plan: LaunchPlan): ManifestEnd {
  const { status, reason, rule } = outcome;
  const facts = {
    status,
    rule,
    reason: reason.text,
    checkpoint: training?.checkpoint?.relative ?? null,
    findings: training?.findings.map((finding) => `${finding.kind} ${finding.file}`).join(', ') ?? '',
    survivors: training?.survivors.map(({ pid }) => String(pid)).join(', ') ?? '',
    withheld_environment: plan.withheld.join(', '),
  };
  if (status === 'failed') return { status: 'failed', facts, error: { type: reason.code, message: reason.text } };
  return { status: status === 'cancelled' ? 'interrupted' : 'completed', facts };
}

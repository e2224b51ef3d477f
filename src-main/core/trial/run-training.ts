// Runs the training process of a trial under its monitor, from start to verdict. Imported by run-trial.ts only.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import type { MetricPoint } from '../metrics/metric-point.ts';
import { makeMetricTail, type TailFinding } from '../metrics/metric-tail.ts';
import type { SuspendGap } from '../metrics/t90.ts';
import { trialPaths } from '../workspace/layout.ts';
import { findCheckpoint, type Checkpoint } from './artifacts.ts';
import type { LaunchPlan } from './launch-plan.ts';
import { makeMonitor, type Monitor, type MonitorView } from './monitor.ts';
import type { MonitorDecision } from './rules/decision.ts';
import { launchFailure } from './run-evaluation.ts';
import { supervise, type Look, type Supervised } from './supervise.ts';
import { isBadExit, judgeTraining } from './training-verdict.ts';
import type { TrialControl } from './trial-options.ts';
import { cancelledBy, endedByRule, failedBy, type Ending } from './trial-outcome.ts';
import type { ProgressReport } from './trial-progress.ts';

export interface TrainingOptions {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'processes'>;
  readonly plan: Pick<LaunchPlan, 'trainArgv' | 'cwd' | 'env'>;
  readonly trial: TrialFile;
  readonly folder: string;
  readonly tag: string;
  readonly adapter: AdapterFile;
  readonly rules: MonitorRules;
  readonly maxTrialMs: number;
  readonly campaignLeftMs: () => number;
  readonly control: TrialControl;
  readonly graceMs: number;
  readonly progress: ProgressReport;
  readonly onStarted: (identity: ProcessIdentity) => void;
  readonly onPoints?: (points: readonly MetricPoint[]) => void;
}

export interface TrainingResult {
  /** Null: go on to the evaluation of `checkpoint`. */
  readonly ending: Ending | null;
  /** The decision that ended the process, plateau and linger included. */
  readonly decision: MonitorDecision | null;
  readonly checkpoint: Checkpoint | null;
  readonly view: MonitorView;
  readonly isDirty: boolean;
  /** The last stretch may not have been trained to its end: the checkpoint has to show that it was. */
  readonly needsProof: boolean;
  readonly gaps: readonly SuspendGap[];
  readonly findings: readonly TailFinding[];
  readonly survivors: readonly ProcessIdentity[];
}

export async function runTraining(options: TrainingOptions): Promise<TrainingResult> {
  const { ports, trial, adapter, folder } = options;
  const monitor = makeMonitor({
    rules: options.rules,
    stage: trial.stage,
    adapter,
    timesteps: trial.timesteps,
    startMonoMs: ports.clock.monotonicMs(),
    maxTrialMs: options.maxTrialMs,
  });
  const tail = makeMetricTail({ ...ports, folder, adapter });
  let ended: Supervised<MonitorDecision>;
  try {
    ended = await supervise({
      ports,
      start: { argv: options.plan.trainArgv, cwd: options.plan.cwd, env: options.plan.env, tag: options.tag, consolePath: trialPaths(folder).console },
      folder,
      look: makeTrainingLook(options, monitor, (see) => tail.read(see)),
      signal: options.control.signal,
      graceMs: options.graceMs,
      onStarted: options.onStarted,
    });
  } catch (error) {
    const ending = launchFailure(error);
    return { ending, decision: null, checkpoint: null, view: monitor.view(), isDirty: false, needsProof: true, gaps: [], findings: tail.findings, survivors: [] };
  }
  const plateauStep = ended.decision?.rule === 'plateau' ? ended.decision.step : null;
  const checkpoint = await findCheckpoint(ports.files, folder, adapter.checkpoints.glob, plateauStep);
  const view = monitor.view();
  const decision = asLinger(ended.decision, view.isAtFinalStep && checkpoint !== null);
  const isDirty = ended.wentByItself && isBadExit(ended.exit);
  return {
    ending: judge(options, { ...ended, decision }, { view, checkpoint }),
    decision,
    checkpoint,
    view,
    isDirty,
    needsProof: isDirty || (decision?.rule !== 'plateau' && !view.isFinalStepCertain),
    gaps: ended.gaps,
    findings: tail.findings,
    survivors: ended.end.survivors,
  };
}

/** Reads what is new, then asks the monitor. Work is done when the same whole, new checkpoint was there at two looks in a row. */
function makeTrainingLook(options: TrainingOptions, monitor: Monitor, read: (see: Monitor['see']) => Promise<void>) {
  const { files } = options.ports;
  let version: string | null = null;
  return async (look: Look): Promise<MonitorDecision | null> => {
    await read((points) => {
      monitor.see(points);
      options.onPoints?.(points);
    });
    const view = monitor.view();
    const checkpoint = view.isFinalStepCertain && look.isAlive ? await findCheckpoint(files, options.folder, options.adapter.checkpoints.glob) : null;
    const artifactsDone = checkpoint !== null && checkpoint.version === version && holdsLastStretch(checkpoint, view);
    version = checkpoint?.version ?? null;
    options.progress.training(view, look.monoMs);
    return monitor.tick({ ...look, artifactsDone, campaignLeftMs: options.campaignLeftMs() });
  };
}

/** Whether it was saved after the step before the last one was logged. */
export function holdsLastStretch(checkpoint: Checkpoint, { stretchStartS }: MonitorView): boolean {
  return stretchStartS === null || checkpoint.modifiedMs >= stretchStartS * 1000;
}

/**
 * No step can follow the last one that was logged, and the checkpoint was saved after it or is named by it: nothing was left to do, and
 * what an earlier save left is not taken for the last one.
 */
function isProvenWhole(checkpoint: Checkpoint | null, view: MonitorView): boolean {
  if (checkpoint === null || !view.isFinalStepCertain) return false;
  if (view.stretchEndS === null || checkpoint.modifiedMs >= view.stretchEndS * 1000) return true;
  return checkpoint.step !== null && checkpoint.step >= view.lastStep && holdsLastStretch(checkpoint, view);
}

/** A trainer that logs at intervals and hangs while closing never logs its last step: what looks hung has done its work. */
function asLinger(decision: MonitorDecision | null, isWorkDone: boolean): MonitorDecision | null {
  if (decision?.rule !== 'hung' || !isWorkDone) return decision;
  return { ...decision, rule: 'linger', text: `lived on after its work: ${decision.text}` };
}

function judge(options: TrainingOptions, ended: Supervised<MonitorDecision>, left: { readonly view: MonitorView; readonly checkpoint: Checkpoint | null }): Ending | null {
  const { decision, exit, outOfMemory, consoleTail } = ended;
  if (ended.isAborted) return cancelledBy(options.control.cause);
  const byRule = decision === null ? null : endedByRule(decision);
  if (byRule !== null) return byRule;
  const hasCheckpoint = left.checkpoint !== null;
  if (decision?.rule === 'plateau' && hasCheckpoint) return null;
  if (decision?.rule === 'plateau') return failedBy('own', 'no_checkpoint', `${decision.text}, but it left no loadable checkpoint`);
  const { isAtFinalStep, lastStep, firstEventS } = left.view;
  const evidence = { isAtFinalStep, lastStep, hasEvents: firstEventS !== null, hasCheckpoint, isCutShort: ended.wentByItself && !isProvenWhole(left.checkpoint, left.view), timesteps: options.trial.timesteps };
  return judgeTraining({ ...evidence, exit, outOfMemory, consoleTail });
}

// Runs the evaluation process of a trial (or of the evaluator self-test) and reads what it wrote. Rooms from trial leftwards may import it.
import path from 'node:path';
import type { EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import type { FileError, Ports, ProcessIdentity } from '../../ports.ts';
import { summarise, type PrimaryMetric } from '../evaluation/summarise.ts';
import { trialPaths } from '../workspace/layout.ts';
import { readEvaluation } from './artifacts.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { MonitorDecision } from './rules/decision.ts';
import { makeTimeRules } from './rules/time.ts';
import { supervise, type Look, type Supervised } from './supervise.ts';
import { isBadExit, judgeMachine, lastLine } from './training-verdict.ts';
import { cancelledBy, endedByRule, failedBy, type Ending } from './trial-outcome.ts';
import type { TrialControl } from './trial-options.ts';

export interface RunEvaluationOptions {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'processes'>;
  readonly plan: Pick<LaunchPlan, 'evaluateArgv' | 'cwd' | 'env'>;
  /** Written as trial.json of `folder` first. */
  readonly trial: TrialFile;
  readonly folder: string;
  /** Unique per launch. */
  readonly tag: string;
  readonly rules: Pick<MonitorRules, 'startup_s' | 'hang_s' | 'grace_s'>;
  /** Longest time the evaluation may take. */
  readonly maxMs: number;
  readonly campaignLeftMs?: () => number;
  readonly metric: PrimaryMetric;
  readonly needsNormalizer?: boolean;
  /** Throws a refusal when the approval no longer holds; called right before the process starts. */
  readonly checkLaunch: () => Promise<void>;
  readonly control: TrialControl;
  readonly graceMs: number;
  readonly onStarted?: (identity: ProcessIdentity) => void;
}

export type EvaluationOutcome =
  | { readonly ending: null; readonly file: EvaluationFile; readonly summary: EvaluationSummary; readonly isDirty: boolean; readonly lingered: boolean }
  | { readonly ending: Ending; readonly file: null; readonly summary: null };

/** A summary may be invalid: that is for the caller to judge. An evaluation left by somebody else is removed before the start. */
export async function runEvaluation(options: RunEvaluationOptions): Promise<EvaluationOutcome> {
  const { ports, trial, folder, control } = options;
  const paths = trialPaths(folder);
  const evaluationPath = path.resolve(folder, trial.evaluation_file);
  try {
    await ports.files.makeFolder(folder);
    await ports.files.replaceFile(paths.trial, `${JSON.stringify(trial, null, 2)}\n`);
    await ports.files.remove(evaluationPath);
  } catch (error) {
    return stopped(launchFailure(error));
  }
  await options.checkLaunch();
  let ended: Supervised<MonitorDecision>;
  try {
    ended = await supervise({
      ports,
      start: { argv: options.plan.evaluateArgv, cwd: options.plan.cwd, env: options.plan.env, tag: options.tag, consolePath: paths.console },
      folder,
      look: makeEvaluationLook(options, evaluationPath),
      signal: control.signal,
      graceMs: options.graceMs,
      ...(options.onStarted === undefined ? {} : { onStarted: options.onStarted }),
    });
  } catch (error) {
    return stopped(launchFailure(error));
  }
  const { decision } = ended;
  if (ended.isAborted) return stopped(cancelledBy(control.cause));
  const byRule = decision === null ? null : endedByRule(decision);
  if (byRule !== null) return stopped({ ...byRule, reason: { ...byRule.reason, text: `evaluation: ${byRule.reason.text}` } });
  const reading = await readEvaluation(ports.files, evaluationPath);
  if (reading.file === null) return stopped(withoutEvaluation(ended, reading.problem));
  const summary = summarise(reading.file, {
    expected: trial.evaluation,
    metric: options.metric,
    ...(options.needsNormalizer === undefined ? {} : { needsNormalizer: options.needsNormalizer }),
  });
  return { ending: null, file: reading.file, summary, isDirty: ended.wentByItself && isBadExit(ended.exit), lingered: decision?.rule === 'linger' };
}

/** No event file here: console progress is the only sign of life, and a finished evaluation.json the only work. */
function makeEvaluationLook(options: RunEvaluationOptions, evaluationPath: string) {
  const { files, clock } = options.ports;
  const { startup_s, hang_s, grace_s } = options.rules;
  const quiet_s = Math.max(startup_s, 3 * hang_s);
  const rules = makeTimeRules({ rules: { startup_s: quiet_s, hang_s: quiet_s, grace_s }, startMonoMs: clock.monotonicMs(), maxTrialMs: options.maxMs });
  let checked = '';
  let isWhole = false;
  return async (look: Look): Promise<MonitorDecision | null> => {
    const stat = await files.stat(evaluationPath);
    const version = stat === null ? '' : `${stat.identity} ${stat.sizeBytes} ${stat.modifiedMs}`;
    if (version !== checked) isWhole = stat !== null && (await readEvaluation(files, evaluationPath)).file !== null;
    checked = version;
    const campaignLeftMs = options.campaignLeftMs?.() ?? Infinity;
    return rules.tick({ ...look, artifactsDone: isWhole, campaignLeftMs }, { isNew: look.consoleProgress, lastStep: null, stretchMs: 0 });
  };
}

function withoutEvaluation(ended: Supervised<MonitorDecision>, problem: string): Ending {
  const { exit, outOfMemory, consoleTail } = ended;
  const ofMachine = judgeMachine({ exit, outOfMemory, consoleTail, reached: 'during the evaluation' });
  return ofMachine ?? failedBy('own', 'no_evaluation', `evaluation: ${problem} (${lastLine(consoleTail)})`);
}

/** A process that could not be started, or whose files could not be kept, says nothing about the candidate. */
export function launchFailure(error: unknown): Ending {
  const code = (error as Partial<FileError> | null)?.code;
  if (code === undefined) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return isDiskCode(code) ? failedBy('infrastructure', 'disk', `the disk took no more: ${message}`) : failedBy('infrastructure', 'launch', `could not be started: ${message}`);
}

function isDiskCode(code: string): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || code === 'EIO';
}

function stopped(ending: Ending): EvaluationOutcome {
  return { ending, file: null, summary: null };
}

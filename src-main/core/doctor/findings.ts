// What a doctor's trial says about the study: pure functions of what was seen. This room only. Rules: docs/specs/doctor.md.
import { countText } from '../../../src-protocol/count-text.ts';
import type { DoctorFinding } from '../../../src-protocol/files/doctor.ts';
import { primaryRewardKey } from '../metrics/tag-match.ts';
import type { TailFinding } from '../metrics/metric-tail.ts';
import { durationText } from '../report/number-text.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import type { TrialOutcome } from '../trial/trial-outcome.ts';
import type { Observed } from './observer.ts';
import type { StageTimes } from './stage-times.ts';

export interface Seen {
  readonly study: LoadedStudy;
  readonly timesteps: number;
  readonly outcome: TrialOutcome;
  readonly observed: Observed;
  /** What the reader of event files stumbled over. */
  readonly trouble: readonly TailFinding[];
  /** Event files of the trial's folder that the adapter's globs do not name. */
  readonly eventFilesElsewhere: readonly string[];
  /** Below the trial's folder; null when none was whole. */
  readonly checkpoint: string | null;
  /** Files of the folder for checkpoints, whatever their names. */
  readonly checkpointFiles: readonly string[];
  /** The end of what the training's terminal said, line by line. */
  readonly lastWords: readonly string[];
  readonly times: StageTimes;
  /** Its numeric libraries were held to so many; null: they were not. */
  readonly threads: number | null;
  readonly memoryBytes: number;
  readonly usableCores: number;
}

type Name = DoctorFinding['name'];

export function judgeTrial(seen: Seen): readonly DoctorFinding[] {
  const environment = judgeEnvironment(seen);
  if (environment.state === 'failed') return [environment];
  const steps = judgeSteps(seen);
  const checkpoint = judgeCheckpoint(seen);
  const findings = [environment, judgeLogs(seen), steps, checkpoint];
  if (steps.state === 'ok' && checkpoint.state !== 'failed') findings.push(judgeEvaluation(seen.outcome));
  if (seen.times.study_s !== null) findings.push(judgeSpeed(seen));
  return [...findings, judgeMemory(seen)];
}

/** Causes of a start that failed, as trainers word them, each with what helps. */
const knownCauses: readonly (readonly [RegExp, string])[] = [
  [/No module named|ModuleNotFoundError|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND/, 'Install it where `python` of adapter.yaml looks for it, or correct `python`.'],
  [/NameNotFound|doesn't exist|not found in (?:the )?registry|not registered|UnregisteredEnv|unknown environment/i, 'Let the training script import the package that registers the environment, or correct `entry` of the task.'],
  [/unrecognized arguments|unknown option|unexpected keyword/i, 'Correct the `train` command of adapter.yaml: the trainer does not know one of its arguments.'],
];

/** What the trainer's own words say of why it went wrong, and what helps. */
export function knownCauseOf(lines: readonly string[]): readonly [RegExp, string] | undefined {
  return knownCauses.find(([pattern]) => lines.some((line) => pattern.test(line)));
}

function judgeEnvironment({ observed, checkpoint, outcome, lastWords }: Seen): DoctorFinding {
  if (observed.firstEventS !== null) return ok('environment', 'The environment was made, and training went on from it.', [`points logged: ${observed.tags.reduce((sum, tag) => sum + tag.points, 0)}`]);
  if (checkpoint !== null) return ok('environment', 'The environment was made: training came to a checkpoint.', [checkpoint]);
  const known = knownCauseOf(lastWords);
  const telling = lastWords.filter((line) => known?.[0].test(line) === true);
  const shown = telling.find((line) => line.includes('Error')) ?? telling[0] ?? lastWords[0];
  return failed('environment', `Training never got under way: ${outcome.reason.text}.`, shown === undefined ? [] : [`it said: ${shown}`], known?.[1] ?? 'Read the trial\'s console.log, and run its command by hand.');
}

function judgeLogs(seen: Seen): DoctorFinding {
  const { study, observed, trouble, eventFilesElsewhere } = seen;
  const { adapter } = study;
  if (observed.tags.length === 0) {
    const found = eventFilesElsewhere.map((file) => `an event file that no glob names: ${file}`);
    const fix = found.length > 0 ? 'Add its folder to `logs` in adapter.yaml.' : 'Let the trainer write TensorBoard event files below `{logs}`, or name where it does in `logs` of adapter.yaml.';
    return failed('logs', 'The trainer wrote no event that could be read: no rule could watch it, and no final step is ever seen.', [`globs: ${adapter.logs.join(', ')}`, ...found], fix);
  }
  const seenKeys = new Set(observed.tags.flatMap((tag) => (tag.key === null ? [] : [tag.key])));
  const missing = Object.keys(adapter.metrics).filter((key) => !seenKeys.has(key));
  const unmapped = observed.tags.filter((tag) => tag.key === null).map((tag) => tag.tag);
  const reward = primaryRewardKey(adapter);
  const evidence = [
    `mapped tags seen: ${[...seenKeys].join(', ') || 'none'}`,
    ...(missing.length === 0 ? [] : [`mapped tags that never came: ${missing.join(', ')}`]),
    ...(unmapped.length === 0 ? [] : [`tags without a meaning: ${unmapped.join(', ')}`]),
    ...delayEvidence(seen),
    ...trouble.map(({ file, text }) => `${file}: ${text}`),
  ];
  if (reward === null || missing.includes(reward)) return failed('logs', 'The reward is never seen: gates, plateau and the curves have nothing to look at.', evidence, `Map the trainer's own tag of the reward in adapter.yaml${unmapped.length === 0 ? '' : `; it may be one of: ${unmapped.join(', ')}`}.`);
  if (!observed.tags.some((tag) => tag.key === reward && tag.hasFinite)) return warning('logs', 'The reward never had a value: no episode ended in this many steps.', evidence, 'Train longer, or shorten the episodes.');
  const waits = tooShortWaits(seen);
  if (waits !== null) return warning('logs', waits.text, evidence, waits.fix);
  // A profile knows the tags of all of a library's algorithms; this trainer writes those of one.
  if (missing.length > 0 && adapter.profile === undefined) return warning('logs', `${missing.length === 1 ? 'A mapped tag' : 'Some mapped tags'} never came: ${missing.join(', ')}.`, evidence, 'Remove them from adapter.yaml, or write them as the trainer does.');
  if (trouble.length > 0) return warning('logs', 'The event files could not all be read.', evidence, 'Let each trial write into its own folder, from one process.');
  return ok('logs', `${seenKeys.size} mapped tags come in, the reward among them.`, evidence);
}

/** Waits must allow for slower moments than these: other trials beside it, other seeds. */
const room = 3;

function advised(seconds: number): number {
  return Math.max(10, Math.ceil(seconds * room));
}

/** A logger may hold events back for longer than this trial showed: half as much again, as the check of studies asks for. */
function flushed({ adapter }: LoadedStudy): number {
  return ((adapter.flush_s ?? 0) * 1.5) / room;
}

/** Dead trials end the sooner the shorter the wait. */
function enough(nowS: number, seenS: number): string {
  return nowS > advised(seenS) ? `; ${advised(seenS)} would do` : '';
}

function delayEvidence({ observed, study }: Seen): readonly string[] {
  const { startup_s, hang_s } = study.stages.screen.monitor;
  const { firstEventS, longestSilenceS } = observed;
  return [
    ...(firstEventS === null ? [] : [`first event after ${seconds(firstEventS)} (startup_s is ${startup_s}${enough(startup_s, firstEventS)})`]),
    ...(longestSilenceS === null ? [] : [`longest silence ${seconds(longestSilenceS)} (hang_s is ${hang_s}${enough(hang_s, Math.max(longestSilenceS, flushed(study)))})`]),
  ];
}

function tooShortWaits({ observed, study }: Seen): { readonly text: string; readonly fix: string } | null {
  const { startup_s, hang_s } = study.stages.screen.monitor;
  const { firstEventS, longestSilenceS } = observed;
  const late = firstEventS !== null && firstEventS * 2 > startup_s ? [`startup_s to ${advised(firstEventS)}`] : [];
  const silent = longestSilenceS !== null && longestSilenceS * 2 > hang_s ? [`hang_s to ${advised(longestSilenceS)}`] : [];
  if (late.length + silent.length === 0) return null;
  return { text: 'Healthy trials come close to being taken for hung.', fix: `Set ${[...late, ...silent].join(' and ')} in the study's monitor.` };
}

function judgeSteps({ outcome, timesteps, observed }: Seen): DoctorFinding {
  const { steps, status, rule, reason } = outcome;
  const evidence = [`${steps} of ${countText(timesteps, 'step')} logged`, `the trial ${status}: ${reason.text}`];
  // An evaluation starts only after a training that came to its end.
  const isTrained = status === 'completed' || status === 'plateau' || observed.evaluationS !== null;
  if (isTrained && steps > timesteps * 1.2) return warning('steps', `${countText(steps, 'step')} logged where ${timesteps} ${timesteps === 1 ? 'was' : 'were'} asked for.`, evidence, 'See that `axis` in adapter.yaml is the unit the trainer counts in, and that `{timesteps}` reaches it.');
  if (isTrained) return ok('steps', `It came to its final step, ${steps} of ${timesteps}.`, evidence);
  if (rule === 'budget') {
    const wanted = observed.stepsPerS === null ? null : Math.max(1, Math.floor(observed.stepsPerS * 240));
    return warning('steps', 'Ten minutes were not enough for its final step.', evidence, `Approve a shorter one: \`rlxp doctor approve ${outcome.study}${wanted === null ? '' : ` --timesteps ${wanted}`}\`.`);
  }
  const fix = rule === 'gate' ? 'The unmodified baseline misses a gate: lower it, or every candidate like it ends early.' : rule === 'hung' ? 'Look at the logs finding, and at what it did last in console.log.' : 'Read the trial\'s console.log, and run its command by hand.';
  return failed('steps', `It did not come to its final step: ${reason.text}.`, evidence, fix);
}

function judgeCheckpoint({ checkpoint, checkpointFiles, outcome, study }: Seen): DoctorFinding {
  const { glob } = study.adapter.checkpoints;
  if (checkpoint === null) {
    const others = checkpointFiles.length === 0 ? 'its folder for checkpoints is empty' : `files there: ${checkpointFiles.slice(0, 8).join(', ')}`;
    return failed('checkpoint', 'It left no checkpoint that is whole.', [`glob: ${glob}`, others], 'Let the trainer save below `{checkpoints}`, or correct `checkpoints.glob` in adapter.yaml.');
  }
  if (outcome.evaluation === null) return warning('checkpoint', 'There is a whole checkpoint; nothing has loaded it.', [checkpoint], 'See the findings above and below.');
  return ok('checkpoint', 'The checkpoint is whole, and the evaluation loaded it.', [checkpoint, ...(outcome.checkpoint_sha256 === null ? [] : [`SHA-256 ${outcome.checkpoint_sha256.slice(0, 12)}`])]);
}

export function judgeEvaluation({ evaluation, reason }: Pick<TrialOutcome, 'evaluation' | 'reason'>): DoctorFinding {
  const fix = 'Run the `evaluate` command by hand on this checkpoint; docs/specs/evaluation.md says what it must write.';
  if (evaluation === null) return failed('evaluation', `It gave no evaluation: ${reason.text}.`, [], fix);
  const causes = evaluation.causes.filter((row) => row.count > 0).map((row) => `${row.cause} ${Math.round(row.share * 100)} %`);
  const evidence = [countText(evaluation.episodes, 'episode'), `they end by: ${causes.join(', ') || 'nothing'}`];
  if (!evaluation.valid || evaluation.score === null) return failed('evaluation', `It is not valid: ${evaluation.problem ?? reason.text}.`, evidence, fix);
  const unknown = evaluation.causes.find((row) => row.cause === 'unattributed');
  const score = `score ${shown(evaluation.score)}${evaluation.score_low === null || evaluation.score_high === null ? '' : ` (${shown(evaluation.score_low)} to ${shown(evaluation.score_high)})`}`;
  if (unknown !== undefined && unknown.count > 0) return warning('evaluation', `It is valid, ${score}, but nobody knows why ${unknown.count} of ${countText(evaluation.episodes, 'episode')} ended.`, evidence, 'Bring `terminations.probes` of the task in line with the task\'s own code.');
  return ok('evaluation', `It is valid: ${score} over ${countText(evaluation.episodes, 'episode')}.`, evidence);
}

function judgeSpeed({ study, times, observed, outcome }: Seen): DoctorFinding {
  const { study_s: studyS, budget_s: budgetS, refineS } = times;
  const evidence = [
    `${shown(observed.stepsPerS ?? outcome.steps / (observed.trainingS ?? 1))} steps per second, one trial alone on the machine`,
    ...times.stages.map((one) => `${one.stage}: ${countText(one.trials, 'trial')} of ${seconds(one.each_s)}, ${durationText(one.all_s)} in all`),
  ];
  const limitS = study.base.max_trial_s;
  if (refineS !== null && refineS > limitS) return failed('speed', `A refine trial would take ${seconds(refineS)}, and its limit is ${seconds(limitS)}.`, evidence, `Raise \`base.max_trial_s\` and \`per_trial_s\` of the budget gate to at least ${Math.ceil(refineS * 1.5)}, or train fewer steps.`);
  const whole = durationText(studyS ?? 0);
  if (budgetS === null) return warning('speed', `The study would take ${whole}, and the budget gate has no value yet.`, evidence, `Give it at least ${hours((studyS ?? 0) * 1.5)} wall hours.`);
  if ((studyS ?? 0) > budgetS) return failed('speed', `The study would take ${whole}, more than its budget of ${durationText(budgetS)}.`, evidence, 'Take fewer candidates, steps or looks, or raise the budget gate.');
  const isRefused = study.cost.totalS > budgetS;
  if (isRefused) return warning('speed', `The study would take ${whole} of ${durationText(budgetS)}, but is refused for what its trials may take at most.`, evidence, `Lower \`base.max_trial_s\` to about ${Math.ceil((refineS ?? 0) * 2)}.`);
  return ok('speed', `The study would take ${whole} of its budget of ${durationText(budgetS)}.`, evidence);
}

function judgeMemory({ study, observed, memoryBytes, usableCores, outcome }: Seen): DoctorFinding {
  const parallel = Math.max(study.stages.screen.max_parallel, study.stages.refine.max_parallel);
  const vram = outcome.peak_vram_bytes === 'unknown' ? 'VRAM: unknown, no GPU is asked' : `VRAM: ${gigabytes(outcome.peak_vram_bytes)}`;
  const isCpu = study.base.devices.every((device) => device === 'cpu');
  const cores = [`${countText(usableCores, 'usable core')} for ${countText(parallel, 'trial', 'trials at once')}`];
  const { peakMemoryBytes: peak } = observed;
  if (peak === 'unknown') return warning('memory', 'Its memory could not be measured here.', [vram, ...cores], 'Watch it with the tools of your system before running several trials at once.');
  const fits = Math.floor((memoryBytes * 0.8) / peak);
  const evidence = [`peak ${gigabytes(peak)} of ${gigabytes(memoryBytes)}: ${countText(fits, 'such trial')} would fit`, ...(isCpu ? [] : [vram]), ...cores];
  if (fits < parallel) return failed('memory', `${countText(parallel, 'trial needs', 'trials at once need')} more memory than there is.`, evidence, fits < 1 ? 'Lower `num_envs`.' : `Set \`max_parallel\` to ${fits}, or lower \`num_envs\`.`);
  if (isCpu && parallel > usableCores) return warning('memory', `${parallel} trials at once share ${countText(usableCores, 'core')}: they will be slower than measured here.`, evidence, `Set \`max_parallel\` to ${usableCores}.`);
  const most = study.baseline.num_envs * Math.max(1, 2 ** Math.floor(Math.log2(Math.max(1, fits / parallel))));
  return ok('memory', `A trial needs ${gigabytes(peak)}; ${parallel} at once fit.`, [...evidence, `were memory to grow with num_envs alone, ${most} would still fit (now ${study.baseline.num_envs})`]);
}

function ok(name: Name, text: string, evidence: readonly string[]): DoctorFinding {
  return { name, state: 'ok', text, evidence: [...evidence], fix: '' };
}

function warning(name: Name, text: string, evidence: readonly string[], fix: string): DoctorFinding {
  return { name, state: 'warning', text, evidence: [...evidence], fix };
}

function failed(name: Name, text: string, evidence: readonly string[], fix: string): DoctorFinding {
  return { name, state: 'failed', text, evidence: [...evidence], fix };
}

function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : durationText(value);
}

function hours(valueS: number): string {
  return Math.max(0.1, valueS / 3600).toFixed(1);
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}

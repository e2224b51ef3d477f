// Computes the training figures of a trial again from its event files, through the same monitor that watched it. This room only.
import path from 'node:path';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { plateauRule } from '../../../src-protocol/files/study.ts';
import { compareEventFiles, isEventFile } from '../../tfevents/event-file-name.ts';
import { makeRunReader, type RunReader } from '../../tfevents/run-reader.ts';
import { scalarPoints } from '../../tfevents/scalar-columns.ts';
import { monitorRules } from '../campaign/launch-rules.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { matchesAny } from '../metrics/glob.ts';
import type { MetricPoint } from '../metrics/metric-point.ts';
import { t90 } from '../metrics/t90.ts';
import { makeTagMatch } from '../metrics/tag-match.ts';
import { makeMonitor, type Monitor } from '../trial/monitor.ts';
import { bundleName, bundleRoot } from './bundle-place.ts';
import type { BundleFiles } from './bundle-files.ts';
import type { ZipEntry } from './zip-container.ts';

export interface TrainingAgain {
  /** What differs: `steps: 4096 in the record, 4095 in its event files`. */
  readonly differences: readonly string[];
  /** Figures that could not be told, with the reason. */
  readonly untold: readonly string[];
}

/** Null when the trial's event files are not in the bundle. */
export async function recomputeTraining(files: BundleFiles, options: { readonly study: LoadedStudy; readonly folder: string; readonly record: TrialRecord }): Promise<TrainingAgain | null> {
  const { study, folder, record } = options;
  const found = eventFiles(files, folder, study.adapter.logs);
  if (found.length === 0) return null;
  const monitor = makeMonitor({ rules: rulesOf(study, record), stage: record.stage, adapter: study.adapter, timesteps: record.timesteps, startMonoMs: 0, maxTrialMs: Infinity });
  const see = untilLast(monitor, { study, record });
  const damaged = await feed(files, { folder, found, study, see });
  if (damaged !== null) return { differences: [], untold: [damaged] };
  return compare(monitor, record);
}

function eventFiles(files: BundleFiles, folder: string, globs: readonly string[]): readonly { readonly relative: string; readonly entry: ZipEntry }[] {
  const prefix = `${bundleName(bundleRoot, folder)}/`;
  return files
    .namesBelow(folder)
    .map((name) => name.slice(prefix.length))
    .filter((relative) => isEventFile(path.posix.basename(relative)) && matchesAny(globs, relative))
    .sort((a, b) => compareText(path.posix.dirname(a), path.posix.dirname(b)) || compareEventFiles(path.posix.basename(a), path.posix.basename(b)))
    .flatMap((relative) => {
      const entry = files.entry(path.join(folder, ...relative.split('/')));
      return entry === null ? [] : [{ relative, entry }];
    });
}

/** A plateau that was switched off for an extra trial did not end it; one that ended it shows. */
function rulesOf(study: LoadedStudy, record: TrialRecord) {
  const { plateau, ...rules } = monitorRules(study, record.stage);
  if (record.stage !== 'extra') return plateau === undefined ? rules : { ...rules, plateau };
  return record.rule === 'plateau' ? { ...rules, plateau: plateau ?? plateauRule.parse({}) } : rules;
}

/** A trial that was ended from outside may have written more than its record counted: what came after its last step is left out. */
function untilLast(monitor: Monitor, { study, record }: { readonly study: LoadedStudy; readonly record: TrialRecord }): (points: readonly MetricPoint[]) => void {
  const isCutShort = record.status === 'cancelled' || ['budget', 'hung', 'oom'].includes(record.rule ?? '') || (record.status === 'failed' && record.rule === null);
  let isOver = false;
  return (points) => {
    for (const point of points) {
      isOver ||= isCutShort && point.mapped?.axis === study.adapter.axis && point.step > record.steps;
      if (!isOver) monitor.see([point]);
    }
  };
}

interface Feed {
  readonly folder: string;
  readonly found: ReturnType<typeof eventFiles>;
  readonly study: LoadedStudy;
  readonly see: (points: readonly MetricPoint[]) => void;
}

/** Null, or why a file could not be read to its end. */
async function feed(files: BundleFiles, { found, study, see }: Feed): Promise<string | null> {
  const match = makeTagMatch(study.adapter.metrics);
  const runs = new Map<string, RunReader>();
  for (const { relative, entry } of found) {
    const at = path.posix.dirname(relative);
    const run = runs.get(at) ?? makeRunReader();
    runs.set(at, run);
    const reader = run.file(path.posix.basename(relative));
    for await (const piece of files.content(entry)) {
      const points = [...scalarPoints(reader.push(piece).points)];
      see(points.map(({ tag, step, wallTime, value }) => ({ tag, mapped: match(tag), step, wallTimeS: wallTime, value })));
      if (reader.state.kind === 'damaged') return `${relative} is damaged at byte ${reader.state.atByte}`;
    }
  }
  return null;
}

function compare(monitor: Monitor, record: TrialRecord): TrainingAgain {
  const view = monitor.view();
  const rise = t90(view.reward, view.firstEventS ?? 0);
  const differences: string[] = [];
  const untold: string[] = [];
  const hold = (name: string, said: number | null, found: number | null) => {
    if (said !== found && !(Number.isNaN(said) && Number.isNaN(found))) differences.push(`${name} ${said ?? 'none'} in the record, ${found ?? 'none'} in its event files`);
  };
  hold('steps', record.steps, view.lastStep);
  hold('train_reward_min', record.train_reward_min, view.lowestReward);
  hold('train_reward_final', record.train_reward_final, view.reward.at(-1)?.smoothed ?? null);
  hold('t90_steps', record.t90_steps, rise.steps);
  // Time in which the machine slept is taken off, and event files do not tell of it.
  const isLess = record.t90_s !== null && rise.seconds !== null && record.t90_s < rise.seconds;
  if (isLess) untold.push(`t90_s is ${record.t90_s} in the record and at most ${rise.seconds} by its event files: the machine may have slept`);
  else hold('t90_s', record.t90_s, rise.seconds);
  const { rule, reason } = record;
  if (rule === 'nan' || rule === 'gate' || rule === 'plateau') {
    const decision = monitor.tick({ monoMs: 0, suspendedMs: 0, isAlive: false, consoleProgress: false, artifactsDone: false });
    if (decision?.rule !== rule) differences.push(`ended by the rule ${rule} in the record, by ${decision?.rule ?? 'none'} in its event files`);
    hold('reason.step', reason.step, decision?.step ?? null);
    hold('reason.value', reason.value, decision?.value ?? null);
  } else {
    const isByClock = rule === 'hung' || rule === 'oom' || rule === 'budget';
    hold('reason.step', reason.step, isByClock && (reason.step !== null || view.lastStep > 0) ? view.lastStep : null);
    hold('reason.value', reason.value, null);
  }
  return { differences, untold };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

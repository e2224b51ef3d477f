// The doctor's one trial: the unmodified baseline through the same code as every trial, and what it says. This room only.
import path from 'node:path';
import type { DoctorMeasured } from '../../../src-protocol/files/doctor.ts';
import { isEventFile } from '../../tfevents/event-file-name.ts';
import { findMatches } from '../metrics/glob.ts';
import { findCheckpoint } from '../trial/artifacts.ts';
import { stripTerminalCodes } from '../trial/console-progress.ts';
import { lastLine } from '../trial/training-verdict.ts';
import { trialPaths } from '../workspace/layout.ts';
import { judgeTrial, type Seen } from './findings.ts';
import { lookAtInterpreter } from './interpreter.ts';
import { compareResumed } from './resume.ts';
import type { Doctor, Examined } from './run-doctor.ts';
import { stageTimes } from './stage-times.ts';
import { planPart, trainPart } from './train-part.ts';

export async function trainBaseline(doctor: Doctor): Promise<Examined> {
  const { ports, root, permission, paths, checkLaunch, tagPrefix } = doctor;
  const { adapter } = permission.live.study;
  const planned = await planPart(doctor, { folder: paths.trial, timesteps: permission.live.timesteps, checkpoint: null });
  const interpreter = await lookAtInterpreter({ ports, adapter, plan: planned.plan, root, folder: paths.folder, tag: `${tagPrefix}:interpreter`, checkLaunch });
  if (interpreter.state === 'failed' || doctor.signal.aborted) return { findings: [interpreter], measured: nothingMeasured(doctor), evaluation: null, checkpoint: null };
  const part = await trainPart(doctor, { folder: paths.trial, ...planned });
  const { outcome, observed } = part;
  const seen = await lookBack(doctor, { ...part, threads: planned.trial.threads });
  const findings = [interpreter, ...judgeTrial(seen)];
  if (outcome.status === 'completed' && !doctor.signal.aborted) findings.push(await compareResumed(doctor, part));
  const { times } = seen;
  return {
    findings,
    measured: {
      first_event_s: observed.firstEventS,
      longest_silence_s: observed.longestSilenceS,
      steps_per_s: observed.stepsPerS,
      training_s: observed.trainingS,
      evaluation_s: observed.evaluationS,
      peak_memory_bytes: observed.peakMemoryBytes,
      peak_vram_bytes: outcome.peak_vram_bytes,
      stages: times.stages,
      study_s: times.study_s,
      budget_s: times.budget_s,
    },
    evaluation: outcome.evaluation,
    checkpoint: seen.checkpoint === null ? null : { path: `trial/${seen.checkpoint}`, sha256: outcome.checkpoint_sha256, step: null },
  };
}

async function lookBack(doctor: Doctor, of: Pick<Seen, 'outcome' | 'observed' | 'trouble' | 'threads'>): Promise<Seen> {
  const { ports, permission, paths } = doctor;
  const { study, timesteps } = permission.live;
  const { files } = ports;
  const all = (await findMatches(files, paths.trial, ['**'])).filter(({ relative, stat }) => stat.kind === 'file' && isEventFile(path.posix.basename(relative)));
  const named = new Set((await findMatches(files, paths.trial, study.adapter.logs)).map(({ relative }) => relative));
  const { memoryBytes, usableCores } = await ports.machine.hardware();
  return {
    ...of,
    study,
    timesteps,
    eventFilesElsewhere: all.filter(({ relative }) => !named.has(relative)).map(({ relative }) => relative),
    checkpoint: (await findCheckpoint(files, paths.trial, study.adapter.checkpoints.glob))?.relative ?? null,
    checkpointFiles: await files.list(trialPaths(paths.trial).checkpoints),
    lastWords: await readLastWords(doctor),
    times: stageTimes(study, of.observed, of.outcome.steps),
    memoryBytes,
    usableCores,
  };
}

const tailBytes = 16 * 1024;

/** The most telling line first. */
async function readLastWords({ ports, paths, redact }: Doctor): Promise<readonly string[]> {
  const { console: at } = trialPaths(paths.trial);
  const stat = await ports.files.stat(at);
  if (stat === null) return [];
  const text = new TextDecoder().decode(await ports.files.readSlice(at, Math.max(0, stat.sizeBytes - tailBytes), tailBytes));
  const lines = stripTerminalCodes(text).split(/[\r\n]+/).map((line) => line.trim().slice(0, 300));
  return [lastLine(text), ...lines.filter((line) => line !== '')].map(redact);
}

export function nothingMeasured({ permission }: Pick<Doctor, 'permission'>): DoctorMeasured {
  const { budget_s } = stageTimes(permission.live.study, { trainingS: null, evaluationS: null, stepsPerS: null }, 0);
  return { first_event_s: null, longest_silence_s: null, steps_per_s: null, training_s: null, evaluation_s: null, peak_memory_bytes: 'unknown', peak_vram_bytes: 'unknown', stages: [], study_s: null, budget_s };
}

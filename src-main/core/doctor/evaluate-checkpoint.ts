// The honest score of a checkpoint that somebody brings: evaluated under canonical settings, and nothing trained. This room only.
import path from 'node:path';
import { noNormalizer } from '../../../src-protocol/files/adapter.ts';
import type { DoctorFinding } from '../../../src-protocol/files/doctor.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { needsNormalizer, primaryMetric } from '../campaign/launch-rules.ts';
import { findCheckpoint, foreignCheckpoint, type Checkpoint } from '../trial/artifacts.ts';
import { findMatches } from '../metrics/glob.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import { runEvaluation } from '../trial/run-evaluation.ts';
import { withEvaluation } from '../trial/trial-file.ts';
import { trialPaths } from '../workspace/layout.ts';
import { judgeEvaluation, knownCauseOf } from './findings.ts';
import { lookAtInterpreter } from './interpreter.ts';
import type { Doctor, Examined } from './run-doctor.ts';
import { nothingMeasured } from './train-baseline.ts';
import { planPart } from './train-part.ts';

/** A file (or a folder, for trainers that save one) inside the repository, links resolved. Throws RefusalError: no_checkpoint. */
export async function findCheckpointToJudge(files: Files, root: string, given: string): Promise<Checkpoint> {
  const none = (why: string): never => refuse('no_checkpoint', `${given} is no checkpoint that could be evaluated: ${why}.`, { next: 'Give a checkpoint of this repository, relative to its root or absolute.' });
  const wanted = path.resolve(root, given);
  const at = await files.realPath(wanted).catch(() => none('it is not there'));
  const inside = path.relative(await files.realPath(root), at);
  if (inside === '' || inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) none('it lies outside the repository');
  const found = await findCheckpoint(files, path.dirname(at), escapeGlob(path.basename(at)));
  return found ?? none('it is empty, cut short or unfinished');
}

export async function evaluateCheckpoint(doctor: Doctor, given: string): Promise<Examined> {
  const { ports, root, permission, paths, tagPrefix, signal } = doctor;
  const { study, timesteps } = permission.live;
  const chosen = await findCheckpointToJudge(ports.files, root, given);
  const { trial: trained } = await planPart(doctor, { folder: paths.trial, timesteps, checkpoint: null });
  const trial = withEvaluation(trained, { policy: 'checkpoint', env_cfg: study.baseline.env_cfg, canonical: study.task.canonical, checkpoint: await layOut(doctor, chosen) });
  const plan = planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder: paths.trial, root });
  const interpreter = await lookAtInterpreter({ ports, adapter: study.adapter, plan, root, folder: paths.folder, tag: `${tagPrefix}:interpreter`, checkLaunch: doctor.checkLaunch });
  const measured = nothingMeasured(doctor);
  if (interpreter.state === 'failed' || signal.aborted) return { findings: [interpreter], measured, evaluation: null, checkpoint: null };
  const startMs = ports.clock.monotonicMs();
  const rules = study.stages.screen.monitor;
  const result = await runEvaluation({
    ports,
    plan,
    trial,
    folder: paths.trial,
    tag: `${tagPrefix}:evaluation`,
    rules,
    maxMs: doctor.leftMs(),
    metric: primaryMetric(study),
    needsNormalizer: needsNormalizer(study, study.baseline),
    checkLaunch: doctor.checkLaunch,
    control: { signal, cause: 'stop' },
    graceMs: rules.grace_s * 1000,
  });
  const evaluationS = (ports.clock.monotonicMs() - startMs) / 1000;
  const foreign = result.file === null ? null : await foreignCheckpoint(ports.files, chosen, result.file);
  const summary = result.summary === null || foreign === null ? result.summary : { ...result.summary, valid: false, problem: foreign, score: null, score_low: null, score_high: null };
  const text = result.ending === null ? '' : doctor.redact(result.ending.reason.text);
  const loaded: DoctorFinding = {
    name: 'checkpoint',
    state: result.file === null || foreign !== null ? 'failed' : 'ok',
    text: result.file === null ? `It could not be evaluated: ${text}.` : (foreign ?? 'It is whole, and the evaluation loaded it.'),
    evidence: [given],
    fix: result.file === null ? (knownCauseOf([text])?.[1] ?? 'See that it was saved by this trainer, with the agent settings of the task.') : '',
  };
  const judged = judgeEvaluation({ evaluation: summary, reason: result.ending?.reason ?? { code: 'finished', text, cause: null, step: null, value: null } });
  const { checkpoint } = result.file ?? { checkpoint: null };
  return {
    findings: [interpreter, loaded, ...(result.file === null ? [] : [judged])],
    measured: { ...measured, evaluation_s: evaluationS },
    evaluation: summary,
    checkpoint: { path: given, sha256: checkpoint?.sha256 ?? null, step: checkpoint?.step ?? null },
  };
}

/**
 * Copies it to where the evaluation of a trial finds its checkpoint, with the observation statistics that lie beside it. Gives what
 * trial.json names; a folder is evaluated where it lies.
 */
async function layOut({ ports, paths, permission }: Doctor, chosen: Checkpoint): Promise<string> {
  const { files } = ports;
  if ((await files.stat(chosen.path))?.kind !== 'file') return chosen.path;
  const { checkpoints } = trialPaths(paths.trial);
  const name = path.basename(chosen.path);
  await files.makeFolder(checkpoints);
  await files.copyFile(chosen.path, path.join(checkpoints, name));
  const { normalizer = noNormalizer } = permission.live.study.adapter;
  if (normalizer !== noNormalizer) {
    const folder = path.posix.dirname(normalizer);
    const to = path.join(paths.trial, /[*?]/.test(folder) ? 'checkpoints' : folder);
    await files.makeFolder(to);
    for (const found of await findMatches(files, path.dirname(chosen.path), [path.posix.basename(normalizer)])) {
      if (found.stat.kind === 'file') await files.copyFile(found.path, path.join(to, path.basename(found.path)));
    }
  }
  return path.posix.join('checkpoints', name);
}

/** A name is meant, and no pattern. */
function escapeGlob(name: string): string {
  return name.replace(/[*]/g, '?');
}

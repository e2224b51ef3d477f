// Evaluates one trial as trial.json describes it and writes evaluation.json. Imported by evaluate.ts and tests.
import { countText } from '../../src-protocol/count-text.ts';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { replaceFile } from '../../src-main/durable/replace-file.ts';
import type { EvaluationFile } from '../../src-protocol/files/evaluation.ts';
import { stringifyWire } from '../../src-protocol/number.ts';
import { chooseBackend } from '../backend/choose.ts';
import { makeEnv } from '../envs/make-env.ts';
import type { VectorEnv } from '../envs/vector-env.ts';
import { actorCriticShape } from '../models/actor-critic.ts';
import { makeObservationNormalizer } from '../models/observation-normalizer.ts';
import { makeStreams, type Streams } from '../seeding/streams.ts';
import { policyActor, randomActor, zeroActor } from './actors.ts';
import { decodePolicy, type LoadedPolicy } from './checkpoint.ts';
import { newestCheckpoint } from './checkpoint-folder.ts';
import { playEpisodes, type Actor } from './play-episodes.ts';
import type { TrialContext } from './trial-context.ts';

export interface EvaluateHooks {
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

/** Episodes depend on the evaluation's seed alone: `stream_offset` and the trial's seed move nothing here. */
export async function evaluateTrial(context: TrialContext, hooks: EvaluateHooks): Promise<EvaluationFile> {
  const { trial } = context;
  const { evaluation } = trial;
  const streams = makeStreams(evaluation.seed);
  const env = await makeEnv({ entry: trial.entry, entryRoot: trial.entry_root, envCfg: evaluation.env_cfg, numEnvs: evaluation.num_envs, streams });
  const { act, checkpoint, normalizer } = await chooseActor(context, env, streams);
  hooks.write(`evaluating ${trial.candidate}, policy ${evaluation.policy}: ${countText(evaluation.num_envs, 'environment')} x ${countText(evaluation.episodes_per_env, 'episode')}`);
  const episodes = await playEpisodes(env, act, {
    episodesPerEnv: evaluation.episodes_per_env,
    maxSteps: evaluation.max_steps,
    onStep: makeStepReport(hooks),
  });
  const file: EvaluationFile = {
    schema: 1,
    policy: evaluation.policy,
    checkpoint,
    normalizer,
    num_envs: evaluation.num_envs,
    episodes_per_env: evaluation.episodes_per_env,
    max_steps: evaluation.max_steps,
    seed: evaluation.seed,
    deterministic: evaluation.deterministic,
    episodes: [...episodes],
  };
  const path = context.path(trial.evaluation_file);
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${stringifyWire(file)}\n`);
  const mean = episodes.reduce((sum, row) => sum + row.return, 0) / episodes.length;
  hooks.write(`evaluated ${countText(episodes.length, 'episode')}  mean return ${mean.toFixed(1)}`);
  return file;
}

interface Chosen {
  readonly act: Actor;
  readonly checkpoint: EvaluationFile['checkpoint'];
  readonly normalizer: EvaluationFile['normalizer'];
}

async function chooseActor(context: TrialContext, env: VectorEnv, streams: Streams): Promise<Chosen> {
  const { policy, deterministic } = context.trial.evaluation;
  const generators = Array.from({ length: env.numEnvs }, (_, i) => streams.make('policy_sampling', i));
  switch (policy) {
    case 'zero':
      return { act: zeroActor(), checkpoint: null, normalizer: 'none' };
    case 'random':
      return { act: randomActor(generators), checkpoint: null, normalizer: 'none' };
    case 'checkpoint': {
      const shape = actorCriticShape(env.observationSize, env.actionCount, context.config.models.hidden).policy;
      const { loaded, checkpoint } = await loadCheckpoint(context, (bytes) =>
        decodePolicy(bytes, { shape, normalizes: context.config.agent.normalize_observations }),
      );
      const network = await (await chooseBackend(context.trial.backend)).makeNetwork(shape, loaded.policy);
      const normalizer = loaded.normalizer === null ? null : makeObservationNormalizer(env.observationSize, loaded.normalizer);
      const act = policyActor({ policy: network, normalizer, samplers: deterministic ? null : generators });
      return { act, checkpoint, normalizer: normalizer === null ? 'none' : 'present' };
    }
  }
}

/** The trial's own `checkpoint`, or the newest in its folder. Errors name the file. */
async function loadCheckpoint(context: TrialContext, decode: (bytes: Uint8Array) => LoadedPolicy) {
  const { trial } = context;
  const path = trial.checkpoint === null ? await newestCheckpoint(context.path(trial.checkpoints)) : context.path(trial.checkpoint);
  try {
    const bytes = await readFile(path);
    const loaded = decode(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { loaded, checkpoint: { path: shownPath(context.folder, path), sha256, step: loaded.step } };
  } catch (error) {
    throw new Error(`checkpoint ${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Relative to the trial's folder with forward slashes where it lies inside, else absolute. */
function shownPath(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') ? path : inside.split(sep).join('/');
}

/** One line per second with growing numbers. */
function makeStepReport({ write, nowMs }: EvaluateHooks): (finished: number) => void {
  let steps = 0;
  let lastMs = nowMs();
  return (finished) => {
    steps += 1;
    if (nowMs() - lastMs < 1000) return;
    lastMs = nowMs();
    write(`evaluation step ${steps}  episodes ${finished}`);
  };
}

// Evaluating a trial: which episodes count, what each row says, which checkpoint, what is refused.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationFile } from '../../src-protocol/files/evaluation.ts';
import { makeCartPole } from '../../src-runner/envs/cartpole.ts';
import { evaluateTrial } from '../../src-runner/harness/evaluate-trial.ts';
import { playEpisodes } from '../../src-runner/harness/play-episodes.ts';
import { trainTrial } from '../../src-runner/harness/train-trial.ts';
import { readTrial } from '../../src-runner/harness/trial-context.ts';
import { makeGenerator } from '../../src-runner/seeding/generator.ts';
import { makeTrialRoot, type TrialChanges } from './trial-folder.ts';

const trials = makeTrialRoot();
const quiet = { write: () => undefined, nowMs: () => 0 };
let trained = '';
beforeAll(async () => {
  trained = trials.trial('trained');
  await trainTrial(await readTrial(trained), { ...quiet, isInterrupted: () => false });
});
afterAll(() => trials.dispose());

/** Evaluates the trained trial with other settings, in its own folder. */
async function evaluate(changes: TrialChanges = {}) {
  return evaluateTrial(await readTrial(trials.trial('trained', changes)), quiet);
}

describe('evaluating a trial', () => {
  it('RU31: the file holds exactly the first episodes of every environment, in order, and the checkpoint with its digest', async () => {
    await evaluate();
    const folder = dirname(trained);
    const file = evaluationFile.parse(JSON.parse(readFileSync(join(folder, 'evaluation.json'), 'utf8')));
    expect(file.episodes.map((row) => [row.env, row.episode])).toEqual([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]);
    expect(file.normalizer).toBe('present');
    const sha256 = createHash('sha256').update(readFileSync(join(folder, 'checkpoints/step_1000.safetensors'))).digest('hex');
    expect(file.checkpoint).toEqual({ path: 'checkpoints/step_1000.safetensors', sha256, step: 1000 });
    expect(file.episodes.every((row) => row.return === row.length)).toBe(true);
  });

  it('RU31: short episodes are not favoured: an environment that ends often waits for the slow one', async () => {
    const env = makeCartPole([makeGenerator(0), makeGenerator(1)]);
    // Environment 0 is pushed over; environment 1 is held up by its own lean.
    const rows = await playEpisodes(env, async (e, actions) => {
      actions[0] = 0;
      actions[1] = e.observations[6]! + 0.2 * e.observations[7]! > 0 ? 1 : 0;
    }, { episodesPerEnv: 2, maxSteps: 500 });
    expect(rows.map((row) => [row.env, row.episode, row.cause])).toEqual([
      [0, 0, 'fell_right'], [0, 1, 'fell_right'], [1, 0, rows[2]!.cause], [1, 1, rows[3]!.cause],
    ]);
    expect(rows[2]!.length).toBeGreaterThan(10 * rows[0]!.length);
  });

  it('RU32: the same trial evaluates to the same bytes, whatever its training seed or stream_offset', async () => {
    const read = async (changes: TrialChanges): Promise<string> => {
      await evaluate(changes);
      return readFileSync(join(dirname(trained), 'evaluation.json'), 'utf8');
    };
    const first = await read({});
    const agent = { agent: { rollouts: 32, stream_offset: 5 }, models: { hidden: [16] } };
    expect(await read({})).toBe(first);
    expect(await read({ seed: 99, agent_cfg: agent })).toBe(first);
    expect(await read({ evaluation: { seed: 1 } })).not.toBe(first);
    const sampled = await read({ evaluation: { deterministic: false } });
    expect(await read({ evaluation: { deterministic: false } })).toBe(sampled);
    expect(sampled).not.toBe(first);
  });

  it('RU33: an episode cut by max_steps is unfinished; one that meets its own limit there is time_out', async () => {
    const causes = async (envLimit: number, maxSteps: number) =>
      (await evaluate({ evaluation: { env_cfg: { max_episode_steps: envLimit }, max_steps: maxSteps } })).episodes.map((row) => [row.cause, row.length]);
    expect(new Set((await causes(500, 4)).flat())).toEqual(new Set(['unfinished', 4]));
    expect(new Set((await causes(4, 4)).flat())).toEqual(new Set(['time_out', 4]));
    expect(new Set((await causes(4, 500)).flat())).toEqual(new Set(['time_out', 4]));
  });

  it('RU34: shaping in env_cfg never moves the counted return', async () => {
    const plain = await evaluate();
    const shaped = await evaluate({ evaluation: { env_cfg: { shaping: { position: 50, angle: -9 } } } });
    expect(shaped.episodes).toEqual(plain.episodes);
  });

  it('RU35: random and zero policies need no checkpoint, and random is reproducible', async () => {
    const alone = trials.trial('alone', { evaluation: { policy: 'random' } });
    const first = await evaluateTrial(await readTrial(alone), quiet);
    expect([first.checkpoint, first.normalizer]).toEqual([null, 'none']);
    expect((await evaluateTrial(await readTrial(alone), quiet)).episodes).toEqual(first.episodes);
    const zero = await evaluateTrial(await readTrial(trials.trial('alone', { evaluation: { policy: 'zero' } })), quiet);
    expect(zero.episodes.every((row) => row.cause === 'fell_right' && row.length < 12)).toBe(true);
  });

  it('RU36: the newest checkpoint is evaluated unless the trial names one', async () => {
    expect((await evaluate({ checkpoint: 'checkpoints/step_256.safetensors' })).checkpoint).toMatchObject({ path: 'checkpoints/step_256.safetensors', step: 256 });
    const elsewhere = join(trials.root, 'moved.safetensors');
    copyFileSync(join(dirname(trained), 'checkpoints/step_0.safetensors'), elsewhere);
    expect((await evaluate({ checkpoint: elsewhere })).checkpoint).toMatchObject({ path: elsewhere, step: 0 });
  });

  it('RU37: a checkpoint without statistics, of another shape, or damaged is refused and no evaluation is written', async () => {
    const raw = trials.trial('raw', { agent_cfg: { agent: { rollouts: 32, normalize_observations: false }, models: { hidden: [16] } } });
    await trainTrial(await readTrial(raw), { ...quiet, isInterrupted: () => false });
    expect((await evaluateTrial(await readTrial(raw), quiet)).normalizer).toBe('none');
    const file = join(dirname(trained), 'evaluation.json');
    rmSync(file, { force: true });
    await expect(evaluate({ checkpoint: join(dirname(raw), 'checkpoints/step_1000.safetensors') })).rejects.toThrow(/checkpoint .*raw.*statistics .* are missing/);
    await expect(evaluate({ agent_cfg: { models: { hidden: [8] } } })).rejects.toThrow('"policy.0.weight" has shape [16,4]');
    writeFileSync(join(trials.root, 'damaged.safetensors'), 'not a checkpoint');
    await expect(evaluate({ checkpoint: join(trials.root, 'damaged.safetensors') })).rejects.toThrow(/damaged\.safetensors: a header of/);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('RU38: causes, success and metrics of a user environment reach the rows', async () => {
    writeFileSync(
      join(trials.root, 'walk.mjs'),
      `export function makeEnv(options, rlxp) {
         const makeOne = (generator) => {
           let t = 0;
           return {
             reset() { t = 0; return [0]; },
             step: (action) => ({ observation: [++t], reward: 1, terminated: t === 3, cause: '', success: t === 3, metrics: { height: t === 3 ? Infinity : t } }),
           };
         };
         return rlxp.vectorise(makeOne, { ...options, observationSize: 1, actionCount: 2, timeLimit: null });
       }`,
    );
    const path = trials.trial('walk', { entry: './walk.mjs#makeEnv', evaluation: { policy: 'zero', num_envs: 1, episodes_per_env: 1 } });
    await evaluateTrial(await readTrial(path), quiet);
    const file = evaluationFile.parse(JSON.parse(readFileSync(join(dirname(path), 'evaluation.json'), 'utf8')));
    expect(file.episodes).toEqual([{ env: 0, episode: 0, return: 3, length: 3, cause: 'unattributed', success: true, metrics: { height: Infinity } }]);
  });
});

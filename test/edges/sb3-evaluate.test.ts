// The evaluation script of Stable-Baselines3 against the library's own evaluate_policy, and what it refuses.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { summarise } from '../../src-main/core/evaluation/summarise.ts';
import { causesOf, evaluate, fixture, fixtures, ground, runPython, sortedEpisodes, type EdgeRun } from './edge-case.ts';

const models = join(ground, 'models');
const statistics = ['--normalizer', 'checkpoints/*vecnormalize*.pkl'];
let expected: Readonly<Record<string, readonly (readonly [number, number])[]>>;

beforeAll(() => {
  mkdirSync(models);
  const { code, out } = runPython([fixture('prepare.py'), models]);
  if (code !== 0) throw new Error(out);
  expected = JSON.parse(readFileSync(join(models, 'expected.json'), 'utf8')) as typeof expected;
}, 300_000);

const cartpole = (change: Partial<EdgeRun> = {}): EdgeRun => ({ edge: 'sb3', folder: join(models, 'cartpole'), args: statistics, ...change });
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** A copy of the CartPole trial, for tests that spoil it. */
function copied(name: string): string {
  const folder = join(ground, name);
  cpSync(join(models, 'cartpole'), folder, { recursive: true });
  return folder;
}

describe('sb3_evaluate.py', { timeout: 300_000 }, () => {
  it('EG1: plays the very episodes of evaluate_policy with frozen statistics, and returns as the environment pays them', () => {
    const folder = join(models, 'cartpole');
    const before = sha256(join(folder, 'checkpoints/vecnormalize.pkl'));
    const result = evaluate(cartpole());
    expect(sortedEpisodes(result)).toEqual(expected['cartpole']);
    expect(new Set(expected['cartpole']?.map(([value]) => value)).size, 'episodes that differ').toBeGreaterThan(4);
    // CartPole pays 1 a step: a normalised reward would not.
    for (const row of result.evaluation?.episodes ?? []) expect(row.return).toBe(row.length);
    expect(result.evaluation).toMatchObject({ normalizer: 'present', checkpoint: { path: 'checkpoints/model.zip', sha256: sha256(join(folder, 'checkpoints/model.zip')), step: 2048 } });
    expect(sha256(join(folder, 'checkpoints/vecnormalize.pkl'))).toBe(before);
    expect(evaluate(cartpole()).text, 'again').toBe(result.text);
  });

  it('EG1: EG4: gives an evaluation that the core finds valid', () => {
    const { evaluation } = evaluate(cartpole({ evaluation: { num_envs: 3, episodes_per_env: 4 } }));
    if (evaluation === null) throw new Error('none was written');
    expect(evaluation.episodes.map(({ env, episode }) => `${env}/${episode}`)).toEqual([0, 1, 2].flatMap((env) => [0, 1, 2, 3].map((episode) => `${env}/${episode}`)));
    const summary = summarise(evaluation, { expected: { ...evaluation, policy: 'checkpoint' }, metric: { primary: 'score', direction: 'maximise' }, needsNormalizer: true });
    expect(summary).toMatchObject({ valid: true, episodes: 12 });
  });

  it('EG3: tells a fall from the limit of the environment, and both from the cut of the evaluation', () => {
    expect(causesOf(evaluate(cartpole()))).toEqual(['terminated: 10']);
    const pendulum = (max_steps: number): EdgeRun => ({ edge: 'sb3', folder: join(models, 'pendulum'), trial: { entry: 'Pendulum-v1' }, evaluation: { max_steps } });
    const whole = evaluate(pendulum(1000));
    expect([causesOf(whole), sortedEpisodes(whole)]).toEqual([['time_out: 10'], expected['pendulum']]);
    expect(causesOf(evaluate(pendulum(200))), 'a cap at the environment\'s own limit').toEqual(['time_out: 10']);
    const cut = evaluate(pendulum(150));
    expect([causesOf(cut), cut.evaluation?.episodes[0]?.length]).toEqual([['unfinished: 10'], 150]);
  });

  it('EG2: EG10: refuses a model whose statistics are missing, of another step, or not to be told apart', () => {
    const refusal = (folder: string, change: Partial<EdgeRun> = {}) => {
      const result = evaluate(cartpole({ folder, ...change }));
      expect([result.code, result.evaluation]).toEqual([1, null]);
      return result.lastLine;
    };
    const missing = copied('missing');
    rmSync(join(missing, 'checkpoints/vecnormalize.pkl'));
    expect(refusal(missing)).toBe('refused: the observation statistics of checkpoints/model.zip are missing: no file fits `checkpoints/*vecnormalize*.pkl`');
    rmSync(join(missing, 'checkpoints/ppo_vecnormalize_1024_steps.pkl'));
    expect(refusal(missing, { trial: { checkpoint: 'checkpoints/ppo_1024_steps.zip' } })).toBe('refused: the observation statistics of checkpoints/ppo_1024_steps.zip are missing: no file fits `checkpoints/*vecnormalize*.pkl` and step 1024');
    const several = copied('several');
    cpSync(join(several, 'checkpoints/vecnormalize.pkl'), join(several, 'checkpoints/old_vecnormalize.pkl'));
    expect(refusal(several)).toMatch(/^refused: several files may hold the observation statistics/);
    expect(refusal(copied('unsaid'), { args: [] })).toMatch(/^refused: adapter.yaml says `normalizer: none`, but .*vecnormalize.* lies beside the checkpoint/);
    const broken = copied('broken');
    writeFileSync(join(broken, 'checkpoints/vecnormalize.pkl'), 'no pickle');
    expect(refusal(broken)).toMatch(/^refused: checkpoints\/vecnormalize.pkl cannot be loaded as VecNormalize statistics/);
  });

  it('EG2: finds them beside a model of another trial\'s folder, as the self-test and a replay evaluate it', () => {
    const own = evaluate(cartpole());
    const elsewhere = evaluate(cartpole({ folder: join(ground, 'self-test'), trial: { checkpoint: join(models, 'cartpole/checkpoints/model.zip') } }));
    expect(elsewhere.evaluation, elsewhere.out).toMatchObject({ normalizer: 'present', checkpoint: { step: 2048 } });
    expect(sortedEpisodes(elsewhere)).toEqual(sortedEpisodes(own));
  });

  it('EG2: takes the statistics of a checkpoint\'s own step', () => {
    const at1024 = evaluate(cartpole({ trial: { checkpoint: 'checkpoints/ppo_1024_steps.zip' } }));
    expect(at1024.evaluation).toMatchObject({ normalizer: 'present', checkpoint: { step: 1024 } });
    expect(sortedEpisodes(at1024)).not.toEqual(expected['cartpole']);
  });

  it('EG5: plays random and zero actions without any checkpoint', () => {
    for (const policy of ['random', 'zero'] as const) {
      const run: EdgeRun = { edge: 'sb3', folder: join(ground, policy), args: statistics, trial: { checkpoint: null }, evaluation: { policy } };
      const result = evaluate(run);
      expect(result.evaluation, result.out).toMatchObject({ policy, checkpoint: null, normalizer: 'none' });
      expect(evaluate(run).text).toBe(result.text);
      const continuous = evaluate({ ...run, trial: { checkpoint: null, entry: 'Pendulum-v1' } });
      expect(causesOf(continuous)).toEqual(['time_out: 10']);
    }
  });

  it.each([['a2c', 'CartPole-v1'], ['dqn', 'CartPole-v1'], ['sac', 'Pendulum-v1'], ['td3', 'Pendulum-v1']])('EG6: tells by the file that %s saved it', (name, entry) => {
    const result = evaluate({ edge: 'sb3', folder: join(models, name), trial: { entry } });
    expect(sortedEpisodes(result)).toEqual(expected[name]);
  });

  it('EG6: refuses a file that is no model', () => {
    const folder = copied('no-model');
    writeFileSync(join(folder, 'checkpoints/model.zip'), 'no zip');
    expect(evaluate(cartpole({ folder })).lastLine).toMatch(/^refused: model.zip is no model of Stable-Baselines3/);
    expect(evaluate(cartpole({ folder, trial: { checkpoint: 'checkpoints/gone.zip' } })).lastLine).toBe('refused: the checkpoint checkpoints/gone.zip is not there');
  });

  it('EG7: makes a project\'s own environment with the canonical settings, and keeps its word on success', () => {
    const trial = { entry: './envs.py#make_env', entry_root: fixtures, checkpoint: null };
    const result = evaluate({ edge: 'sb3', folder: join(ground, 'own'), trial, evaluation: { policy: 'zero', env_cfg: { pay: 0.25 } } });
    expect(result.evaluation?.episodes[0], result.out).toEqual({ env: 0, episode: 0, return: 7 * 0.25, length: 7, cause: 'terminated', success: false });
    const strange = evaluate({ edge: 'sb3', folder: join(ground, 'own'), trial: { ...trial, entry: './envs.py#make_anv' }, evaluation: { policy: 'zero' } });
    expect([strange.code, strange.lastLine]).toEqual([1, 'refused: envs.py has no make_anv']);
  });

  it('EG7: refuses observations that are not those of the training', () => {
    const result = evaluate(cartpole({ args: [], folder: join(models, 'dqn'), trial: { entry: './envs.py#make_env', entry_root: fixtures } }));
    expect(result.lastLine).toMatch(/^refused: the model was trained on Box.*, and the environment gives Box.*let the task's `entry`/);
  });
});

// The evaluation scripts for single-file trainers and for any policy: nothing of the user's script is changed.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { causesOf, evaluate, fixtures, ground, home, runPython, sortedEpisodes, type EdgeRun } from './edge-case.ts';

const script = join(home, 'examples/cleanrl-cartpole/ppo.py');
const folder = join(ground, 'trained');
let checkpoint: string;

beforeAll(() => {
  mkdirSync(folder);
  const { code, out } = runPython([script, '--seed=1', '--total-timesteps=8192', '--learning-rate=0.002', '--save-model'], folder);
  if (code !== 0) throw new Error(out);
  const [run = ''] = readdirSync(join(folder, 'runs'));
  checkpoint = `runs/${run}/ppo.cleanrl_model`;
}, 300_000);

const trained = (change: Partial<EdgeRun> = {}): EdgeRun => ({ edge: 'cleanrl', folder, args: ['--script', script], trial: { checkpoint }, ...change });

/** The script with one text replaced: as another user may have written it. */
function variant(name: string, from: string, to: string): string {
  const text = readFileSync(script, 'utf8');
  expect(text).toContain(from);
  const at = join(ground, name);
  writeFileSync(at, text.replace(from, () => to));
  return at;
}

describe('cleanrl_evaluate.py', { timeout: 300_000 }, () => {
  it('EG8: plays the saved network with the script\'s own classes, most likely actions only, the same every time', () => {
    const result = evaluate(trained());
    expect(result.evaluation, result.out).toMatchObject({ policy: 'checkpoint', normalizer: 'none', checkpoint: { path: checkpoint } });
    expect(result.evaluation?.episodes).toHaveLength(10);
    expect(evaluate(trained()).text).toBe(result.text);
    const mean = (list: readonly (readonly [number, number])[]) => list.reduce((sum, [value]) => sum + value, 0) / list.length;
    const untrained = evaluate(trained({ evaluation: { policy: 'random' }, trial: { checkpoint: null } }));
    expect(mean(sortedEpisodes(result))).toBeGreaterThan(2 * mean(sortedEpisodes(untrained)));
    const sampled = evaluate(trained({ evaluation: { deterministic: false } }));
    expect(sortedEpisodes(sampled)).not.toEqual(sortedEpisodes(result));
  });

  it('EG3: tells causes apart without being told any', () => {
    expect(causesOf(evaluate(trained({ evaluation: { max_steps: 5 } })))).toEqual(['unfinished: 10']);
    // A policy that always keeps still is a fall; Pendulum always ends by its limit.
    expect(causesOf(evaluate(trained({ evaluation: { policy: 'zero' }, trial: { checkpoint: null } })))).toEqual(['terminated: 10']);
    expect(causesOf(evaluate(trained({ evaluation: { policy: 'zero' }, trial: { checkpoint: null, entry: 'Pendulum-v1' } })))).toEqual(['time_out: 10']);
  });

  it('EG8: refuses observations that the script normalises, since their statistics are nowhere', () => {
    const normalising = variant('normalising.py', 'return gym.wrappers.RecordEpisodeStatistics(env)', 'return gym.wrappers.NormalizeObservation(gym.wrappers.RecordEpisodeStatistics(env))');
    const result = evaluate(trained({ args: ['--script', normalising] }));
    expect([result.code, result.evaluation]).toEqual([1, null]);
    expect(result.lastLine).toMatch(/^refused: the script normalises observations \(NormalizeObservation\)/);
  });

  it('EG8: counts the true return where a wrapper changes rewards, or refuses', () => {
    const scaled = 'gym.wrappers.TransformReward(gym.wrappers.RecordEpisodeStatistics(env), lambda reward: reward * 0.01)';
    const kept = evaluate(trained({ args: ['--script', variant('scaled.py', 'gym.wrappers.RecordEpisodeStatistics(env)', scaled)] }));
    expect(sortedEpisodes(kept)).toEqual(sortedEpisodes(evaluate(trained())));
    const lost = variant('lost.py', 'gym.wrappers.RecordEpisodeStatistics(env)', 'gym.wrappers.TransformReward(env, lambda reward: reward * 0.01)');
    expect(evaluate(trained({ args: ['--script', lost] })).lastLine).toMatch(/^refused: rewards are changed by a wrapper/);
  });

  it('EG8: refuses weights, classes and settings that do not fit, in words', () => {
    const wider = variant('wider.py', 'layer(inputs, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 1, 1.0)', 'layer(inputs, 32), nn.Tanh(), layer(32, 64), nn.Tanh(), layer(64, 1, 1.0)');
    expect(evaluate(trained({ args: ['--script', wider] })).lastLine).toMatch(/^refused: the weights of ppo.cleanrl_model do not fit Agent/);
    expect(evaluate(trained({ args: ['--script', script, '--agent', 'Policy'] })).lastLine).toMatch(/^refused: the script has no class Policy/);
    expect(evaluate(trained({ evaluation: { env_cfg: { gravity: 1 } } })).lastLine).toBe("refused: the script's make_env takes no `gravity`, so the task's canonical setting cannot be put back");
    expect(evaluate(trained({ args: ['--script', join(ground, 'gone.py')] })).lastLine).toMatch(/^refused: the script .*gone.py is not there/);
  });

  it('EG8: takes a Q-network for what it is', () => {
    const q = join(ground, 'q.py');
    writeFileSync(q, 'import torch\nimport torch.nn as nn\n\n\nclass QNetwork(nn.Module):\n    def __init__(self, env):\n        super().__init__()\n        self.q = nn.Linear(env.single_observation_space.shape[0], env.single_action_space.n)\n\n    def forward(self, x):\n        return self.q(x)\n');
    const at = join(ground, 'q');
    mkdirSync(at);
    const saved = runPython(['-c', 'import torch, q, types, gymnasium as gym\ne = gym.make("CartPole-v1")\nn = q.QNetwork(types.SimpleNamespace(single_observation_space=e.observation_space, single_action_space=e.action_space))\nn.q.weight.data.zero_()\nn.q.bias.data = torch.tensor([0.0, 1.0])\ntorch.save(n.state_dict(), "q/q.cleanrl_model")'], ground);
    expect(saved.code, saved.out).toBe(0);
    const played = evaluate({ edge: 'cleanrl', folder: at, args: ['--script', q], trial: { checkpoint: 'q.cleanrl_model' } });
    // Pushing to the right all the time fells the pole within about ten steps.
    expect(sortedEpisodes(played).every(([value, length]) => value === length && length < 12)).toBe(true);
  });
});

describe('gym_evaluate.py', { timeout: 300_000 }, () => {
  it('EG9: plays whatever policy a function of the project loads', () => {
    const at = join(ground, 'own');
    mkdirSync(at);
    writeFileSync(join(at, 'policy.txt'), '1');
    const own: EdgeRun = { edge: 'gym', folder: at, args: ['--policy', `${join(fixtures, 'envs.py')}#load_policy`], trial: { entry: './envs.py#make_env', entry_root: fixtures, checkpoint: 'policy.txt' }, evaluation: { env_cfg: { pay: 0.5 } } };
    const result = evaluate(own);
    expect(result.evaluation?.episodes[0], result.out).toEqual({ env: 0, episode: 0, return: 7, length: 7, cause: 'terminated', success: true });
    expect(result.evaluation).toMatchObject({ normalizer: 'none', checkpoint: { path: 'policy.txt' } });
    const bare = evaluate({ ...own, args: [...(own.args ?? []), '--normalizer', '*.npz'] });
    expect([bare.code, bare.lastLine]).toEqual([1, 'refused: the observation statistics of policy.txt are missing: no file fits `*.npz`']);
    cpSync(join(at, 'policy.txt'), join(at, 'statistics.npz'));
    expect(evaluate({ ...own, args: ['--policy', join(fixtures, 'envs.py')] }).lastLine).toMatch(/^refused: .*names no function/);
  });
});

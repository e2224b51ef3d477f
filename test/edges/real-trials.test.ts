// Trials of real trainers under the real monitor: what the libraries do at their edges, and how soon and how rightly we see it.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MetricPoint } from '../../src-main/core/metrics/metric-point.ts';
import { makeMetricTail } from '../../src-main/core/metrics/metric-tail.ts';
import type { TrialProgress } from '../../src-main/core/trial/trial-progress.ts';
import { adapterFile } from '../../src-protocol/files/adapter.ts';
import { evaluationFile } from '../../src-protocol/files/evaluation.ts';
import { until } from '../adapters/support/wait.ts';
import { fixture, ground, python } from './edge-case.ts';
import { aliveOf, notingEnds, ports, runReal } from './real-trial.ts';

const limitMs = 300_000;

/** Every point that a trainer logged, in the order of its file. */
async function pointsOf(folder: string, logs: readonly string[]): Promise<readonly MetricPoint[]> {
  const points: MetricPoint[] = [];
  await makeMetricTail({ files: ports.files, clock: ports.clock, folder, adapter: adapterFile.parse({ framework: 'command', metrics: {}, logs }) }).read((more) => points.push(...more));
  return points;
}

/** More runnable processes than cores say nothing about a quiet machine. */
function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > 1.5 * availableParallelism();
}

describe('Stable-Baselines3, unmodified', () => {
  it('RT1: RT2: trains and is judged; a point is seen within 300 ms of being logged', { timeout: limitMs }, async () => {
    const seen: { readonly step: number; readonly atMs: number }[] = [];
    const onProgress = ({ phase, step }: TrialProgress) => void (phase === 'training' && seen.push({ step, atMs: Date.now() }));
    const { outcome, folder } = await runReal({
      name: 'sb3-plain',
      example: 'sb3-cartpole',
      trial: { timesteps: 12_288, agent_cfg: { 'n-steps': 32, 'n-epochs': 4 } },
      change: { onProgress },
    });
    expect(outcome).toMatchObject({ status: 'completed', rule: null, flags: [], steps: 12_288, evaluation: { valid: true, episodes: 6 } });
    expect(outcome.train_reward_final).toBeGreaterThan(0);
    const evaluation = evaluationFile.parse(JSON.parse(readFileSync(join(folder, 'evaluation.json'), 'utf8')));
    expect(evaluation).toMatchObject({ normalizer: 'present', checkpoint: { path: 'checkpoints/model.zip', step: 12_288 } });
    expect(await aliveOf('sb3-plain')).toEqual([]);

    const loggedAt = new Map<number, number>();
    for (const { tag, step, wallTimeS } of await pointsOf(folder, ['logs/**'])) if (tag === 'rollout/ep_len_mean') loggedAt.set(step, wallTimeS * 1000);
    const delays = [...loggedAt].flatMap(([step, atMs]) => {
      const first = seen.find((one) => one.step >= step);
      return first === undefined || first.step !== step ? [] : [first.atMs - atMs];
    });
    expect(delays.length, 'points that were seen one by one').toBeGreaterThan(20);
    const sorted = [...delays].sort((a, b) => a - b);
    const [median = NaN, longest = NaN] = [sorted[sorted.length >> 1], sorted.at(-1)];
    process.stdout.write(`from a point being logged by Stable-Baselines3 to our progress: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms, of ${delays.length} points (load ${loadavg()[0]?.toFixed(1)})\n`);
    expect(median).toBeLessThan(isBusy() ? 1_500 : 300);
    expect(longest).toBeLessThan(isBusy() ? 5_000 : 300);
  });

  it('RT3: decides nothing while tags are missing because no episode has ended', { timeout: limitMs }, async () => {
    const { outcome, folder } = await runReal({
      name: 'sb3-late-tags',
      example: 'sb3-cartpole',
      adapter: (text) => text.replace('--env={entry}', '--env=Pendulum-v1'),
      // An episode of Pendulum takes 200 steps: the first three updates have none.
      trial: { entry: 'Pendulum-v1', num_envs: 1, timesteps: 512, agent_cfg: { 'n-steps': 64 } },
      rules: { min_reward_gates: [{ step: 10, min_reward: -1e9 }] },
    });
    const points = await pointsOf(folder, ['logs/**']);
    const stepsOf = (tag: string) => points.filter((point) => point.tag === tag).map(({ step }) => step);
    expect(stepsOf('time/fps')).toEqual([64, 128, 192, 256, 320, 384, 448, 512]);
    expect(stepsOf('rollout/ep_rew_mean')[0]).toBe(256);
    expect(stepsOf('train/loss'), 'the loss of an update comes with the next rollout').toEqual([128, 192, 256, 320, 384, 448, 512]);
    expect(outcome).toMatchObject({ status: 'completed', steps: 512 });
    expect(outcome.evaluation?.causes.map(({ cause, count }) => `${cause} ${count}`)).toEqual(['time_out 6', 'unattributed 0']);
  });

  it('RT4: ends a script that hangs after its work, and the trial counts', { timeout: limitMs }, async () => {
    const { outcome } = await runReal({
      name: 'sb3-hangs',
      example: 'sb3-cartpole',
      adapter: (text) => text.replace("- '{code}/train.py'", `- '${fixture('hang_after.py')}'\n  - '{code}/train.py'`),
      rules: { grace_s: 5 },
    });
    expect(outcome).toMatchObject({ status: 'completed', rule: 'linger', steps: 4096, flags: expect.arrayContaining(['linger']) as string[], evaluation: { valid: true } });
    expect(await aliveOf('sb3-hangs')).toEqual([]);
  });

  it('RT5: is not fooled by exit code 0 without any work', { timeout: limitMs }, async () => {
    const { outcome, folder } = await runReal({ name: 'sb3-idle', example: 'sb3-cartpole', adapter: (text) => text.replace('--total-timesteps={timesteps}', '--total-timesteps=0') });
    expect(existsSync(join(folder, 'checkpoints/model.zip')), 'it saves its untrained model').toBe(true);
    expect(outcome).toMatchObject({ status: 'failed', steps: 0, evaluation: null, reason: { cause: 'own' } });
    expect(outcome.reason.text).toMatch(/exited with code 0 /);
  });

  it('RT6: ends DQN by its NaN within a second of the point', { timeout: limitMs }, async () => {
    const { ports: noting, ends } = notingEnds();
    const { outcome, folder } = await runReal({
      name: 'dqn-nan',
      example: 'sb3-cartpole',
      adapter: (text) => text.replace('{code}/train.py', fixture('dqn.py')).replace(/ {2}- --(env|num-envs)=.*\n/g, '').replace(/^normalizer: .*$/m, 'normalizer: none'),
      trial: { timesteps: 100_000, agent_cfg: { 'learning-rate': 1e30 } },
      change: { ports: noting },
    });
    expect(outcome).toMatchObject({ status: 'failed', rule: 'nan', reason: { code: 'nan', cause: 'own' }, evaluation: null });
    const deciding = (await pointsOf(folder, ['logs/**'])).find(({ tag, step }) => tag === 'train/loss' && step === outcome.reason.step);
    const delayMs = (ends[0] ?? NaN) - (deciding?.wallTimeS ?? NaN) * 1000;
    process.stdout.write(`from the deciding NaN of DQN at step ${outcome.reason.step} to the first signal: ${delayMs.toFixed(0)} ms\n`);
    expect(delayMs).toBeLessThan(isBusy() ? 5_000 : 1_000);
    expect(await aliveOf('dqn-nan')).toEqual([]);
  });

  it('RT6: says in the trainer\'s own words why PPO gave up', { timeout: limitMs }, async () => {
    const { outcome } = await runReal({ name: 'ppo-nan', example: 'sb3-cartpole', trial: { agent_cfg: { 'learning-rate': 1e30 } } });
    expect(outcome).toMatchObject({ status: 'failed', evaluation: null, reason: { cause: 'own' } });
    expect(['nan', 'crashed']).toContain(outcome.reason.code);
    if (outcome.reason.code === 'crashed') expect(outcome.reason.text).toMatch(/exited with code 1 .*(nan|ValueError)/i);
  });

  it('RT7: does not judge a model whose normaliser was never saved', { timeout: limitMs }, async () => {
    const { outcome } = await runReal({
      name: 'sb3-no-statistics',
      example: 'sb3-cartpole',
      adapter: (text) => text.replace("'checkpoints/*vecnormalize*.pkl'", "'elsewhere/*.pkl'"),
    });
    expect(outcome).toMatchObject({ status: 'failed', reason: { code: 'no_evaluation', cause: 'own' }, evaluation: null });
    expect(outcome.reason.text).toContain('refused: the observation statistics of checkpoints/model.zip are missing');
  });

  it('RT10: starts the interpreter by a script of the repository, with arguments of its own', { timeout: limitMs }, async () => {
    const folder = join(ground, 'sb3-wrapped');
    mkdirSync(join(folder, 'tools'), { recursive: true });
    writeFileSync(join(folder, 'tools/lab.sh'), `#!/bin/sh\n[ "$1" = -p ] && shift\nexec '${python}' "$@"\n`);
    chmodSync(join(folder, 'tools/lab.sh'), 0o755);
    const { outcome } = await runReal({ name: 'sb3-wrapped', example: 'sb3-cartpole', adapter: (text) => text.replace(/^python: .*$/m, 'python: [tools/lab.sh, -p]'), trial: { timesteps: 1024 } });
    expect(outcome).toMatchObject({ status: 'completed', steps: 1024, evaluation: { valid: true } });
  });
});

describe('a single-file script, unmodified', () => {
  it('RT9: trains in a folder of its own, ends short of a last update, and is judged', { timeout: limitMs }, async () => {
    // Updates every 512 steps: 11 of them are 5632 of the 6000 steps asked for.
    const { outcome, folder } = await runReal({ name: 'cleanrl-plain', example: 'cleanrl-cartpole', trial: { timesteps: 6000, agent_cfg: { 'learning-rate': 0.001, 'anneal-lr': false } } });
    expect(outcome).toMatchObject({ status: 'completed', rule: null, steps: 5632, evaluation: { valid: true, episodes: 6 } });
    const [run = ''] = readdirSync(join(folder, 'runs'));
    expect(run).toMatch(/^CartPole-v1__ppo__1__/);
    const points = await pointsOf(folder, ['runs/**']);
    const returns = points.filter(({ tag }) => tag === 'charts/episodic_return').map(({ step }) => step);
    expect(new Set(returns).size, 'several episodes end at one step').toBeLessThan(returns.length);
    const rate = points.filter(({ tag }) => tag === 'charts/learning_rate').map(({ value }) => value);
    expect(new Set(rate).size, '--no-anneal-lr reached it').toBe(1);
  });

  it('RT9: has not finished when it dies near its end', { timeout: limitMs }, async () => {
    const dies = fixture('die_near_end.py');
    const { outcome } = await runReal({
      name: 'cleanrl-dies',
      example: 'cleanrl-cartpole',
      adapter: (text) => text.replace("- '{code}/ppo.py'", `- '${dies}'\n  - '{code}/ppo.py'`),
      trial: { timesteps: 4096 },
    });
    expect(outcome).toMatchObject({ status: 'failed', reason: { cause: 'own', code: 'crashed' }, evaluation: null });
    expect(outcome.steps).toBeGreaterThan(3000);
    expect(outcome.reason.text).toContain('killed near its end');
  });

  it('RT8: writes through torch\'s SummaryWriter, whose points reach the file at once and survive a death without close()', { timeout: limitMs }, async () => {
    const logs = join(ground, 'writer');
    const child = spawn(python, [fixture('writer.py'), logs], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = -1;
    child.stdout.on('data', (text: Buffer) => (told = Number(text.toString().trim().split('\n').at(-1))));
    await until('ten points to be logged', () => told >= 10, 60_000);
    const [name = ''] = readdirSync(logs);
    // Far from 120 s and from the file's close: it is there by the next looks.
    await until('ten points in the file', async () => (await pointsOf(logs, ['**'])).length >= 10, 5_000);
    expect(child.exitCode).toBeNull();
    await new Promise((resolve) => child.once('close', resolve));
    expect((await pointsOf(logs, ['**'])).map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, step) => step));
    expect(statSync(join(logs, name)).size).toBeGreaterThan(0);
    rmSync(dirname(join(logs, name)), { recursive: true });
  });
});

// Training a trial: steps, logs, checkpoints, determinism, interruption.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointSteps, newestCheckpoint } from '../../src-runner/harness/checkpoint-folder.ts';
import { makeProgress } from '../../src-runner/harness/progress.ts';
import { readSafetensors } from '../../src-runner/harness/safetensors.ts';
import { trainTrial } from '../../src-runner/harness/train-trial.ts';
import { readTrial } from '../../src-runner/harness/trial-context.ts';
import { makeTrialRoot, readCurves } from './trial-folder.ts';

const trials = makeTrialRoot();
afterAll(() => trials.dispose());

async function train(path: string, isInterrupted: () => boolean = () => false) {
  const lines: string[] = [];
  const result = await trainTrial(await readTrial(path), { isInterrupted, write: (line) => lines.push(line), nowMs: () => 0 });
  return { result, lines };
}

describe('training a trial', () => {
  it('RU22: trains the timesteps rounded up to whole steps of all environments, also in a short last rollout', async () => {
    const path = trials.trial('steps', { timesteps: 1001 });
    const { result, lines } = await train(path);
    expect(result).toEqual({ outcome: 'finished', step: 1004 });
    expect(lines[0]).toBe('training baseline on CartPole-v1: 4 environments, seed 3, backend plain');
    expect(lines.at(-1)).toMatch(/^step 1004\/1004 {2}reward \d+\.\d {2}\d/);
    const rewards = readCurves(join(dirname(path), 'logs')).get('Reward / Total reward (mean)')!;
    expect(rewards.map((point) => point.step)).toEqual([128, 256, 384, 512, 640, 768, 896, 1004]);
  });

  it('RU23: logs the tags of skrl at every update, and no reward before an episode has finished', async () => {
    const path = trials.trial('tags', { num_envs: 64, timesteps: 64 * 40, agent_cfg: { agent: { rollouts: 4, learning_epochs: 1 }, models: { hidden: [8] } } });
    await train(path);
    const curves = readCurves(join(dirname(path), 'logs'));
    expect([...curves.keys()].sort()).toEqual([
      'Episode / Total timesteps (mean)',
      'Learning / Gradient norm',
      'Learning / Learning rate',
      'Loss / Entropy loss',
      'Loss / Policy loss',
      'Loss / Value loss',
      'Policy / Clip fraction',
      'Policy / Entropy',
      'Policy / Kullback-Leibler divergence',
      'Reward / Total reward (max)',
      'Reward / Total reward (mean)',
      'Reward / Total reward (min)',
      'Value / Explained variance',
    ]);
    const losses = curves.get('Loss / Policy loss')!;
    const rewards = curves.get('Reward / Total reward (mean)')!;
    expect(losses[0]!.step).toBe(256);
    expect(losses.length).toBe(10);
    expect(rewards.length).toBeLessThan(10);
    expect(rewards[0]!.step).toBeGreaterThan(256);
    expect(rewards.every((point) => Number.isFinite(point.value))).toBe(true);
  });

  it('RU23: the reward logged is the shaped one; the unshaped mean stands beside it', async () => {
    const path = trials.trial('shaped', { env_cfg: { shaping: { position: 5 } } });
    await train(path);
    const curves = readCurves(join(dirname(path), 'logs'));
    const shaped = curves.get('Reward / Total reward (mean)')!.at(-1)!.value;
    const plain = curves.get('Reward / Unshaped reward (mean)')!.at(-1)!.value;
    expect(shaped).toBeLessThan(plain);
    expect(plain).toBe(curves.get('Episode / Total timesteps (mean)')!.at(-1)!.value);
  });

  it('RU24: each update is on disk when the next one starts', async () => {
    const path = trials.trial('flush');
    const points: number[] = [];
    await train(path, () => {
      points.push(readCurves(join(dirname(path), 'logs')).get('Loss / Policy loss')!.length);
      return false;
    });
    expect(points).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('RU25: a diverging run goes on to its end and logs NaN', async () => {
    const path = trials.trial('nan', { agent_cfg: { agent: { rollouts: 32, learning_rate: 1e30 }, models: { hidden: [8] } } });
    expect((await train(path)).result.outcome).toBe('finished');
    expect(readCurves(join(dirname(path), 'logs')).get('Loss / Value loss')!.at(-1)!.value).toBeNaN();
  });

  it('RU26: the same trial gives the same parameters byte for byte; stream_offset and seed give others', async () => {
    const final = async (name: string, changes: Parameters<typeof trials.trial>[1]): Promise<Buffer> => {
      const path = trials.trial(name, changes);
      await train(path);
      return readFileSync(join(dirname(path), 'checkpoints', 'step_1000.safetensors'));
    };
    const agent = { rollouts: 32, learning_epochs: 2, mini_batches: 4 };
    const first = await final('same-1', {});
    expect(await final('same-2', { repeat: 1, attempt: 3 })).toEqual(first);
    expect(await final('offset-0', { agent_cfg: { agent: { ...agent, stream_offset: 0 }, models: { hidden: [16] } } })).toEqual(first);
    expect(await final('offset-1', { agent_cfg: { agent: { ...agent, stream_offset: 1 }, models: { hidden: [16] } } })).not.toEqual(first);
    expect(await final('seed', { seed: 4 })).not.toEqual(first);
  });

  it('RU27: saves at step 0, at every sixteenth of the whole, and at the end', async () => {
    expect(checkpointSteps(16000)).toEqual(Array.from({ length: 17 }, (_, sixteenths) => sixteenths * 1000));
    expect(checkpointSteps(1)).toEqual([0, 1]);
    const path = trials.trial('checkpoints');
    await train(path);
    const names = readdirSync(join(dirname(path), 'checkpoints'));
    // Each at the first update that has reached its step.
    expect(names.sort()).toEqual([0, 1000, 128, 256, 384, 512, 640, 768, 896].map((step) => `step_${step}.safetensors`));
    expect(await newestCheckpoint(join(dirname(path), 'checkpoints'))).toMatch(/step_1000\.safetensors$/);
    const file = readSafetensors(readFileSync(join(dirname(path), 'checkpoints', 'step_1000.safetensors')));
    expect([file.metadata.get('step'), file.tensors.get('policy.0.weight')?.shape]).toEqual(['1000', [16, 4]]);
    await expect(newestCheckpoint(join(dirname(path), 'nowhere'))).rejects.toThrow('no checkpoint (step_<n>.safetensors) in ');
  });

  it('RU28: an interruption ends the run after the update, with a checkpoint of what was reached', async () => {
    const path = trials.trial('interrupted');
    let updates = 0;
    const { result } = await train(path, () => ++updates === 3);
    expect(result).toEqual({ outcome: 'interrupted', step: 384 });
    expect(await newestCheckpoint(join(dirname(path), 'checkpoints'))).toMatch(/step_384\.safetensors$/);
  });

  it('RU29: a wrong trial is refused with the file and the setting', async () => {
    await expect(readTrial(join(trials.root, 'none.json'))).rejects.toThrow(/cannot read .*none\.json/);
    await expect(readTrial(trials.trial('bad-1', { num_envs: 0 }))).rejects.toThrow(/trial\.json: num_envs: /);
    await expect(readTrial(trials.trial('bad-2', { agent_cfg: { agent: { lambda: 2 } } }))).rejects.toThrow(/agent_cfg: agent\.lambda: /);
    await expect(readTrial(trials.trial('bad-3', { framework: 'skrl' }))).rejects.toThrow('framework is "skrl", this runner serves "bundled"');
    await expect(train(trials.trial('bad-4', { backend: 'cuda' }))).rejects.toThrow('unknown backend "cuda"');
  });

  it('RU30: progress lines carry a growing step, at most one per quarter second, and always the last', () => {
    const lines: string[] = [];
    let nowMs = 0;
    const progress = makeProgress(3000, (line) => lines.push(line), () => nowMs);
    for (const [ms, step, reward] of [[100, 500, null], [200, 1000, 1], [500, 2000, 23.14], [600, 3000, NaN]] as const) {
      nowMs = ms;
      progress.report(step, reward);
    }
    expect(lines).toEqual(['step 500/3000  reward -  5.0k steps/s', 'step 2000/3000  reward 23.1  4.0k steps/s', 'step 3000/3000  reward NaN  5.0k steps/s']);
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { planLaunch } from '../../../src-main/core/trial/launch-plan.ts';
import { trialEnvironment } from '../../../src-main/core/trial/trial-environment.ts';
import { trialFile } from './trial-cases.ts';

const ours: Readonly<Record<string, string>> = {
  PATH: '/usr/bin',
  HOME: '/home/a',
  LC_ALL: 'C.UTF-8',
  CUDA_VISIBLE_DEVICES: '1',
  WANDB_API_KEY: 'secret-value',
  RLXP_MACHINE_KEY: 'ours',
  NODE_OPTIONS: '--inspect',
  MUJOCO_GL: 'egl',
  EDITOR: 'vi',
};
const machine = { env: (name: string) => ours[name], envNames: () => Object.keys(ours) };
const node = { execPath: '/usr/bin/node', engineFolder: '/app/out/engine', relaxedSimdFlags: ['--relaxed'] };
const base = { node, machine, folder: '/repo/.rlxp/runs/quick/trials/screen-one-s1', root: '/repo' };

const python = (change: Record<string, unknown> = {}) =>
  adapterFile.parse({
    framework: 'skrl',
    python: ['.venv/bin/python'],
    train: ['train.py', '--seed={seed}', '--n', '{num_envs}', '{trial_json}'],
    evaluate: ['edge.py', '{trial_json}', '{evaluation_file}'],
    metrics: {},
    ...change,
  });

describe('launch plan', () => {
  it('TR13 starts the bundled runner with our own Node, in the snapshot', () => {
    const trial = trialFile({}, { framework: 'bundled', entry_root: '/snapshot' });
    expect(planLaunch({ ...base, adapter: adapterFile.parse({ framework: 'bundled', metrics: {} }), trial })).toMatchObject({
      trainArgv: ['/usr/bin/node', join('/app/out/engine', 'train.js'), join(base.folder, 'trial.json')],
      evaluateArgv: ['/usr/bin/node', join('/app/out/engine', 'evaluate.js'), join(base.folder, 'trial.json')],
      cwd: '/snapshot',
    });
    const relaxed = planLaunch({ ...base, adapter: adapterFile.parse({ framework: 'bundled', metrics: {} }), trial: { ...trial, backend: 'simd-relaxed' } });
    expect([relaxed.trainArgv[1], relaxed.evaluateArgv[1]]).toEqual(['--relaxed', '--relaxed']);
  });

  it('TR13 fills the placeholders of the adapter, without any shell', () => {
    const trial = trialFile({}, { candidate: 'one' });
    const plan = planLaunch({ ...base, adapter: python({ cwd: 'code' }), trial });
    expect(plan.trainArgv).toEqual(['/repo/.venv/bin/python', 'train.py', '--seed=1', '--n', '4', join(base.folder, 'trial.json')]);
    expect(plan.evaluateArgv).toEqual(['/repo/.venv/bin/python', 'edge.py', join(base.folder, 'trial.json'), join(base.folder, 'evaluation.json')]);
    expect(plan.cwd).toBe('/repo/code');
    const hostile = planLaunch({ ...base, adapter: python({ train: ['x.py', '{entry}'] }), trial: trialFile({}, { entry: '$(rm -rf ~); "`' }) });
    expect(hostile.trainArgv.at(-1)).toBe('$(rm -rf ~); "`');
  });

  it('TR13 turns settings into flags or overrides, canonical ones for the evaluation', () => {
    const trial = { ...trialFile({}), env_cfg: { decimation: 1, reward: { alive: 2 } }, agent_cfg: { agent: { name: 'ppo' } } };
    const change = { train: ['t.py', '{settings}'], evaluate: ['e.py', '{settings}'] };
    const settled = { ...trial, evaluation: { ...trial.evaluation, env_cfg: { decimation: 1, reward: { alive: 1 } } } };
    const hydra = planLaunch({ ...base, adapter: python({ ...change, config: { via: 'hydra' } }), trial: settled });
    expect(hydra.trainArgv.slice(2)).toEqual(['decimation=1', 'reward.alive=2', 'agent.name=ppo']);
    expect(hydra.evaluateArgv.slice(2)).toEqual(['decimation=1', 'reward.alive=1', 'agent.name=ppo']);
    const flags = planLaunch({ ...base, adapter: python({ ...change, config: { via: 'flags' } }), trial: settled });
    expect(flags.trainArgv.slice(2)).toEqual(['--decimation=1', '--reward.alive=2', '--agent.name=ppo']);
    expect(() => planLaunch({ ...base, adapter: python(change), trial: settled })).toThrow(RefusalError);
  });

  it('AD11: AD17: TR13 writes booleans as switches, starts in the trial folder, and knows code and edges', () => {
    const trial = { ...trialFile({}, { entry_root: '/snapshot' }), env_cfg: {}, agent_cfg: { 'anneal-lr': false, clip: true, lr: 0.001 } };
    const adapter = python({ cwd: '{trial_folder}', config: { via: 'flags', booleans: 'switch' }, normalizer: 'a/*.pkl', train: ['{code}/t.py', '{settings}'], evaluate: ['{edges}/e.py', '{normalizer}'] });
    const plan = planLaunch({ ...base, adapter, trial });
    expect(plan.trainArgv.slice(1)).toEqual(['/snapshot/t.py', '--no-anneal-lr', '--clip', '--lr=0.001']);
    expect(plan.evaluateArgv.slice(1)).toEqual(['/app/out/engine/resources/edges/e.py', 'a/*.pkl']);
    expect(plan.cwd).toBe(base.folder);
    const valued = planLaunch({ ...base, adapter: python({ config: { via: 'flags' }, train: ['t.py', '{settings}'] }), trial });
    expect(valued.trainArgv.slice(2)).toEqual(['--anneal-lr=false', '--clip=true', '--lr=0.001']);
  });

  it('TR13 plans a resume from the checkpoint with the settings of training, where the adapter declares one', () => {
    const trial = { ...trialFile({}), env_cfg: { gain: 2 }, checkpoint: '/repo/first/step_5.pt' };
    expect(planLaunch({ ...base, adapter: python(), trial }).resumeArgv).toBeNull();
    const adapter = python({ train: ['t.py', '{settings}'], resume: ['t.py', '--from', '{checkpoint}', '{settings}'], config: { via: 'flags' } });
    expect(planLaunch({ ...base, adapter, trial }).resumeArgv).toEqual(['/repo/.venv/bin/python', 't.py', '--from', '/repo/first/step_5.pt', '--gain=2']);
  });

  it('TR13 leaves other braces alone and refuses a placeholder it does not know', () => {
    const trial = trialFile({});
    expect(planLaunch({ ...base, adapter: python({ train: ['t.py', '+x={A: 1}', '{}'] }), trial }).trainArgv.slice(2)).toEqual(['+x={A: 1}', '{}']);
    expect(() => planLaunch({ ...base, adapter: python({ train: ['t.py', '{sed}'] }), trial })).toThrow('{sed}');
  });

  it('TR13 refuses what cannot be launched', () => {
    const trial = trialFile({});
    expect(() => planLaunch({ ...base, adapter: adapterFile.parse({ framework: 'command', train: ['a'], metrics: {} }), trial })).toThrow('evaluate');
    expect(() => planLaunch({ ...base, adapter: python({ cwd: '../elsewhere' }), trial })).toThrow('leaves the repository');
    expect(() => planLaunch({ ...base, adapter: python({ checkpoints: { rule: 'best_by_canonical_eval' } }), trial })).toThrow(RefusalError);
  });

  it('TR14 passes on a short list of names, what the adapter asks for, and no secret', () => {
    const { env, withheld } = trialEnvironment(machine, { env: ['MUJOCO_GL', 'WANDB_API_KEY', 'RLXP_MACHINE_KEY', 'NODE_OPTIONS', 'NOT_SET'] }, null);
    expect(env).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/a',
      LC_ALL: 'C.UTF-8',
      CUDA_VISIBLE_DEVICES: '1',
      MUJOCO_GL: 'egl',
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    });
    expect(withheld).toEqual(['WANDB_API_KEY', 'RLXP_MACHINE_KEY', 'NODE_OPTIONS']);
  });
});

// The repository that the benchmark tunes: a small git work tree with an approved study of SB3-like trials. Imported by test/bench only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ports } from '../../../src-main/ports.ts';
import { makeWorkbench } from '../../../src-main/workbench.ts';
import { gateNames } from '../../../src-protocol/files/contract.ts';

export const study = 'bench';
export const stepsPerRollout = 2048;

export interface BenchProject {
  readonly root: string;
  /** Where measure.py leaves a line for each process. */
  readonly usage: string;
}

export interface BenchProjectOptions {
  readonly ports: Ports;
  readonly root: string;
  readonly usage: string;
  /** Folder of the programs beside this file. */
  readonly programs: string;
  /** CPU seconds of one training, and of one rollout of it. */
  readonly trialS: number;
  readonly rolloutS: number;
}

/** Five trainings: two screened, two refined, the winner's repeat; and the evaluations of each and of the self-test. */
export async function makeBenchProject(options: BenchProjectOptions): Promise<BenchProject> {
  const { root, usage, programs } = options;
  const measured = (kind: string, program: string) => JSON.stringify([join(programs, 'measure.py'), usage, kind, process.execPath, join(programs, program), '{trial_json}']);
  const timesteps = Math.round(options.trialS / options.rolloutS) * stepsPerRollout;
  const files = {
    'train.py': 'raise SystemExit("the benchmark brings its own trainer")\n'.repeat(40),
    'requirements.txt': 'stable-baselines3==2.4.0\ngymnasium==1.0.0\n',
    '.gitignore': '.rlxp/\n',
    '.rlxp/adapter.yaml': `framework: command
python: [python3]
train: ${measured('train', 'sb3-like-trainer.mjs')}
evaluate: ${measured('evaluate', 'sb3-like-evaluator.mjs')}
metrics:
  rollout/ep_rew_mean: { meaning: reward }
  rollout/ep_len_mean: { meaning: episode_length }
  train/loss: { meaning: loss }
  train/value_loss: { meaning: loss }
stub_roots: [train.py]
`,
    '.rlxp/contract.yaml': `schema: 1
project: Bench
gates:
  task: { status: draft, value: { task: poles, what: poles } }
  metric: { status: draft, value: { primary: score, direction: maximise } }
  scope: { status: draft, value: { may_change: [agent_cfg] } }
  budget: { status: draft, value: { wall_hours: 2, per_trial_s: 900 } }
  hardware: { status: draft, value: { devices: [cpu], max_parallel: 1 } }
  baseline: { status: draft, value: { what: PPO } }
  evaluation: { status: draft, value: { num_envs: 8, episodes_per_env: 4, seed: 7777, deterministic: true } }
  experiment: { status: draft, value: { study: ${study}, why: to measure } }
`,
    '.rlxp/experiments.yaml': `schema: 1\nexperiments:\n  - { study: ${study}, why: to measure }\n`,
    '.rlxp/tasks/poles.yaml': `entry: CartPole-v1
env: { bench: { rollout_s: ${options.rolloutS}, checkpoint_every: 5 } }
agent: { gain: 1 }
score_scale: 100
terminations: auto
`,
    [`.rlxp/studies/${study}.yaml`]: `study: ${study}
base: { task: poles, seed: 42, num_envs: 8, device: cpu, max_trial_s: 900 }
eval: { num_envs: 8, max_steps: 500, episodes_per_env: 4, seed: 7777 }
stages:
  noise: off
  screen: { timesteps: ${timesteps}, max_parallel: 1 }
  refine: { timesteps: ${timesteps}, top_k: 1 }
  verify: {}
candidates:
  - { name: baseline }
  - { name: better, agent_cfg: { gain: 1.2 } }
`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const git = (...args: readonly string[]) => execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('commit', '-m', 'start');
  await approve(options.ports, root);
  return { root, usage };
}

/** As the person who runs the benchmark; keys and locks are the benchmark's own. */
async function approve(ports: Ports, root: string): Promise<void> {
  const workbench = makeWorkbench(ports);
  const call = async (tool: string, input: object, typed: string) => {
    const result = await workbench.dispatch.call(tool, { root, ...input }, { kind: 'terminal', by: 'bench', typed });
    if (!result.ok) throw new Error(`${tool}: ${JSON.stringify(result)}`);
  };
  for (const gate of gateNames) await call('gate_confirm', { gate }, gate);
  await call('study_approve', { study }, study);
  workbench.shutdown();
}

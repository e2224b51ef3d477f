// A small CartPole project in a folder of its own, driven through dispatch with real processes: for the tests of this folder.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { makeSystemPorts } from '../../src-main/adapters/system-ports.ts';
import type { Ports, ProcessIdentity } from '../../src-main/ports.ts';
import { makeWorkbench } from '../../src-main/workbench.ts';
import { digest } from '../../src-main/core/provenance/canonical-json.ts';
import type { CampaignStatusView } from '../../src-protocol/campaign.ts';
import { gateNames } from '../../src-protocol/files/contract.ts';
import { eventLine, type EventLine } from '../../src-protocol/files/event.ts';
import { trialRecord, type TrialRecord } from '../../src-protocol/files/record.ts';
import type { Refusal } from '../../src-protocol/refusal.ts';
import { until } from '../adapters/support/wait.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));
/** Where the built program lies; set elsewhere to test a build of one's own. */
export const engine = process.env['RLXP_ENGINE_OUT'] ?? join(home, 'out', 'engine');
for (const entry of ['cli.js', 'babysitter.js', 'campaign.js', 'train.js', 'evaluate.js']) {
  if (!existsSync(join(engine, entry))) throw new Error(`${join(engine, entry)} is not built: run \`npm run build\` first (\`npm test\` does).`);
}

/** Everything of one test file lies below this folder, keys and locks too. */
export const ground = realpathSync(mkdtempSync(join(tmpdir(), 'rlxp-campaign-')));
process.env['RLXP_CONFIG_DIR'] = join(ground, 'config');
process.env['RLXP_RUNTIME_DIR'] = join(ground, 'runtime');

export const ports: Ports = makeSystemPorts({ entryUrl: pathToFileURL(join(engine, 'cli.js')).href });
const workbench = makeWorkbench(ports);
const started: ChildProcess[] = [];
const projects: Project[] = [];

afterAll(async () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  workbench.shutdown();
  for (const { root, key } of projects) {
    // A test that failed may have left its campaign running: its babysitter first, or it would start it again.
    for (const lock of [`babysitter:${root}`, root]) {
      const holder = await ports.locks.holder(lock);
      if (holder !== null) await endHolder(holder, key);
    }
    for (const stray of await ports.processes.findTagged(`rlxp:${key}:`)) await ports.processes.end(stray, { graceMs: 100 });
  }
  rmSync(ground, { recursive: true, force: true, maxRetries: 5 });
});

async function endHolder({ pid, startTime }: ProcessIdentity, key: string): Promise<void> {
  if (await ports.processes.isSuspended({ pid, startTime })) process.kill(pid, 'SIGCONT');
  process.kill(pid, 'SIGKILL');
  await until('its end', async () => !(await ports.processes.isAlive({ pid, startTime })), 10_000);
  for (const stray of await ports.processes.findTagged(`rlxp:${key}:`)) await ports.processes.end(stray, { graceMs: 100 });
}

export interface Project {
  readonly root: string;
  /** runs/quick/. */
  readonly run: string;
  /** Tags of its trials begin with `rlxp:<key>:`. */
  readonly key: string;
}

export interface ProjectOptions {
  readonly study?: string;
  readonly task?: string;
  readonly env?: string;
  readonly budgetHours?: number;
  readonly gates?: string;
  readonly adapter?: string;
}

export const study = 'quick';

/** Training and evaluation both take a fraction of a second; the numbers are chosen so that the baseline learns something. */
export const base = 'base: { task: balance, seed: 42, num_envs: 8, device: cpu, backend: plain, max_trial_s: 30 }\neval: { num_envs: 4, max_steps: 500, episodes_per_env: 2, seed: 7777 }';
export const monitor = 'monitor: { startup_s: 20, hang_s: 2, grace_s: 0.3 }';

export const taskText = `entry: ./env.mjs#makeEnv
env:
  rewards: { alive: 1, speed: 0 }
agent:
  agent: { rollouts: 64, learning_epochs: 4, mini_batches: 4, learning_rate: 0.0006 }
  models: { hidden: [16, 16] }
canonical:
  rewards: { alive: 1, speed: 0 }
  faults: { diverge_after: 0, hang_after: 0 }
reward_weights: [rewards.alive, rewards.speed]
score_scale: 100
terminations: auto
`;

const contractText = (budgetHours: number, more: string) => `schema: 1
project: Poles
gates:
  task: { status: draft, value: { task: balance, what: balance } }
  metric: { status: draft, value: { primary: score, direction: maximise } }
  scope: { status: draft, value: { may_change: [agent_cfg, env_cfg.rewards, env_cfg.faults] } }
  budget: { status: draft, value: { wall_hours: ${budgetHours}, per_trial_s: 30 } }
  hardware: { status: draft, value: { devices: [cpu], max_parallel: 2 } }
  baseline: { status: draft, value: { what: PPO } }
  evaluation: { status: draft, value: { num_envs: 4, episodes_per_env: 2, seed: 7777, deterministic: true } }
  experiment: { status: draft, value: { study: quick, why: to see } }
${more}`;

const adapterText = `framework: bundled
axis: step
metrics:
  Reward / Total reward (mean): { meaning: reward }
  Episode / Total timesteps (mean): { meaning: episode_length }
  Loss / Policy loss: { meaning: loss }
  Loss / Value loss: { meaning: loss }
`;

const fixture = (path: string) => JSON.stringify(join(home, 'test', path));

/** Trains with a program that makes the trouble that env_cfg.faults of a candidate asks for (fixtures/trouble-trainer.mjs). */
export const troubleAdapter = troubleWith([process.execPath]);
/** The same behind a wrapper that drops our tag from the environment. */
export const untaggedAdapter = troubleWith(['/usr/bin/env', '-u', 'RLXP_TRIAL', process.execPath]);
export const troubleTask = 'entry: ./env.mjs#makeEnv\nenv: {}\nagent: {}\nscore_scale: 10\nterminations: auto\n';

function troubleWith(python: readonly string[]): string {
  return `framework: command
python: ${JSON.stringify(python)}
train: [${fixture('campaign/fixtures/trouble-trainer.mjs')}, '{trial_json}']
evaluate: [${fixture('campaign/fixtures/trouble-evaluator.mjs')}, '{trial_json}']
metrics:
  train/reward: { meaning: reward }
  train/length: { meaning: episode_length }
`;
}

export const exampleEnv = readFileSync(join(home, 'examples/cartpole/env.mjs'), 'utf8');

/** Writes a project that nobody approved yet. */
export async function makeProject(name: string, options: ProjectOptions): Promise<Project> {
  const root = join(ground, name);
  const files = {
    'env.mjs': options.env ?? exampleEnv,
    '.rlxp/adapter.yaml': options.adapter ?? adapterText,
    '.rlxp/contract.yaml': contractText(options.budgetHours ?? 1, options.gates ?? ''),
    '.rlxp/experiments.yaml': 'schema: 1\nexperiments:\n  - { study: quick, why: to see }\n',
    '.rlxp/tasks/balance.yaml': options.task ?? taskText,
    '.rlxp/studies/quick.yaml': options.study ?? '',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const key = `${digest(await ports.files.realPath(root)).slice(0, 16)}-${study}`;
  const project = { root, run: join(root, '.rlxp/runs/quick'), key };
  projects.push(project);
  return project;
}

export async function approvedProject(name: string, options: ProjectOptions): Promise<Project> {
  const project = await makeProject(name, options);
  await confirmGates(project);
  await approve(project);
  return project;
}

export async function confirmGates({ root }: Project, gates: readonly string[] = gateNames): Promise<void> {
  for (const gate of gates) await must('gate_confirm', { root, gate }, gate);
}

export async function approve({ root }: Project): Promise<void> {
  await must('study_approve', { root, study }, study);
}

/** Calls a tool as a person at a terminal; `typed` is the name that was typed to confirm. */
export async function must<T = Record<string, unknown>>(tool: string, input: unknown, typed: string | null = null): Promise<T> {
  const result = await workbench.dispatch.call(tool, input, { kind: 'terminal', by: 'tester', typed });
  if (result.ok) return result.output as T;
  throw new Error(`${tool}: ${JSON.stringify('refusal' in result ? result.refusal : result)}`);
}

/** The refusal that a call must give. */
export async function refused(tool: string, input: unknown, typed: string | null = null): Promise<Refusal> {
  const result = await workbench.dispatch.call(tool, input, { kind: 'terminal', by: 'tester', typed });
  if (!result.ok && 'refusal' in result) return result.refusal;
  throw new Error(`${tool} was not refused: ${JSON.stringify(result)}`);
}

export async function statusOf({ root }: Project): Promise<CampaignStatusView> {
  return must('campaign_status', { root, study });
}

export function steer(tool: string, { root }: Project, more: object = {}): Promise<{ readonly taken: boolean; readonly text: string }> {
  return must(tool, { root, study, ...more });
}

export async function startRun({ root }: Project): Promise<void> {
  await must('campaign_run', { root, study });
}

export interface Direct {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  out(): string;
}

/** The campaign process itself, with its exit code. */
export function startDirect({ root }: Project): Direct {
  const child = spawn(process.execPath, [join(engine, 'campaign.js'), root, study], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, exit: new Promise((resolve) => child.once('close', (code) => resolve(code))), out: () => text };
}

export async function runDirect(project: Project): Promise<{ readonly code: number | null; readonly out: string }> {
  const direct = startDirect(project);
  return { code: await direct.exit, out: direct.out() };
}

/** Waits for a state and for the end of the process that wrote it, where it is an end. */
export async function untilState(project: Project, state: CampaignStatusView['state'], limitMs = 60_000): Promise<CampaignStatusView> {
  const isEnd = state !== 'running' && state !== 'paused';
  return until(
    `${project.root} to be ${state}`,
    async () => {
      const status = await statusOf(project);
      if (status.state !== state && !['running', 'paused', 'none', 'interrupted'].includes(status.state)) throw new Error(`it ended as ${status.state}: ${status.text}\n${tryRead(join(project.run, 'campaign.log'))}`);
      if (status.state !== state) return null;
      return isEnd && (await isHeld(project)) ? null : status;
    },
    limitMs,
  );
}

/** Whether a campaign, or a babysitter of one, holds the repository. */
export async function isHeld({ root }: Project): Promise<boolean> {
  return (await ports.locks.holder(root)) !== null || (await ports.locks.holder(`babysitter:${root}`)) !== null;
}

export function recordsOf({ run }: Project): readonly TrialRecord[] {
  return lines(join(run, 'trials.jsonl')).map((line) => trialRecord.parse(line));
}

export function eventsOf({ run }: Project): readonly EventLine[] {
  return lines(join(run, 'events.jsonl')).map((line) => eventLine.parse(line));
}

/** Folders of the trials that were started, in order. */
export function startsOf(project: Project): readonly string[] {
  return eventsOf(project).flatMap(({ event }) => (event.kind === 'trial_started' ? [event.trial.folder] : []));
}

export async function untilStarted(project: Project, trial: string): Promise<void> {
  await until(`${trial} to start`, () => startsOf(project).includes(trial), 30_000);
}

export function kindsOf(project: Project): readonly string[] {
  return eventsOf(project).map(({ event }) => event.kind);
}

function lines(path: string): readonly unknown[] {
  return tryRead(path).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}

export function tryRead(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Processes of its trials that live now. */
export function aliveOf({ key }: Project): Promise<readonly { readonly identity: ProcessIdentity; readonly tag: string }[]> {
  return ports.processes.findTagged(`rlxp:${key}:`);
}

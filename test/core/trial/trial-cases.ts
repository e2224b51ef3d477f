// Trials of the fake trainer for the tests of runTrial: real files and processes in a folder of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import { adapterFile, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { PlainMap, StageName } from '../../../src-protocol/files/plain.ts';
import { monitorRules, type MonitorRules } from '../../../src-protocol/files/study.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { makePtyProcesses } from '../../../src-main/adapters/pty-processes.ts';
import { makeSystemClock } from '../../../src-main/adapters/system-clock.ts';
import type { Ports } from '../../../src-main/ports.ts';
import { planLaunch } from '../../../src-main/core/trial/launch-plan.ts';
import type { RunTrialOptions } from '../../../src-main/core/trial/run-trial.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);

export const fakeAdapter: AdapterFile = adapterFile.parse({
  framework: 'command',
  python: [process.execPath],
  train: [fixture('fake-trainer.mjs'), '{trial_json}'],
  evaluate: [fixture('fake-evaluator.mjs'), '{trial_json}'],
  metrics: {
    'train/reward': { meaning: 'reward' },
    'train/length': { meaning: 'episode_length' },
    'train/loss': { meaning: 'loss' },
  },
});

/** Real files, processes and clock; the rest in memory. */
export function makeRealPorts(): Ports {
  return { ...makeFakePorts(), files: makeDiskFiles(), clock: makeSystemClock(), processes: makePtyProcesses() };
}

const made: string[] = [];
// Not per test: tests that run side by side have no hook of their own.
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlxp-trial-'));
  made.push(folder);
  return folder;
}

export function trialFile(fake: PlainMap, change: Partial<TrialFile> = {}): TrialFile {
  return {
    schema: 1,
    study: 'quick',
    stage: 'screen',
    candidate: 'one',
    seed: 1,
    repeat: 0,
    attempt: 0,
    identity: 'a'.repeat(64),
    framework: 'command',
    task: 'task',
    entry: './env.mjs#makeEnv',
    entry_root: tmpdir(),
    env_cfg: { fake },
    agent_cfg: {},
    num_envs: 4,
    timesteps: 1000,
    device: 'cpu',
    backend: null,
    threads: null,
    logs: 'logs',
    checkpoints: 'checkpoints',
    evaluation_file: 'evaluation.json',
    checkpoint: null,
    evaluation: { policy: 'checkpoint', env_cfg: {}, num_envs: 3, max_steps: 100, episodes_per_env: 2, seed: 7777, deterministic: true },
    ...change,
  };
}

export interface TrialCase {
  readonly fake?: PlainMap;
  readonly rules?: Partial<MonitorRules>;
  readonly stage?: StageName;
  readonly change?: Partial<RunTrialOptions>;
  readonly ports?: Ports;
}

export function trialOptions({ fake = {}, rules = {}, stage = 'screen', change = {}, ports = makeRealPorts() }: TrialCase): RunTrialOptions {
  const root = temporaryFolder();
  const folder = join(root, `${stage}-one-s1`);
  const trial = trialFile(fake, { stage });
  return {
    ports,
    plan: planLaunch({ node: ports.node, machine: { env: (name) => process.env[name], envNames: () => Object.keys(process.env) }, adapter: fakeAdapter, trial, folder, root }),
    trial,
    folder,
    root,
    campaignRunId: basename(root),
    adapter: fakeAdapter,
    rules: { ...monitorRules.parse({ startup_s: 20, hang_s: 20, grace_s: 1 }), ...rules },
    maxTrialMs: 60_000,
    metric: { primary: 'score', direction: 'maximise' },
    settings: {},
    settingsDigest: 'b'.repeat(64),
    redact: (text) => text,
    checkLaunch: () => Promise.resolve(),
    control: { signal: new AbortController().signal, cause: 'stop' },
    graceMs: 300,
    ...change,
  };
}

// How long after a trainer's flush its points are seen: one trial through the real trial code in this process. Imported by test/bench only.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planLaunch } from '../../../src-main/core/trial/launch-plan.ts';
import { runTrial } from '../../../src-main/core/trial/run-trial.ts';
import type { Ports } from '../../../src-main/ports.ts';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { monitorRules } from '../../../src-protocol/files/study.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { stepsPerRollout } from '../overhead/bench-project.ts';

export interface FlushDelay {
  readonly points: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

export interface DelayOptions {
  readonly ports: Ports;
  readonly folder: string;
  readonly programs: string;
  readonly rollouts: number;
  readonly rolloutS: number;
}

export async function measureFlushDelay(options: DelayOptions): Promise<FlushDelay> {
  const { ports, programs } = options;
  mkdirSync(options.folder, { recursive: true });
  const flushes = join(options.folder, 'flushes.jsonl');
  const folder = join(options.folder, 'screen-delay-s1');
  const adapter = adapterFile.parse({
    framework: 'command',
    python: [process.execPath],
    train: [join(programs, 'sb3-like-trainer.mjs'), '{trial_json}'],
    evaluate: [join(programs, 'sb3-like-evaluator.mjs'), '{trial_json}'],
    metrics: { 'rollout/ep_rew_mean': { meaning: 'reward' }, 'rollout/ep_len_mean': { meaning: 'episode_length' } },
  });
  const trial = trialOf(options, flushes);
  const seenMs = new Map<number, number>();
  const outcome = await runTrial({
    ports,
    plan: planLaunch({ node: ports.node, machine: ports.machine, adapter, trial, folder, root: options.folder }),
    trial,
    folder,
    root: options.folder,
    campaignRunId: `bench-${process.pid}`,
    adapter,
    rules: monitorRules.parse({}),
    maxTrialMs: 900_000,
    metric: { primary: 'score', direction: 'maximise' },
    settings: {},
    settingsDigest: 'b'.repeat(64),
    redact: (text) => text,
    checkLaunch: () => Promise.resolve(),
    control: { signal: new AbortController().signal, cause: 'stop' },
    graceMs: 2000,
    onProgress: ({ step }) => void (seenMs.has(step) || seenMs.set(step, Date.now())),
  });
  if (outcome.status !== 'completed') throw new Error(`the trial of the delays ended as ${outcome.status}: ${outcome.reason.text}`);
  const written = readFileSync(flushes, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { readonly step: number; readonly at_ms: number });
  const delays = written.flatMap(({ step, at_ms }) => (seenMs.has(step) ? [(seenMs.get(step) ?? 0) - at_ms] : [])).sort((a, b) => a - b);
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? NaN;
  return { points: delays.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

function trialOf(options: DelayOptions, flushes: string): TrialFile {
  return {
    schema: 1,
    study: 'bench',
    stage: 'screen',
    candidate: 'delay',
    seed: 1,
    repeat: 0,
    attempt: 0,
    identity: 'a'.repeat(64),
    framework: 'command',
    task: 'poles',
    entry: 'CartPole-v1',
    entry_root: options.folder,
    env_cfg: { bench: { rollout_s: options.rolloutS, checkpoint_every: 5, flushes } },
    agent_cfg: {},
    num_envs: 1,
    timesteps: options.rollouts * stepsPerRollout,
    device: 'cpu',
    backend: null,
    threads: null,
    logs: 'logs',
    checkpoints: 'checkpoints',
    evaluation_file: 'evaluation.json',
    checkpoint: null,
    evaluation: { policy: 'checkpoint', env_cfg: {}, num_envs: 4, max_steps: 500, episodes_per_env: 2, seed: 7777, deterministic: true },
  };
}

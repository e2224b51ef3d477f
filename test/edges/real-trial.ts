// A trial of a real trainer through the adapter of an example: real files, processes and clock. For the tests of this folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSystemPorts } from '../../src-main/adapters/system-ports.ts';
import { needsNormalizer } from '../../src-main/core/campaign/launch-rules.ts';
import { planLaunch } from '../../src-main/core/trial/launch-plan.ts';
import { runTrial, type RunTrialOptions } from '../../src-main/core/trial/run-trial.ts';
import type { TrialOutcome } from '../../src-main/core/trial/trial-outcome.ts';
import { readAdapter } from '../../src-main/core/workspace/read-adapter.ts';
import type { Ports } from '../../src-main/ports.ts';
import { monitorRules, type MonitorRules } from '../../src-protocol/files/study.ts';
import type { TrialFile } from '../../src-protocol/files/trial.ts';
import { trialFile } from '../core/trial/trial-cases.ts';
import { ground, home, python } from './edge-case.ts';

process.env['RLXP_CONFIG_DIR'] = join(ground, 'config');
process.env['RLXP_RUNTIME_DIR'] = join(ground, 'runtime');
export const ports: Ports = makeSystemPorts({ entryUrl: pathToFileURL(join(home, 'out/engine/cli.js')).href });

export interface RealTrial {
  /** Names its folder. */
  readonly name: string;
  readonly example: 'sb3-cartpole' | 'cleanrl-cartpole';
  /** Changes the text of the example's adapter. */
  readonly adapter?: (text: string) => string;
  readonly trial?: Partial<TrialFile>;
  readonly rules?: Partial<MonitorRules>;
  readonly change?: Partial<RunTrialOptions>;
}

export interface RanTrial {
  readonly outcome: TrialOutcome;
  readonly folder: string;
  readonly seconds: number;
}

export async function runReal(options: RealTrial): Promise<RanTrial> {
  const root = join(ground, options.name);
  const folder = join(root, 'trials', 'screen-one-s1');
  cpSync(join(home, 'examples', options.example), root, { recursive: true });
  const at = join(root, '.rlxp/adapter.yaml');
  const shipped = readFileSync(at, 'utf8').replace(/^python: .*$/m, `python: ['${python}']`);
  writeFileSync(at, options.adapter?.(shipped) ?? shipped);
  const { value: adapter } = await readAdapter({ ...ports, root });
  const base = trialFile({}, { framework: adapter.framework, entry: 'CartPole-v1', entry_root: root, env_cfg: {}, num_envs: 8, timesteps: 4096 });
  const trial: TrialFile = { ...base, evaluation: { ...base.evaluation, max_steps: 500 }, ...options.trial };
  mkdirSync(folder, { recursive: true });
  const startedMs = performance.now();
  const outcome = await runTrial({
    ports,
    plan: planLaunch({ node: ports.node, machine: ports.machine, adapter, trial, folder, root }),
    trial,
    folder,
    root,
    campaignRunId: options.name,
    adapter,
    rules: { ...monitorRules.parse({ startup_s: 120, hang_s: 60, grace_s: 20 }), ...options.rules },
    maxTrialMs: 180_000,
    metric: { primary: 'score', direction: 'maximise' },
    needsNormalizer: needsNormalizer({ adapter }, { agent_cfg: {} }),
    settings: {},
    settingsDigest: 'b'.repeat(64),
    redact: (text) => text,
    checkLaunch: () => Promise.resolve(),
    control: { signal: new AbortController().signal, cause: 'stop' },
    graceMs: 2_000,
    ...options.change,
  });
  return { outcome, folder, seconds: (performance.now() - startedMs) / 1000 };
}

/** Processes of the trial that live now. */
export function aliveOf(name: string) {
  return ports.processes.findTagged(`rlxp:${name}:`);
}

/** Ports that note when each process tree was told to end, in Date.now() milliseconds. */
export function notingEnds(): { readonly ports: Ports; readonly ends: number[] } {
  const ends: number[] = [];
  const processes: Ports['processes'] = {
    ...ports.processes,
    end(which, how) {
      ends.push(Date.now());
      return ports.processes.end(which, how);
    },
  };
  return { ports: { ...ports, processes }, ends };
}

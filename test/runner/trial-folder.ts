// A trial folder in a temporary place, with a small trial.json, for the tests of the runner.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrialFile } from '../../src-protocol/files/trial.ts';
import { makeEventReader } from '../../src-main/tfevents/event-reader.ts';
import { scalarPoints } from '../../src-main/tfevents/scalar-columns.ts';

export type TrialChanges = Partial<Omit<TrialFile, 'evaluation'>> & { readonly evaluation?: Partial<TrialFile['evaluation']> };

/** A folder for all trials of a test file; `dispose` removes it. */
export function makeTrialRoot() {
  const root = mkdtempSync(join(tmpdir(), 'rlxp-trial-'));
  return {
    root,
    /** Writes `<root>/<name>/trial.json` and gives its path. */
    trial(name: string, changes: TrialChanges = {}): string {
      const folder = join(root, name);
      mkdirSync(folder, { recursive: true });
      const path = join(folder, 'trial.json');
      writeFileSync(path, JSON.stringify(trialOf(root, changes)));
      return path;
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Points of every tag in the event files of `folder`. */
export function readCurves(folder: string): ReadonlyMap<string, readonly { readonly step: number; readonly value: number }[]> {
  const curves = new Map<string, { step: number; value: number }[]>();
  for (const name of readdirSync(folder)) {
    const reader = makeEventReader();
    for (const { tag, step, value } of scalarPoints(reader.push(readFileSync(join(folder, name))).points)) {
      curves.set(tag, [...(curves.get(tag) ?? []), { step, value }]);
    }
  }
  return curves;
}

function trialOf(root: string, { evaluation, ...changes }: TrialChanges): TrialFile {
  return {
    schema: 1,
    study: 'study',
    stage: 'screen',
    candidate: 'baseline',
    seed: 3,
    repeat: 0,
    attempt: 0,
    identity: '0'.repeat(64),
    framework: 'bundled',
    task: 'cartpole',
    entry: 'CartPole-v1',
    entry_root: root,
    env_cfg: {},
    agent_cfg: { agent: { rollouts: 32, learning_epochs: 2 }, models: { hidden: [16] } },
    num_envs: 4,
    timesteps: 1000,
    device: 'cpu',
    backend: 'plain',
    threads: null,
    logs: 'logs',
    checkpoints: 'checkpoints',
    evaluation_file: 'evaluation.json',
    checkpoint: null,
    evaluation: { policy: 'checkpoint', env_cfg: {}, num_envs: 3, max_steps: 500, episodes_per_env: 2, seed: 7777, deterministic: true, ...evaluation },
    ...changes,
  };
}

// Runs a shipped script as a trial would, in the environment of `npm run test:edges`. For the tests of this folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { evaluationFile, type EvaluationFile } from '../../src-protocol/files/evaluation.ts';
import type { TrialFile } from '../../src-protocol/files/trial.ts';
import { trialFile } from '../core/trial/trial-cases.ts';

export const home = fileURLToPath(new URL('../..', import.meta.url));
const venv = process.env['RLXP_EDGES_VENV'];
if (venv === undefined) throw new Error('These tests need the environment that `npm run test:edges` makes: run that.');
export const python = join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
export const fixtures = join(home, 'test/edges/fixtures');
export const fixture = (name: string): string => join(fixtures, name);

/** Everything of one test file lies below this folder. */
export const ground = realpathSync(mkdtempSync(join(tmpdir(), 'rlxp-edges-')));
afterAll(() => rmSync(ground, { recursive: true, force: true, maxRetries: 5 }));

/** A Python process from start to end; its output in one text. */
export function runPython(args: readonly string[], cwd = ground): { readonly code: number | null; readonly out: string } {
  const run = spawnSync(python, args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' } });
  return { code: run.status, out: run.stdout + run.stderr };
}

export interface EdgeRun {
  readonly edge: 'sb3' | 'cleanrl' | 'gym';
  /** The trial's folder. */
  readonly folder: string;
  readonly args?: readonly string[];
  readonly trial?: Partial<TrialFile>;
  readonly evaluation?: Partial<TrialFile['evaluation']>;
}

export interface EdgeResult {
  readonly code: number | null;
  readonly lastLine: string;
  readonly out: string;
  /** As written, checked by our schema; null: none was written. */
  readonly evaluation: EvaluationFile | null;
  readonly text: string | null;
}

export function evaluate({ edge, folder, args = [], trial = {}, evaluation = {} }: EdgeRun): EdgeResult {
  mkdirSync(folder, { recursive: true });
  const base = trialFile({}, { entry: 'CartPole-v1', checkpoint: 'checkpoints/model.zip', env_cfg: {}, ...trial });
  const canonical = { policy: 'checkpoint', env_cfg: {}, num_envs: 5, max_steps: 1000, episodes_per_env: 2, seed: 7777, deterministic: true } as const;
  writeFileSync(join(folder, 'trial.json'), JSON.stringify({ ...base, evaluation: { ...canonical, ...evaluation } }));
  rmSync(join(folder, 'evaluation.json'), { force: true });
  const { code, out } = runPython([join(home, 'resources/edges', `${edge}_evaluate.py`), join(folder, 'trial.json'), ...args], folder);
  const text = existsSync(join(folder, 'evaluation.json')) ? readFileSync(join(folder, 'evaluation.json'), 'utf8') : null;
  return { code, out, text, lastLine: out.trimEnd().split('\n').at(-1) ?? '', evaluation: text === null ? null : evaluationFile.parse(JSON.parse(text)) };
}

/** Returns and lengths in an order that does not depend on which episode ended first. */
export function sortedEpisodes(result: EdgeResult): readonly (readonly [number, number])[] {
  if (result.evaluation === null) throw new Error(`no evaluation was written:\n${result.out}`);
  return result.evaluation.episodes.map((row) => [row.return, row.length] as const).sort(([a, b], [c, d]) => a - c || b - d);
}

/** `<cause>: <count>` of every cause, sorted. */
export function causesOf(result: EdgeResult): readonly string[] {
  const counts = new Map<string, number>();
  for (const { cause } of result.evaluation?.episodes ?? []) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts].map(([cause, count]) => `${cause}: ${count}`).sort();
}

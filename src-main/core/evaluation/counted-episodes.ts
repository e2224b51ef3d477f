// Which rows of an evaluation count, and whether the evaluation is what was asked for. Imported by this room only.
import type { EpisodeRow, EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';

/** The settings an evaluation must have had: `evaluation` of its trial.json. */
export type ExpectedEvaluation = Omit<TrialFile['evaluation'], 'env_cfg'>;

export interface CountedEpisodes {
  readonly rows: readonly EpisodeRow[];
  readonly problem: string | null;
}

/** Share of unfinished rows above which an evaluation is not valid. */
const mostUnfinished = 0.01;

/**
 * Exactly the first `episodes_per_env` episodes of each environment, ordered by environment and episode whatever the order
 * of the file. `problem` is the first reason why they prove nothing.
 */
export function countEpisodes(file: EvaluationFile, expected: ExpectedEvaluation): CountedEpisodes {
  const rows = file.episodes
    .filter((row) => row.episode < expected.episodes_per_env)
    .sort((a, b) => a.env - b.env || a.episode - b.episode);
  const problem = mismatch(file, expected) ?? unevenRows(rows, expected) ?? unusableRows(rows);
  return { rows, problem };
}

function mismatch(file: EvaluationFile, expected: ExpectedEvaluation): string | null {
  for (const key of ['policy', 'num_envs', 'episodes_per_env', 'max_steps', 'seed', 'deterministic'] as const) {
    if (file[key] !== expected[key]) return `it was run with ${key} ${String(file[key])}, the contract says ${String(expected[key])}`;
  }
  if (file.policy === 'checkpoint' && file.checkpoint === null) return 'it does not say which checkpoint it evaluated';
  return null;
}

/** Rows must be episode 0, 1, ... of environment 0, 1, ...: sorted rows are compared with that, place by place. */
function unevenRows(rows: readonly EpisodeRow[], expected: ExpectedEvaluation): string | null {
  const perEnv = expected.episodes_per_env;
  for (let place = 0; place < expected.num_envs * perEnv; place += 1) {
    const env = Math.floor(place / perEnv);
    const episode = place % perEnv;
    const row = rows[place];
    if (row?.env === env && row.episode === episode) continue;
    const before = rows[place - 1];
    const isTwice = row !== undefined && row.env === before?.env && row.episode === before.episode;
    return isTwice ? `episode ${row.episode} of environment ${row.env} is there twice` : `episode ${episode} of environment ${env} is missing`;
  }
  const extra = rows[expected.num_envs * perEnv];
  return extra === undefined ? null : `it holds environment ${extra.env}, but there are ${expected.num_envs}`;
}

function unusableRows(rows: readonly EpisodeRow[]): string | null {
  const bad = rows.find((row) => !Number.isFinite(row.return));
  if (bad !== undefined) return `the return of episode ${bad.episode} of environment ${bad.env} is ${bad.return}`;
  const unfinished = rows.filter((row) => row.cause === 'unfinished').length;
  if (unfinished <= mostUnfinished * rows.length) return null;
  return `${unfinished} of ${rows.length} episodes were cut unfinished, more than 1 %`;
}

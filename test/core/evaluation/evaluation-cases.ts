// Evaluation files for the tests of this room.
import type { EpisodeRow, EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { SummariseOptions } from '../../../src-main/core/evaluation/summarise.ts';

export const expected = { policy: 'checkpoint', num_envs: 4, max_steps: 500, episodes_per_env: 3, seed: 7777, deterministic: true } as const;

export const options: SummariseOptions = { expected, metric: { primary: 'score', direction: 'maximise' } };

/** Four environments with three episodes each; `row` changes them. */
export function evaluation(row: (env: number, episode: number) => Partial<EpisodeRow> = () => ({}), change: Partial<EvaluationFile> = {}): EvaluationFile {
  const episodes: EpisodeRow[] = [];
  for (let env = 0; env < expected.num_envs; env += 1) {
    for (let episode = 0; episode < expected.episodes_per_env; episode += 1) {
      episodes.push({ env, episode, return: 10 * env + episode, length: 100 + env, cause: 'time_out', ...row(env, episode) });
    }
  }
  return { schema: 1, checkpoint: { path: 'checkpoints/step_8.safetensors', sha256: 'c'.repeat(64), step: 8 }, normalizer: 'present', ...expected, episodes, ...change };
}

// evaluation.json: what an evaluation subprocess writes. It holds episodes and facts, never a score: the score is
// computed from these rows by the core (docs/specs/evaluation.md).
import { z } from 'zod';
import { anyNumber } from '../number.ts';

export const episodeRow = z.strictObject({
  env: z.number().int().nonnegative(),
  /** 0-based index among the episodes of this environment. */
  episode: z.number().int().nonnegative(),
  return: anyNumber,
  length: z.number().int().nonnegative(),
  /** Why it ended: a name of the task's own, `time_out`, `unattributed`, or `unfinished` (cut by the step cap of the whole evaluation). */
  cause: z.string().min(1),
  success: z.boolean().optional(),
  metrics: z.record(z.string(), anyNumber).optional(),
});
export type EpisodeRow = z.infer<typeof episodeRow>;

export const evaluationFile = z.strictObject({
  schema: z.literal(1),
  policy: z.enum(['checkpoint', 'random', 'zero']),
  /** The evaluated checkpoint; null for policies that need none. */
  checkpoint: z.strictObject({ path: z.string(), sha256: z.string(), step: z.number().int().nonnegative() }).nullable(),
  /** `present`: statistics were loaded with the checkpoint; `none`: the agent uses no observation normaliser. */
  normalizer: z.enum(['present', 'none']),
  num_envs: z.number().int().positive(),
  episodes_per_env: z.number().int().positive(),
  max_steps: z.number().int().positive(),
  seed: z.number().int().nonnegative(),
  deterministic: z.boolean(),
  episodes: z.array(episodeRow),
});
export type EvaluationFile = z.infer<typeof evaluationFile>;

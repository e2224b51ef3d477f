// tasks/<task>.yaml: what is learned, how it is scored honestly, and why episodes end.
import { z } from 'zod';
import { plainMap } from './plain.ts';

export const taskFile = z.strictObject({
  /** How to make the environment: `./file.mjs#export` relative to the repository, or a registered id such as CartPole-v1. */
  entry: z.string().min(1),
  /** Environment settings every trial starts from. */
  env: plainMap.default({}),
  /** Agent configuration every trial starts from. */
  agent: plainMap.default({}),
  /** Reward and rule parameters forced back over a trial's own for every evaluation. */
  canonical: plainMap.default({}),
  /** Dotted paths below env_cfg that are reward weights; the evaluator self-test perturbs each one that the scope lets a candidate change. */
  reward_weights: z.array(z.string().min(1)).default([]),
  score_scale: z.number().positive().default(1),
  terminations: z
    .union([z.literal('auto'), z.strictObject({ probes: z.record(z.string(), z.string()) })])
    .default('auto'),
  success: z.string().optional(),
  /** What to copy read-only before a campaign: files and folders relative to the repository. The entry's file is always copied. */
  snapshot: z.array(z.string().min(1)).default([]),
});
export type TaskFile = z.infer<typeof taskFile>;

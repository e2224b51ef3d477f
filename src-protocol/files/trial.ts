// trial.json: everything a training or evaluation subprocess needs, in one file. Written by the campaign, read by
// the bundled runner and by every edge. Paths are relative to the folder that holds trial.json unless they say otherwise.
import { z } from 'zod';
import { plainMap, sha256, slug, stageName } from './plain.ts';

export const trialEvaluation = z.strictObject({
  /** `checkpoint` evaluates the trained policy; `random` and `zero` serve the evaluator self-test. */
  policy: z.enum(['checkpoint', 'random', 'zero']),
  /** Environment settings for evaluation: the trial's own with the task's canonical block forced over them. */
  env_cfg: plainMap,
  num_envs: z.number().int().positive(),
  /** Steps after which one episode is cut. */
  max_steps: z.number().int().positive(),
  episodes_per_env: z.number().int().positive(),
  seed: z.number().int().nonnegative(),
  deterministic: z.boolean(),
});

export const trialFile = z.strictObject({
  schema: z.literal(1),
  study: slug,
  stage: stageName,
  candidate: slug,
  seed: z.number().int().nonnegative(),
  repeat: z.number().int().nonnegative(),
  attempt: z.number().int().nonnegative(),
  /** Identity of the trial (docs/specs/campaign.md); the attempt is not part of it. */
  identity: sha256,
  framework: z.string(),
  task: slug,
  /** `./file.mjs#export` or a registered environment id such as `CartPole-v1`. */
  entry: z.string(),
  /** Absolute folder that a relative entry is resolved against. */
  entry_root: z.string(),
  env_cfg: plainMap,
  agent_cfg: plainMap,
  num_envs: z.number().int().positive(),
  /** On the trainer's own axis as the adapter declares it; for the bundled runner environment steps summed over environments. */
  timesteps: z.number().int().positive(),
  device: z.string(),
  /** Compute backend of the bundled runner; null for other frameworks. */
  backend: z.string().nullable(),
  /** Threads that numeric libraries are held to, by OMP_NUM_THREADS and its like; null: they are not. */
  threads: z.number().int().positive().nullable().default(null),
  logs: z.string(),
  checkpoints: z.string(),
  evaluation_file: z.string(),
  /** Checkpoint to evaluate, relative or absolute; null: the newest in `checkpoints` by the contract's rule. */
  checkpoint: z.string().nullable(),
  evaluation: trialEvaluation,
});
export type TrialFile = z.infer<typeof trialFile>;

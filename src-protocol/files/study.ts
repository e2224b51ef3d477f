// studies/<study>.yaml: the declared search. Keys of files written for RL-autoTune load unchanged.
import { z } from 'zod';
import { plainMap, slug } from './plain.ts';

const share = z.number().min(0).max(1);
const count = z.number().int().positive();
const seconds = z.number().nonnegative();

export const rewardGate = z.strictObject({ step: z.number().positive(), min_reward: z.number() });

export const plateauRule = z.strictObject({
  after_frac: share.default(0.5),
  window_frac: share.default(0.3),
  min_improve: z.number().nonnegative().default(0.04),
});

/** Ends a trial early. Rules and defaults: docs/specs/monitor.md. */
export const monitorRules = z.strictObject({
  min_reward_gates: z.array(rewardGate).default([]),
  plateau: plateauRule.optional(),
  /** A wait of 0 would end every trial as it starts. */
  startup_s: z.number().positive().default(900),
  hang_s: z.number().positive().default(600),
  grace_s: seconds.default(20),
  /** Weight of the debiased exponential moving average used by the rules. */
  smoothing: z.number().min(0).max(0.999).default(0.9),
});

export const studyBase = z.strictObject({
  task: slug,
  seed: z.number().int().nonnegative().default(42),
  num_envs: count,
  device: z.union([z.string(), z.array(z.string()).min(1)]).default('cpu'),
  /** Compute backend of the bundled runner; pinned here so that records can be compared. */
  backend: z.enum(['plain', 'simd', 'simd-relaxed', 'auto']).default('plain'),
  min_free_vram_mb: z.number().nonnegative().default(0),
  vram_wait_s: seconds.default(1800),
  /** Room on the disk of .rlxp below which nothing is launched [1024]. No default here: what was approved without it keeps its digest. */
  min_free_disk_mb: z.number().nonnegative().optional(),
  resume: z.null().default(null),
  /** Wall seconds one trial may train; training that exceeds it is ended by the `budget` rule. */
  max_trial_s: z.number().positive().default(3600),
});

export const studyEval = z
  .strictObject({
    num_envs: count,
    max_steps: count,
    episodes_per_env: count.optional(),
    /** Alias: episodes_per_env = ceil(min_episodes / num_envs). */
    min_episodes: count.optional(),
    seed: z.number().int().nonnegative().default(7777),
    deterministic: z.boolean().default(true),
  })
  .refine((value) => (value.episodes_per_env === undefined) !== (value.min_episodes === undefined), {
    message: 'give exactly one of episodes_per_env and min_episodes',
  });

export const noiseStage = z.strictObject({ seeds: count.min(2).default(3) });

export const screenStage = z.strictObject({
  timesteps: count,
  max_parallel: count.default(1),
  stagger_s: seconds.default(0),
  monitor: monitorRules.prefault({}),
});

export const refineStage = z.strictObject({
  top_k: count.default(3),
  timesteps: count,
  max_parallel: count.optional(),
  monitor: monitorRules.prefault({}),
});

/** Verify trains exactly as refine does: its timesteps, its rules. */
export const verifyStage = z
  .strictObject({
    tolerance: share.default(0.15),
    looks: z.array(count.min(2)).min(1).optional(),
    /** Alias of looks, as RL-autoTune wrote it. */
    fresh_seeds: z.array(count.min(2)).min(1).optional(),
    /** Score below which a trained policy counts as collapsed. */
    collapse_below: z.number().optional(),
    /** Score at which a collapse enters the mean; the self-test's random policy when absent. */
    floor: z.number().optional(),
  })
  .refine((value) => value.looks === undefined || value.fresh_seeds === undefined, {
    message: 'looks and fresh_seeds are the same thing: keep one',
  });

export const studyStages = z.strictObject({
  /** YAML 1.2 reads `off` as text. */
  noise: z.union([z.literal('off'), noiseStage]).prefault({}),
  screen: screenStage,
  refine: refineStage,
  verify: verifyStage.prefault({}),
});

export const candidateSettings = z.strictObject({
  name: slug,
  agent_cfg: plainMap.optional(),
  env_cfg: plainMap.optional(),
  num_envs: count.optional(),
  note: z.string().optional(),
});

export const studyFile = z.strictObject({
  study: slug,
  base: studyBase,
  eval: studyEval,
  stages: studyStages,
  ranking: z.strictObject({ tie_band: z.number().nonnegative().default(0.02) }).prefault({}),
  candidates: z.array(candidateSettings).min(1),
});
export type StudyFile = z.infer<typeof studyFile>;
export type CandidateSettings = z.infer<typeof candidateSettings>;
export type MonitorRules = z.infer<typeof monitorRules>;

// The bundled runner's agent configuration: what `agent` in a task and `agent_cfg` in a candidate may hold
// when the adapter's framework is `bundled`. Names follow skrl's PPO where it has them.
import { z } from 'zod';

const positive = z.number().positive();
const share = z.number().min(0).max(1);
const count = z.number().int().positive();

export const ppoAgent = z.strictObject({
  algorithm: z.literal('ppo').default('ppo'),
  /** Environment steps per environment between two updates. */
  rollouts: count.default(128),
  learning_epochs: count.default(10),
  /** Minibatches per epoch; the batch (rollouts * num_envs) must be divisible by it. */
  mini_batches: count.default(4),
  learning_rate: positive.default(3e-4),
  /** `linear` decays the learning rate to 0 over the trial's timesteps. */
  learning_rate_schedule: z.enum(['constant', 'linear']).default('constant'),
  discount_factor: share.default(0.99),
  lambda: share.default(0.95),
  ratio_clip: positive.default(0.2),
  value_loss_scale: z.number().min(0).default(0.5),
  entropy_loss_scale: z.number().min(0).default(0),
  /** Global gradient norm; 0 turns clipping off. */
  grad_norm_clip: z.number().min(0).default(0.5),
  /** Normalises observations by running mean and standard deviation; the statistics are saved with the checkpoint. */
  normalize_observations: z.boolean().default(true),
  /** Shifts every random stream of the trial and nothing else (streams are keyed by seed and this number). */
  stream_offset: z.number().int().min(0).default(0),
});

export const bundledAgent = z.strictObject({
  agent: ppoAgent.prefault({}),
  models: z
    .strictObject({
      /** Widths of the tanh layers of both networks, policy and value. */
      hidden: z.array(count).min(1).max(8).default([64, 64]),
    })
    .prefault({}),
});
export type BundledAgent = z.infer<typeof bundledAgent>;

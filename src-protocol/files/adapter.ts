// adapter.yaml: how this repository trains, evaluates and logs.
import { z } from 'zod';

export const framework = z.enum(['bundled', 'skrl', 'rsl_rl', 'rl_games', 'sb3', 'rllib', 'cleanrl', 'command']);

export const stepAxis = z.enum(['step', 'iteration', 'seconds']);

/** What a logged tag means to the monitor and the screens. */
export const metricMeaning = z.enum(['reward', 'episode_length', 'loss', 'std', 'learning_rate', 'success', 'other']);

export const metricTag = z.strictObject({
  meaning: metricMeaning,
  axis: stepAxis.default('step'),
});

export const adapterFile = z.strictObject({
  framework,
  /** argv prefix of the user's interpreter, for example [isaaclab.sh, -p]; the bundled runner needs none. */
  python: z.array(z.string().min(1)).min(1).optional(),
  /** argv lists, never a shell string; placeholders in braces are filled from trial.json. The bundled runner brings its own. */
  train: z.array(z.string()).min(1).optional(),
  evaluate: z.array(z.string()).min(1).optional(),
  /** Working folder relative to the repository. */
  cwd: z.string().default('.'),
  /** Names of environment variables to pass on; values are never stored. */
  env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
  /** How candidate settings reach the trainer. */
  config: z.strictObject({ via: z.enum(['trial_json', 'flags', 'hydra', 'yaml_merge', 'env']).default('trial_json') }).prefault({}),
  /** The axis of `timesteps` and of every gate. */
  axis: stepAxis.default('step'),
  metrics: z.record(z.string().min(1), metricTag),
  /** Globs below the trial folder. */
  logs: z.array(z.string()).default(['logs/**']),
  checkpoints: z
    .strictObject({ glob: z.string().default('checkpoints/*'), rule: z.enum(['final', 'best_by_canonical_eval']).default('final') })
    .prefault({}),
  normalizer: z.string().optional(),
  stub_roots: z.array(z.string()).default([]),
  profile: z.string().optional(),
});
export type AdapterFile = z.infer<typeof adapterFile>;

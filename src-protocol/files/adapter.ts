// adapter.yaml: how this repository trains, evaluates and logs.
import { z } from 'zod';
import { slug } from './plain.ts';

export const framework = z.enum(['bundled', 'skrl', 'rsl_rl', 'rl_games', 'sb3', 'rllib', 'cleanrl', 'command']);

export const stepAxis = z.enum(['step', 'iteration', 'seconds']);

/** What a logged tag means to the monitor and the screens. */
export const metricMeaning = z.enum(['reward', 'episode_length', 'loss', 'std', 'learning_rate', 'success', 'other']);

export const metricTag = z.strictObject({
  meaning: metricMeaning,
  axis: stepAxis.default('step'),
  /** `episode`: one point per finished episode, at any step; absent: points at regular distances. */
  per: z.literal('episode').optional(),
});

/** What `{name}` in a command stands for is filled in from trial.json and this program's folders. */
export const placeholderNames = [
  'trial_json', 'trial_folder', 'logs', 'checkpoints', 'checkpoint', 'evaluation_file', 'normalizer',
  'code', 'edges', 'entry', 'task', 'candidate', 'seed', 'num_envs', 'timesteps', 'device',
  'eval_seed', 'eval_num_envs', 'eval_episodes_per_env', 'eval_max_steps',
] as const;
export type PlaceholderName = (typeof placeholderNames)[number];

/** `cwd` of scripts that write beside where they stand: each trial's own folder. */
export const trialFolderCwd = '{trial_folder}';

/** In place of a normaliser's glob: training normalises no observations. */
export const noNormalizer = 'none';

export const adapterFile = z.strictObject({
  framework,
  /** argv prefix of the user's interpreter, for example [isaaclab.sh, -p]; the bundled runner needs none. */
  python: z.array(z.string().min(1)).min(1).optional(),
  /** argv lists, never a shell string; placeholders in braces are filled from trial.json. The bundled runner brings its own. */
  train: z.array(z.string()).min(1).optional(),
  evaluate: z.array(z.string()).min(1).optional(),
  /** Goes on training from `{checkpoint}` until `{timesteps}` in all; absent: the trainer cannot. */
  resume: z.array(z.string()).min(1).optional(),
  /** Working folder relative to the repository, or `{trial_folder}`: for scripts that write beside themselves. */
  cwd: z.string().default('.'),
  /** Names of environment variables to pass on; values are never stored. */
  env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
  /** How candidate settings reach the trainer. */
  config: z
    .strictObject({
      via: z.enum(['trial_json', 'flags', 'hydra', 'yaml_merge', 'env']).default('trial_json'),
      /** With flags, `switch` writes a boolean as `--name` or `--no-name`; absent: `--name=true`. */
      booleans: z.literal('switch').optional(),
    })
    .prefault({}),
  /** The axis of `timesteps` and of every gate. */
  axis: stepAxis.default('step'),
  metrics: z.record(z.string().min(1), metricTag),
  /** Globs below the trial folder. */
  logs: z.array(z.string()).default(['logs/**']),
  checkpoints: z
    .strictObject({ glob: z.string().default('checkpoints/*'), rule: z.enum(['final', 'best_by_canonical_eval']).default('final') })
    .prefault({}),
  /** Glob below the trial folder of the observation statistics that go with a checkpoint, or `none`. */
  normalizer: z.string().min(1).optional(),
  /**
   * Threads that the numeric libraries of one trial may start; `off`: as many as they like. Absent: trials that run at once share the
   * cores. No default here: what was approved without it keeps its digest, and the number of cores is part of no approval.
   */
  threads_per_trial: z.union([z.number().int().positive(), z.literal('off')]).optional(),
  /** Seconds for which the trainer's logger may hold an event back before it reaches the file. */
  flush_s: z.number().nonnegative().optional(),
  stub_roots: z.array(z.string()).default([]),
  /** A profile of resources/profiles; what this file says wins over it. */
  profile: slug.optional(),
});
export type AdapterFile = z.infer<typeof adapterFile>;

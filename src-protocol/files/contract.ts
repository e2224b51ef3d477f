// contract.yaml: the eight gates a person confirms before anything may train.
import { z } from 'zod';
import { isoTime, sha256, slug } from './plain.ts';

export const gateName = z.enum(['task', 'metric', 'scope', 'budget', 'hardware', 'baseline', 'evaluation', 'experiment']);
export type GateName = z.infer<typeof gateName>;
export const gateNames: readonly GateName[] = gateName.options;

export const guardrail = z.strictObject({
  metric: z.string().min(1),
  direction: z.enum(['maximise', 'minimise']),
  /** How much worse than the baseline is still acceptable, in the metric's own unit. */
  margin: z.number().nonnegative(),
});

/** What each gate says, without its status. */
export const gateValues = {
  task: z.strictObject({ task: slug, what: z.string().default('') }),
  metric: z.strictObject({
    /** `score` is the mean return of the canonical evaluation; other names are episode metrics or `success`. */
    primary: z.string().default('score'),
    direction: z.enum(['maximise', 'minimise']).default('maximise'),
    guardrails: z.array(guardrail).default([]),
    /** Score units; a gain smaller than this does not matter to the person. */
    equivalence_margin: z.number().nonnegative().optional(),
  }),
  /** A plain list of configuration paths that candidates may change; a path covers everything below it. */
  scope: z.strictObject({ may_change: z.array(z.string().min(1)).min(1), never: z.array(z.string().min(1)).default([]) }),
  budget: z.strictObject({
    /** GPU hours; for CPU studies the wall hours rule. */
    gpu_hours: z.number().nonnegative().optional(),
    wall_hours: z.number().positive(),
    per_trial_s: z.number().positive(),
    /** The share kept back for verify is computed; this asks for more. */
    verify_reserve_hours: z.number().nonnegative().default(0),
  }),
  hardware: z.strictObject({
    devices: z.array(z.string().min(1)).min(1),
    max_parallel: z.number().int().positive().default(1),
    shared: z.boolean().default(false),
    min_free_vram_mb: z.number().nonnegative().default(0),
  }),
  baseline: z.strictObject({ what: z.string().min(1) }),
  evaluation: z.strictObject({
    episodes_per_env: z.number().int().positive(),
    num_envs: z.number().int().positive(),
    seed: z.number().int().nonnegative(),
    deterministic: z.boolean().default(true),
    checkpoint: z.enum(['final', 'best_by_canonical_eval']).default('final'),
    seeds: z
      .strictObject({ screen: z.string().default('one fixed seed'), verify: z.string().default('fresh, drawn after approval') })
      .prefault({}),
  }),
  experiment: z.strictObject({ study: slug, why: z.string().default('') }),
} as const satisfies Record<GateName, z.ZodType>;

export const confirmation = z.strictObject({ by: z.string(), at: isoTime, digest: sha256 });

function gate<T extends z.ZodType>(value: T) {
  return z.strictObject({
    status: z.enum(['missing', 'draft', 'confirmed']),
    value: value.nullable(),
    /** Audit findings or files the value rests on. */
    evidence: z.array(z.string()).default([]),
    confirmed: confirmation.nullable().default(null),
  });
}

export const contractFile = z.strictObject({
  schema: z.literal(1),
  project: z.string().min(1),
  gates: z.strictObject({
    task: gate(gateValues.task),
    metric: gate(gateValues.metric),
    scope: gate(gateValues.scope),
    budget: gate(gateValues.budget),
    hardware: gate(gateValues.hardware),
    baseline: gate(gateValues.baseline),
    evaluation: gate(gateValues.evaluation),
    experiment: gate(gateValues.experiment),
  }),
});
export type ContractFile = z.infer<typeof contractFile>;

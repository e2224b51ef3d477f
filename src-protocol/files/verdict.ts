// verdict.json and winner.json: what a campaign concludes. Written by the campaign, read by screens, reports and doors.
// Scores and differences are oriented: greater is better (`minimise` is negated on entry, docs/specs/verdict.md).
import { z } from 'zod';
import { anyNumber } from '../number.ts';
import { plainMap, slug } from './plain.ts';

/** The closed list of conclusions. The order in which they are tried is rule V6. */
export const verdictWord = z.enum(['better', 'tied', 'worse', 'unproven', 'not_reproduced', 'guardrail_failed', 'no_better_candidate']);
export type VerdictWord = z.infer<typeof verdictWord>;

/** How far this machine repeats a training run, measured by the noise stage. */
export const determinismClass = z.enum(['bit-identical', 'repeatable', 'divergent']);
export type DeterminismClass = z.infer<typeof determinismClass>;

/**
 * Why no more fresh seeds were run. `decided`: a look settled it; `futility`: no remaining look could read better;
 * `last_look`: the plan ended; `completed`: all looks were run on request after an early stop; `cut_short`: the campaign
 * ended between looks; `no_looks`: none were planned; the other two made fresh seeds pointless.
 */
export const stopReason = z.enum(['decided', 'futility', 'last_look', 'completed', 'cut_short', 'no_looks', 'not_reproduced', 'no_better_candidate']);
export type StopReason = z.infer<typeof stopReason>;

const count = z.number().int().nonnegative();
const direction = z.enum(['maximise', 'minimise']);

export const verdictMetric = z.strictObject({ name: z.string().min(1), unit: z.string().nullable(), direction });
export type VerdictMetric = z.infer<typeof verdictMetric>;

/** Mean paired difference, winner minus baseline; `lower` and `upper` at the plan's nominal level. */
export const verdictEstimate = z.strictObject({
  pairs: count,
  mean: anyNumber,
  sd: anyNumber,
  lower: anyNumber,
  upper: anyNumber,
  level: z.number(),
});
export type VerdictEstimate = z.infer<typeof verdictEstimate>;

export const verdictLook = z.strictObject({ ...verdictEstimate.shape, word: verdictWord });

/** One fresh seed. A collapsed run stands at the floor score. */
export const verdictPair = z.strictObject({
  seed: count,
  winner: anyNumber,
  baseline: anyNumber,
  difference: anyNumber,
  winner_collapsed: z.boolean(),
  baseline_collapsed: z.boolean(),
  /** false: finished after the look from which the verdict was read. */
  counted: z.boolean(),
});
export type VerdictPair = z.infer<typeof verdictPair>;

/** k of n runs collapsed; `upper_bound`: the largest share this still allows (exact, one-sided 95 %). */
export const collapseCount = z.strictObject({ collapsed: count, runs: count, upper_bound: z.number() });
export type CollapseCount = z.infer<typeof collapseCount>;
export const collapses = z.strictObject({ winner: collapseCount, baseline: collapseCount });

/** The pipeline repeat: the winner retrained from scratch on the same seed. Not a proof of quality. */
export const verdictRepeat = z.strictObject({
  state: z.enum(['reproduced', 'not_reproduced', 'not_run']),
  /** null: there is no winner. */
  original: anyNumber.nullable(),
  /** null: not run, or the run did not yield a score. */
  rerun: anyNumber.nullable(),
  tolerance: z.number(),
  /** Lowest score that counts as reproduced; with bit-identical machines the original itself. */
  lowest_accepted: anyNumber.nullable(),
  /** The rerun was better than the band allows for: reproduced, and worth a look. */
  exceeded: z.boolean(),
  determinism: determinismClass.nullable(),
});
export type VerdictRepeat = z.infer<typeof verdictRepeat>;

/** A non-inferiority test: `held` iff the interval of the oriented difference lies above -margin. */
export const verdictGuardrail = z.strictObject({
  name: z.string().min(1),
  unit: z.string().nullable(),
  direction,
  margin: z.number().nonnegative(),
  /** `broken`: the whole interval is below -margin; `unproven`: neither; `not_measured`: a run has no value. */
  state: z.enum(['held', 'broken', 'unproven', 'not_measured']),
  /** null: not measured. */
  estimate: verdictEstimate.nullable(),
});
export type VerdictGuardrail = z.infer<typeof verdictGuardrail>;

export const verdictFile = z.strictObject({
  schema: z.literal(1),
  study: slug,
  word: verdictWord,
  /** One sentence for a newcomer. */
  headline: z.string().min(1),
  /** What stands behind it, most important first. */
  sentences: z.array(z.string().min(1)),
  /** null: no candidate could be ranked. */
  winner: slug.nullable(),
  baseline: slug,
  metric: verdictMetric,
  plan: z.strictObject({
    /** Numbers of pairs of fresh seeds; empty: no fresh seeds. */
    looks: z.array(count),
    /** Pairs at the look from which the verdict was read; 0: none was reached. */
    used: count,
    /** The two-sided level of each look; null without looks. */
    nominal_level: z.number().nullable(),
    /** What the whole plan may err; the printed interval is "95 % over the plan". */
    overall_level: z.number(),
  }),
  stop: stopReason,
  looks: z.array(verdictLook),
  /** null: no look was reached. */
  estimate: verdictEstimate.nullable(),
  equivalence: z.strictObject({ margin: z.number().nonnegative(), within: z.boolean() }).nullable(),
  pairs: z.array(verdictPair),
  /** Of the two arms over common seeds; printed, never used to choose a test. */
  correlation: z.number().nullable(),
  probability_of_improvement: z.number().nullable(),
  /** Interquartile means, from 10 pairs on. */
  iqm: z.strictObject({ winner: anyNumber, baseline: anyNumber }).nullable(),
  /** The lowest score of each arm. */
  worst_seed: z
    .strictObject({
      winner: z.strictObject({ seed: count, score: anyNumber }),
      baseline: z.strictObject({ seed: count, score: anyNumber }),
    })
    .nullable(),
  /** From 6 pairs on: below, it cannot reach 5 %. */
  sign_flip_p: z.number().nullable(),
  collapses: collapses.nullable(),
  collapse_rule: z.strictObject({ below: z.number().nullable(), floor: z.number() }),
  /** Seed sd of one arm, pooled over the runs that did not collapse, with its 95 % interval. */
  seed_spread: z.strictObject({ sd: anyNumber, lower: anyNumber, upper: anyNumber, degrees: count }).nullable(),
  /** The score by which the winner was picked. */
  selection: z.strictObject({ score: anyNumber.nullable(), note: z.literal('used to pick, biased upward') }),
  repeat: verdictRepeat,
  guardrails: z.array(verdictGuardrail),
  /** What the plan proves with chance `power`; null without looks. */
  could_prove: z
    .strictObject({
      power: z.number(),
      /** Smallest provable gain, in seed sd of one arm, and in score units where the seed sd is known. */
      effect_sd: z.number(),
      effect_score: anyNumber.nullable(),
      /** Smallest equivalence margin at which the last look can be expected to read "tied", in seed sd. */
      tied_margin_sd: z.number(),
    })
    .nullable(),
});
export type VerdictFile = z.infer<typeof verdictFile>;

export const winnerFile = z.strictObject({
  /** The winning candidate's name. */
  name: slug,
  /** Its declared changes, as the study holds them; empty for the baseline. */
  candidate: plainMap,
  seed: count,
  /** Training steps of the refine trial, on the trainer's own axis. */
  timesteps: z.number().int().positive(),
  /** Score in refine: used to pick, biased upward. */
  refine_score: anyNumber,
  /** Score of the pipeline repeat; null where it yielded none. */
  verify_score: anyNumber.nullable(),
  reproduced: z.boolean(),
  /** Relative: the band is tolerance * max(|refine_score|, score_scale). */
  tolerance: z.number(),
  /** verify_score minus the lowest score that counts as reproduced, in score units; null with verify_score. */
  margin: anyNumber.nullable(),
  total_campaign_hours: z.number().nonnegative(),
  verdict: verdictWord,
  estimate: verdictEstimate.nullable(),
  /** Pairs of fresh seeds behind the estimate. */
  n_seeds: count,
  collapses: collapses.nullable(),
  determinism_class: determinismClass.nullable(),
});
export type WinnerFile = z.infer<typeof winnerFile>;

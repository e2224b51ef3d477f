// Tools of a study: what it would do, what it would cost and what it could show, before anything runs.
import { z } from 'zod';
import { slug, stageName } from './files/plain.ts';
import { readRefusals, root, study } from './place.ts';
import { problem } from './refusal.ts';
import { tool } from './tool.ts';

export const studyCheck = tool({
  name: 'study_check',
  title: 'Check a study',
  use: 'Reads a study against the contract and tells every problem with its file, line and fix, the stages and trials it plans, the most it can cost, and the smallest effect it could prove. Runs nothing.',
  effect: 'read',
  input: z.strictObject({ root, study }),
  output: z.strictObject({
    study: slug,
    /** What stops it from being approved; empty when nothing does. */
    problems: z.array(problem),
    warnings: z.array(z.string()),
    candidates: z.array(z.strictObject({ candidate: slug, changes: z.array(z.string()), note: z.string() })),
    stages: z.array(
      z.strictObject({
        stage: stageName,
        /** Of verify: up to its first look. */
        trials: z.number().int().nonnegative(),
        /** More only in verify, which goes on to its next look where one does not settle it. */
        trials_to_last_look: z.number().int().nonnegative(),
        timesteps: z.number().int().positive(),
        parallel: z.number().int().positive(),
      }),
    ),
    /** As a campaign counts them when it starts: verify up to its first look. */
    trials_planned: z.number().int().nonnegative(),
    trials_to_last_look: z.number().int().nonnegative(),
    /** Upper bounds from the per-trial limit; null while the study has problems. */
    cost: z
      .strictObject({ bound_s: z.number(), budget_s: z.number().nullable(), verify_reserve_s: z.number() })
      .nullable(),
    /** Smallest gain in seed standard deviations of one arm that the verify plan finds 9 times in 10; null without a plan. */
    detectable_effect_sd: z.number().nullable(),
    /** What that means, in one sentence. */
    can_show: z.string(),
  }),
  refusals: readRefusals,
  cli: { path: ['study', 'check'], positional: ['study'] },
});

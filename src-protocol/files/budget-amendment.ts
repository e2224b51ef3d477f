// budget.jsonl beside approval.json: what a person added to the budget of an approved study, chained and sealed line by line.
import { z } from 'zod';
import { machineMark } from './ledger.ts';
import { isoTime, sha256, slug } from './plain.ts';

/** What a study may spend. */
export const budgetTerms = z.strictObject({
  wall_hours: z.number().positive(),
  /** Hours on the GPU; null: no limit of their own, or a study on the CPU. */
  gpu_hours: z.number().nonnegative().nullable(),
  /** Wall seconds of one trial. */
  per_trial_s: z.number().positive(),
});
export type BudgetTerms = Readonly<z.infer<typeof budgetTerms>>;

export const budgetAmendment = z.strictObject({
  schema: z.literal(1),
  seq: z.number().int().nonnegative(),
  study: slug,
  /** Digest of the approval it amends. */
  approval: sha256,
  before: budgetTerms,
  budget: budgetTerms,
  by: z.string(),
  at: isoTime,
  /** Digest of the line before; of the empty text for the first. */
  prev: sha256,
  /** SHA-256 of the canonical JSON of seq, study, approval, before, budget and prev. */
  digest: sha256,
  machine: machineMark,
  /** HMAC-SHA-256 of digest, by and at under the machine key. */
  seal: sha256,
});
export type BudgetAmendment = Readonly<z.infer<typeof budgetAmendment>>;

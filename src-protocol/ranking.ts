// The ranking, the causes and the short verdict as tools show them. Imported by the campaign, report and trial features.
import { z } from 'zod';
import { slug, stageName } from './files/plain.ts';
import { causeRow, trialStatus } from './files/record.ts';
import { verdictWord } from './files/verdict.ts';
import { anyNumber } from './number.ts';

export const shortVerdict = z.strictObject({ word: verdictWord, headline: z.string() });

export const rankingRow = z.strictObject({
  /** Null for a trial that cannot be ranked. */
  rank: z.number().int().positive().nullable(),
  candidate: slug,
  stage: stageName,
  status: trialStatus,
  score: anyNumber.nullable(),
  score_low: anyNumber.nullable(),
  score_high: anyNumber.nullable(),
  t90_steps: z.number().nullable(),
  /** In words: why it ended early, "not separated from x", "training reward up, score down". */
  note: z.string(),
});
export type RankingRow = z.infer<typeof rankingRow>;

/** Why the episodes of one candidate end. */
export const candidateCauses = z.strictObject({
  candidate: slug,
  trial: z.string(),
  episodes: z.number().int().nonnegative(),
  rows: z.array(causeRow),
});
export type CandidateCauses = z.infer<typeof candidateCauses>;

// The tools that show what a campaign concluded, and derive it again.
import { z } from 'zod';
import { slug } from './files/plain.ts';
import { verdictFile } from './files/verdict.ts';
import { readRefusals, root, study, writeRefusals } from './place.ts';
import { candidateCauses, rankingRow } from './ranking.ts';
import { campaignState } from './repository.ts';
import { tool } from './tool.ts';

export const reportShow = tool({
  name: 'report_show',
  title: 'Show the report',
  use: 'Shows what a campaign concluded: the verdict in words, the ranking, why episodes end, and the whole report as Markdown. Works from the records alone, also while the campaign runs.',
  effect: 'read',
  input: z.strictObject({ root, study }),
  output: z.strictObject({
    study: slug,
    state: campaignState,
    verdict: verdictFile.nullable(),
    ranking: z.array(rankingRow),
    causes: z.array(candidateCauses),
    markdown: z.string(),
    /** Absolute paths of the files that exist. */
    files: z.strictObject({ report: z.string().nullable(), winner: z.string().nullable(), verdict: z.string().nullable() }),
  }),
  refusals: [...readRefusals, 'nothing_running'],
  cli: { path: ['report'], positional: ['study'], instead: { switch: 'rebuild', tool: 'report_rebuild', does: 'derives its files again from the records' } },
});

export const reportRebuild = tool({
  name: 'report_rebuild',
  title: 'Derive the report again',
  use: 'Derives report.md, verdict.json and winner.json again from the records alone, says of each whether it was what the records give, and writes those that were not, after a copy. Trains nothing and changes no record.',
  effect: 'write',
  input: z.strictObject({ root, study }),
  output: z.strictObject({
    study: slug,
    /** What the records say: a verdict, why it is blocked, or that there is more to train. */
    kind: z.enum(['concluded', 'blocked', 'open']),
    text: z.string(),
    files: z.array(
      z.strictObject({
        /** Relative to the repository. */
        file: z.string(),
        /** `unfounded`: it stood there, and the records do not conclude it. */
        before: z.enum(['equal', 'different', 'missing', 'unfounded']),
        /** Where it is kept as it was; null when nothing was changed, or nothing was there. */
        copy: z.string().nullable(),
      }),
    ),
  }),
  refusals: [...writeRefusals, 'campaign_running', 'approved_elsewhere'],
  cli: { path: ['rebuild'], positional: ['study'] },
});

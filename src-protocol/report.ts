// The tool that shows what a campaign concluded.
import { z } from 'zod';
import { slug } from './files/plain.ts';
import { verdictFile } from './files/verdict.ts';
import { readRefusals, root, study } from './place.ts';
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
  cli: { path: ['report'], positional: ['study'] },
});

// Why episodes end, per candidate beside the baseline. Imported by the report.
import type { CandidateCauses } from '../../../src-protocol/ranking.ts';
import { compareCauses } from '../evaluation/cause-comparison.ts';
import { markdownTable } from './table.ts';

/** The first of `causes` is the baseline. */
export function causesSection(causes: readonly CandidateCauses[]): string | null {
  const [baseline, ...others] = causes;
  if (baseline === undefined) return null;
  const names = [...new Set(causes.flatMap((one) => one.rows.filter((row) => row.count > 0).map((row) => row.cause)))];
  const rows = causes.map((one) => [
    one.candidate,
    String(one.episodes),
    ...names.map((name) => {
      const row = one.rows.find((candidate) => candidate.cause === name);
      return row === undefined || row.count === 0 ? '-' : `${Math.round(row.share * 100)} % (${Math.round(row.share_low * 100)}-${Math.round(row.share_high * 100)})`;
    }),
  ]);
  const table = markdownTable(['candidate', 'episodes', ...names], rows, { right: [1, ...names.map((_, index) => index + 2)] });
  const notes = others.flatMap((one) => noteOf(baseline, one));
  return `## Why episodes end\n\nShare of evaluation episodes, with 95 % Wilson intervals.\n\n${table}${notes.length === 0 ? '' : `\n\n${notes.join('\n')}`}`;
}

function noteOf(baseline: CandidateCauses, one: CandidateCauses): readonly string[] {
  const comparison = compareCauses(baseline.rows, one.rows);
  return comparison.hasUnattributedGrown
    ? [`- ${one.candidate}: more episodes end for no known cause than the baseline's. The termination probes have drifted from the task's code.`]
    : [];
}

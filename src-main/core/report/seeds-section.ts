// The fresh seeds of a verdict as a table. Imported by the report.
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { numberText } from './number-text.ts';
import { markdownTable } from './table.ts';

export function seedsSection(verdict: VerdictFile | null): string | null {
  if (verdict === null || verdict.pairs.length === 0) return null;
  const rows = verdict.pairs.map((pair) => [
    String(pair.seed),
    scoreText(pair.winner, pair.winner_collapsed),
    scoreText(pair.baseline, pair.baseline_collapsed),
    numberText(pair.difference),
    pair.counted ? '' : 'after the look that decided',
  ]);
  const isLate = verdict.pairs.some((pair) => !pair.counted);
  const head = ['fresh seed', verdict.winner ?? '-', verdict.baseline, 'difference', ...(isLate ? ['note'] : [])];
  const table = markdownTable(head, rows.map((row) => row.slice(0, head.length)), { right: [0, 1, 2, 3] });
  const { estimate, plan } = verdict;
  const looks = `Looks planned at ${plan.looks.join(', ')} pairs; read at ${plan.used}.`;
  const interval =
    estimate === null
      ? ''
      : ` Mean difference ${numberText(estimate.mean)}, 95 % over the plan: ${numberText(estimate.lower)} to ${numberText(estimate.upper)} (each look at ${numberText((1 - estimate.level) * 100)} %).`;
  return `## Fresh seeds\n\n${looks}${interval}\n\n${table}${moreLines(verdict)}`;
}

function scoreText(score: number, isCollapsed: boolean): string {
  return isCollapsed ? `${numberText(score)} (collapsed)` : numberText(score);
}

function moreLines(verdict: VerdictFile): string {
  const lines: string[] = [];
  const { probability_of_improvement: better, correlation, sign_flip_p: flip, iqm, worst_seed: worst, selection, collapses } = verdict;
  if (better !== null) lines.push(`- Probability of improvement: ${numberText(better)}`);
  if (correlation !== null) lines.push(`- Correlation of the two arms over seeds: ${numberText(correlation)}`);
  if (flip !== null) lines.push(`- Sign-flip p: ${numberText(flip)}`);
  if (iqm !== null) lines.push(`- Interquartile means: ${numberText(iqm.winner)} against ${numberText(iqm.baseline)}`);
  if (worst !== null) lines.push(`- Worst seed: ${numberText(worst.winner.score)} (seed ${worst.winner.seed}) against ${numberText(worst.baseline.score)} (seed ${worst.baseline.seed})`);
  if (collapses !== null) {
    const { winner, baseline } = collapses;
    lines.push(`- Collapsed: ${winner.collapsed} of ${winner.runs} against ${baseline.collapsed} of ${baseline.runs} (at most ${numberText(winner.upper_bound * 100)} % and ${numberText(baseline.upper_bound * 100)} %, exact 95 % bounds)`);
  }
  if (selection.score !== null) lines.push(`- Score by which the winner was picked: ${numberText(selection.score)} (${selection.note})`);
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}

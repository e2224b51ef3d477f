// How a verdict reads in a terminal: the card, the ranking, why episodes end, and where the files lie.
import { countText } from '../../../src-protocol/count-text.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { CandidateCauses, RankingRow } from '../../../src-protocol/ranking.ts';
import type { VerdictFile, VerdictWord } from '../../../src-protocol/files/verdict.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { alignRows, widestOf, wrap } from './table.ts';
import { intervalText, numberText, percentText } from './words.ts';

export const reportShow: Presenter<'report_show'> = {
  lines: (report, look) => [
    ...(report.verdict === null ? [`${report.study}: no verdict yet (campaign: ${report.state})`] : cardLines(report.verdict, look)),
    ...rankingLines(report.ranking, look),
    ...causesLines(report.causes, look),
    ...fileLines(report.files, look),
  ],
};

export const reportRebuild: Presenter<'report_rebuild'> = {
  lines({ study, kind, text, files }, look) {
    const words = { equal: look.good('as the records give it'), different: look.warn('was something else: written anew'), missing: look.warn('was missing: written'), unfounded: look.warn('was not concluded by the records: taken away') };
    const rows = files.map(({ file, before }) => [`  ${file}`, words[before]]);
    const copies = files.flatMap(({ copy }) => (copy === null ? [] : [look.dim(`  as it was: ${copy}`)]));
    return [`${study}: ${kind === 'open' ? 'nothing is concluded yet; ' : ''}${text}`, ...alignRows(rows), ...copies];
  },
};

function cardLines(verdict: VerdictFile, look: Look): readonly string[] {
  const width = Math.min(look.columns, 100);
  const rule = '─'.repeat(width);
  return [
    rule,
    `${look.bold('VERDICT')}  ${verdict.study}  ${wordText(verdict.word, look)}`,
    '',
    ...wrap(verdict.headline, width - 2, '  ').map((line) => look.bold(line)),
    ...verdict.sentences.flatMap((sentence) => wrap(sentence, width - 2, '  - ', '    ')),
    rule,
  ];
}

function wordText(word: VerdictWord, look: Look): string {
  const text = look.bold(word.replaceAll('_', ' ').toUpperCase());
  switch (word) {
    case 'better':
      return look.good(text);
    case 'worse':
    case 'not_reproduced':
    case 'guardrail_failed':
      return look.bad(text);
    case 'tied':
    case 'unproven':
    case 'no_better_candidate':
      return look.warn(text);
  }
}

function rankingLines(ranking: readonly RankingRow[], look: Look): readonly string[] {
  if (ranking.length === 0) return [];
  const head = ['  #', 'candidate', 'stage', 'score', 'interval', 't90 steps', ''].map((cell) => look.dim(cell));
  const rows = ranking.map((row) => [
    `  ${row.rank ?? '-'}`,
    row.candidate,
    row.stage,
    numberText(row.score),
    intervalText(row.score_low, row.score_high),
    row.t90_steps === null ? '-' : String(Math.round(row.t90_steps)),
    [row.status === 'completed' ? '' : row.status.replaceAll('_', ' '), row.note].filter((part) => part !== '').join(': '),
  ]);
  return ['', look.bold('RANKING'), ...alignRows([head, ...rows], ['right', 'left', 'left', 'right', 'right', 'right', 'left'], look.columns)];
}

/** A row for each candidate, a column for each cause, shares of its episodes. */
function causesLines(causes: readonly CandidateCauses[], look: Look): readonly string[] {
  if (causes.length === 0) return [];
  const names = [...new Set(causes.flatMap((one) => one.rows.filter((row) => row.count > 0).map((row) => row.cause)))];
  const head = ['  candidate', 'episodes', ...names].map((cell) => look.dim(cell));
  const rows = causes.map((one) => [`  ${one.candidate}`, String(one.episodes), ...names.map((name) => shareText(one, name))]);
  const table = alignRows([head, ...rows], ['left', ...names.map(() => 'right' as const), 'right']);
  // Too wide a table is told in sentences, without the causes that a candidate does not have.
  const fits = widestOf(table) <= look.columns;
  return ['', look.bold('WHY EPISODES END'), ...(fits ? table : causes.flatMap((one) => wrap(causesText(one, names), look.columns, '  ', '      ')))];
}

function causesText(one: CandidateCauses, names: readonly string[]): string {
  const shares = names.filter((name) => one.rows.some((row) => row.cause === name && row.count > 0)).map((name) => `${name} ${shareText(one, name)}`);
  return `${one.candidate} (${countText(one.episodes, 'episode')}): ${shares.join(', ')}`;
}

function shareText(causes: CandidateCauses, name: string): string {
  const row = causes.rows.find((one) => one.cause === name);
  return percentText(row?.share ?? 0);
}

function fileLines(files: OutputOf<'report_show'>['files'], look: Look): readonly string[] {
  const rows = Object.entries(files).flatMap(([name, path]) => (path === null ? [] : [[`  ${name}`, path]]));
  return rows.length === 0 ? [] : ['', look.bold('FILES'), ...alignRows(rows)];
}

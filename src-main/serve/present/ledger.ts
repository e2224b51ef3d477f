// How the ledger reads in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { Presenter } from './presenter.ts';
import { problemLines } from './problem.ts';
import { alignRows } from './table.ts';

export const ledgerShow: Presenter<'ledger_show'> = {
  lines({ lines, total }, look) {
    if (total === 0) return ['the ledger is empty'];
    const rows = lines.map((line) => [String(line.seq), line.at, line.kind.replaceAll('_', ' '), line.by, line.study ?? '', look.dim(JSON.stringify(line.facts))]);
    const hidden = total - lines.length;
    return [...(hidden > 0 ? [look.dim(`(${countText(hidden, 'earlier line')} not shown; --last N shows more)`)] : []), ...alignRows(rows, ['right'])];
  },
};

export const ledgerVerify: Presenter<'ledger_verify'> = {
  lines({ intact, lines, seal, problems }, look) {
    const head = intact ? look.good('intact') : look.bad('NOT intact');
    return [`ledger ${head}: ${countText(lines, 'line')}, seal ${seal}`, ...problemLines(problems)];
  },
  exitCode: ({ intact }) => (intact ? exitCodes.ok : exitCodes.refusal),
};

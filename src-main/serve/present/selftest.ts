// How the self-test reads in a terminal: a row for each item, its problems below it.
import { countText } from '../../../src-protocol/count-text.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { Presenter } from './presenter.ts';
import { problemLines } from './problem.ts';
import { alignRows } from './table.ts';

export const selftestRun: Presenter<'selftest_run'> = {
  lines({ items, state }, look) {
    const styles = { ok: look.good, warning: look.warn, failed: look.bad };
    const rows = alignRows(items.map((item) => [styles[item.state](item.state), item.subject, item.name, item.text]), [], look.columns);
    const count = (wanted: string) => items.filter((item) => item.state === wanted).length;
    const problems = items.flatMap((item) => (item.problems.length === 0 ? [] : ['', `${styles[item.state](item.state)}: ${item.subject} ${item.name}`, ...problemLines(item.problems)]));
    return [...rows, ...problems, '', `${styles[state](state)}: ${countText(count('ok'), 'item')} ok, ${countText(count('warning'), 'warning')}, ${count('failed')} failed`];
  },
  exitCode: ({ state }) => (state === 'failed' ? exitCodes.refusal : exitCodes.ok),
};

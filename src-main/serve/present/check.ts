// How a check of the files and a repair read in a terminal.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CheckFinding } from '../../../src-protocol/check.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { exitCodes, type ExitCode } from '../argv/exit-codes.ts';
import type { Look } from './look.ts';
import type { Presenter } from './presenter.ts';
import { problemLines } from './problem.ts';

export const repositoryCheck: Presenter<'repository_check'> = {
  lines: (check, look) => [headLine(check, look), ...findingLines(check.findings, look)],
  exitCode: exitCodeOf,
};

export const repositoryRepair: Presenter<'repository_repair'> = {
  lines(repair, look) {
    const did = repair.repaired.flatMap(({ file, did: what, copy }) => [`  ${file}  ${what}`, ...(copy === null ? [] : [look.dim(`      as it was: ${copy}`)])]);
    const again = repair.rerun.map(({ study, trial }) => `  ${study}  ${trial}`);
    return [
      repair.repaired.length === 0 ? 'nothing needed repair, or nothing could be repaired safely' : look.bold(`repaired ${countText(repair.repaired.length, 'thing')}`),
      ...did,
      ...(again.length === 0 ? [] : [look.warn('these run again, because their records lay behind a damage:'), ...again]),
      headLine(repair, look),
      ...findingLines(repair.findings, look),
    ];
  },
  exitCode: exitCodeOf,
};

type Checked = Pick<OutputOf<'repository_check'>, 'state' | 'findings' | 'looked_at'>;

function headLine({ state, looked_at: seen }: Checked, look: Look): string {
  const words = { clean: look.good('clean'), warnings: look.warn('sound, with warnings'), broken: look.bad('BROKEN') }[state];
  return `${words}: ${countText(seen.files, 'file')}, ${countText(seen.studies, 'study', 'studies')}, ${countText(seen.trials, 'finished trial')}, ${countText(seen.events, 'event')}, ${countText(seen.ledger_lines, 'ledger line')}`;
}

function findingLines(findings: readonly CheckFinding[], look: Look): readonly string[] {
  const order = ['broken', 'warning', 'ok'] as const;
  const styles = { broken: look.bad, warning: look.warn, ok: look.dim };
  return order.flatMap((severity) =>
    findings
      .filter((one) => one.severity === severity)
      .flatMap(({ file, line, message, fix }) => problemLines([{ file, line, column: null, message: `${styles[severity](severity)}: ${message}`, fix }])),
  );
}

function exitCodeOf({ state }: Pick<Checked, 'state'>): ExitCode {
  return state === 'broken' ? exitCodes.refusal : exitCodes.ok;
}

// The tools of the ledger: ledger_show and ledger_verify. The workbench imports it.
import { refuse, type Problem } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { Handler } from '../dispatch/handler.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import type { LedgerState } from './head.ts';
import { verifyLedger, type LedgerReport } from './ledger.ts';

export const ledgerShow: Handler<'ledger_show'> = async ({ root, study, last }, { ports }) => {
  await refuseOutsideProject(ports, root);
  const { lines } = await verifyLedger(ports, root);
  const wanted = study === undefined ? lines : lines.filter((line) => line.study === study);
  return { lines: wanted.slice(-last), total: wanted.length };
};

export const ledgerVerify: Handler<'ledger_verify'> = async ({ root }, { ports }) => {
  await refuseOutsideProject(ports, root);
  const report = await verifyLedger(ports, root);
  return { intact: report.ok, lines: report.lines.length, seal: sealOf(report.state), problems: problemsOf(report, shownPath(root, projectPaths(root).ledger)) };
};

async function refuseOutsideProject({ files }: Pick<Ports, 'files'>, root: string): Promise<void> {
  if ((await files.stat(projectPaths(root).folder))?.kind !== 'folder') refuse('not_a_repository', `${root} holds no folder .rlxp.`);
}

function sealOf(state: LedgerState): 'valid' | 'foreign' | 'absent' | 'broken' {
  switch (state) {
    case 'sound':
    case 'unfinished':
      return 'valid';
    case 'sealed_elsewhere':
      return 'foreign';
    case 'empty':
    case 'head_missing':
      return 'absent';
    case 'damaged':
    case 'cut':
    case 'rewritten':
    case 'head_edited':
      return 'broken';
  }
}

function problemsOf(report: LedgerReport, file: string): Problem[] {
  if (report.ok) return [];
  const isForeign = report.state === 'sealed_elsewhere' || report.state === 'head_missing';
  const fix = isForeign
    ? 'Confirm the gates on this machine; the lines stay, and a line will say that they were taken over.'
    : 'Restore the ledger and its head from a copy, or run `rlxp check --repair`, which keeps every byte in a copy.';
  return [{ file, line: report.damagedLine, column: null, message: report.text, fix }];
}

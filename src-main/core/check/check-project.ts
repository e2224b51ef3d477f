// Checks what belongs to the whole repository: the files people edit, the ledger, the report on top. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { join } from 'node:path';
import type { z } from 'zod';
import { contractFile } from '../../../src-protocol/files/contract.ts';
import { experimentsFile } from '../../../src-protocol/files/experiment.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';
import { taskFile } from '../../../src-protocol/files/task.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { tellRepair } from '../ledger/repair-loss.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { tryAdapter } from '../workspace/read-adapter.ts';
import { tryYamlFile } from '../workspace/read-file.ts';
import type { CheckScope } from './findings.ts';

export async function checkProject(scope: CheckScope): Promise<void> {
  await checkYamlFiles(scope);
  await checkLedger(scope);
}

/** An edited file that does not read keeps every study from starting, and changes none that runs on its frozen copy. */
async function checkYamlFiles({ ports, root, found }: CheckScope): Promise<void> {
  const paths = projectPaths(root);
  const check = async (file: string, schema: z.ZodType) => {
    found.counts.files += 1;
    const reading = await tryYamlFile(ports.files, file, schema, { shownAs: shownPath(root, file) });
    if (!reading.ok) found.refused(file, reading.refusal);
  };
  await check(paths.contract, contractFile);
  found.counts.files += 1;
  const adapter = await tryAdapter({ ...ports, root });
  if (!adapter.ok) found.refused(paths.adapter, adapter.refusal);
  await check(paths.experiments, experimentsFile);
  for (const [folder, schema] of [[paths.tasks, taskFile], [paths.studies, studyFile]] as const) {
    for (const name of await ports.files.list(folder)) if (name.endsWith('.yaml')) await check(join(folder, name), schema);
  }
}

export async function checkLedger({ ports, root, found }: CheckScope): Promise<boolean> {
  const { ledger, ledgerHead } = projectPaths(root);
  const report = await verifyLedger(ports, root);
  found.counts.files += 2;
  found.counts.ledger_lines = report.lines.length;
  if (report.tornBytes > 0) found.add('warning', ledger, `It ends in ${countText(report.tornBytes, 'byte')} of a write that a crash cut short; it was never acknowledged.`, { fix: 'The next line sets it aside; `rlxp check --repair` does so now.', repairable: true });
  if (report.state === 'unfinished') found.add('ok', ledger, 'Its last line is whole and not yet counted by the sealed head.', { line: report.lines.length, fix: 'The next line counts it.' });
  if (report.ok) return true;
  if (report.state === 'sealed_elsewhere') {
    found.add('warning', ledgerHead, report.text, { fix: 'Confirm the gates on this machine; the lines stay, and a line will say that they were taken over.' });
    return false;
  }
  const isNewer = report.state === 'damaged' && report.text.includes('newer version');
  if (isNewer) found.add('broken', ledger, report.text, { line: report.damagedLine, fix: 'Open it with the version that made it.' });
  else found.add('broken', ledger, `${report.text} ${await tellRepair(ports, root)}`, { line: report.damagedLine, repairable: true, fix: 'Put back ledger.jsonl and ledger.head.json from a backup of both, if there is one; else run `rlxp check --repair`, which keeps a copy first.' });
  return false;
}

/** `.rlxp/report.md` is a copy of the report of the campaign that ended last. */
export async function checkTopReport({ ports, root, found }: CheckScope, reports: readonly string[]): Promise<void> {
  const { report } = projectPaths(root);
  if ((await ports.files.stat(report)) === null) return;
  found.counts.files += 1;
  const top = await ports.files.readText(report).catch(() => null);
  const copies = await Promise.all(reports.map((path) => ports.files.readText(path).catch(() => null)));
  if (copies.some((text) => text !== null && text === top)) return;
  found.add('warning', report, 'It is no copy of the report of any campaign here.', { fix: copies.some((text) => text !== null) ? 'Run `rlxp check --repair`: it is written anew.' : 'Run the campaign again, or remove it.', repairable: copies.some((text) => text !== null) });
}

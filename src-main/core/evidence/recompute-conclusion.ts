// Concludes the study again from its records, and holds what was shipped against it. This room only.
import { campaignProcess } from '../../../src-protocol/files/event.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { winnerFile } from '../../../src-protocol/files/verdict.ts';
import { checkConclusion, expectedConclusion, type Expected } from '../check/conclusion.ts';
import type { FileScope } from '../check/findings.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { runPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { Account } from './account.ts';

export async function recomputeConclusion(scope: FileScope, about: { readonly view: ReadView; readonly lines: readonly LedgerLine[]; readonly account: Account }): Promise<Expected> {
  const { ports, root, found } = scope;
  const { view, lines, account } = about;
  const paths = runPaths(root, view.study.name);
  const standing = await tryJsonFile(ports.files, paths.campaign, campaignProcess);
  const manifest = await tryJsonFile(ports.files, paths.manifest, manifestFile);
  const spentS = standing.ok ? standing.file.spent_s : 0;
  const expected = expectedConclusion(view, { spentS, manifest: manifest.ok ? manifest.file : null });
  const isOver = standing.ok && (standing.file.status === 'completed' || standing.file.status === 'blocked');
  await checkConclusion(scope, paths, { view, expected, mustConclude: isOver });
  if (expected.kind === 'open') account.notComputed('a verdict', `the records do not conclude the study yet: ${expected.text}`);
  else account.computed('ranking, verdict and report');

  const counted = countedSeconds(lines, view.study.name);
  if (standing.ok && standing.file.spent_s + 1 < counted) found.add('broken', paths.campaign, `It says that ${standing.file.spent_s.toFixed(1)} s were spent, and the ledger counted ${counted.toFixed(1)} s.`);
  const winner = await tryJsonFile(ports.files, paths.winner, winnerFile);
  if (winner.ok && standing.ok && winner.file.total_campaign_hours * 3600 > standing.file.spent_s + 1) found.add('broken', paths.winner, `It says ${winner.file.total_campaign_hours} hours, and the campaign spent ${(standing.file.spent_s / 3600).toFixed(4)}.`);
  const told = sinceArchived(lines, view.study.name).findLast((line) => line.kind === 'verdict');
  if (told !== undefined && expected.kind === 'concluded' && told.facts['text'] !== expected.text) found.add('broken', paths.verdict, `The ledger tells another verdict: ${String(told.facts['text'])}`);
  await checkProvenance(scope, { expected, report: paths.report });
  return expected;
}

/** The report's last section says when and where it ran: as the manifest says, but for the time spent when it was written. */
async function checkProvenance({ ports, found }: FileScope, { expected, report }: { readonly expected: Expected; readonly report: string }): Promise<void> {
  if (expected.report === null || (await ports.files.stat(report)) === null) return;
  const lines = (text: string) => (text.split('\n## Provenance\n')[1] ?? '').split('\n').filter((line) => !line.startsWith('- Device time:'));
  const [now, wanted] = [lines(await ports.files.readText(report)), lines(expected.report)];
  const other = now.find((line, index) => line !== wanted[index]);
  if (other !== undefined || now.length !== wanted.length) found.add('broken', report, `Its section on provenance is not what manifest and approval say${other === undefined ? '' : `: "${other}"`}.`);
}

function sinceArchived(lines: readonly LedgerLine[], study: string): readonly LedgerLine[] {
  const ours = lines.filter((line) => line.study === study);
  return ours.slice(ours.findLastIndex((line) => line.kind === 'archived') + 1);
}

function countedSeconds(lines: readonly LedgerLine[], study: string): number {
  return sinceArchived(lines, study)
    .filter((line) => line.kind === 'device_seconds_spent')
    .reduce((sum, line) => sum + (typeof line.facts['seconds'] === 'number' ? line.facts['seconds'] : 0), 0);
}

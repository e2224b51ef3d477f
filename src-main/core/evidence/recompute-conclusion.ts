// Concludes the study again from its records, and holds what was shipped against it. This room only.
import { campaignProcess, type CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { verdictFile, winnerFile } from '../../../src-protocol/files/verdict.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { checkConclusion, expectedConclusion, standingOf, type Expected } from '../check/conclusion.ts';
import { isOverspent } from '../check/check-standing.ts';
import type { FileScope } from '../check/findings.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { runPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { bundleName } from './bundle-place.ts';
import type { Account } from './account.ts';

export async function recomputeConclusion(scope: FileScope, about: { readonly view: ReadView; readonly lines: readonly LedgerLine[]; readonly account: Account; readonly isSameProgram: boolean }): Promise<Expected> {
  const { ports, root, found } = scope;
  const { view, lines, account, isSameProgram } = about;
  const paths = runPaths(root, view.study.name);
  const standing = await tryJsonFile(ports.files, paths.campaign, campaignProcess);
  const manifest = await tryJsonFile(ports.files, paths.manifest, manifestFile);
  const spentS = standing.ok ? standing.file.spent_s : 0;
  const expected = expectedConclusion(view, { spentS, manifest: manifest.ok ? manifest.file : null });
  const isOver = standing.ok && (standing.file.status === 'completed' || standing.file.status === 'blocked');
  if (isSameProgram) await checkConclusion(scope, paths, { view, expected, mustConclude: isOver, provenance: 'broken' });
  else await checkNumbers(scope, { view, expected, mustConclude: isOver, account });
  if (expected.kind === 'open') account.notComputed('a verdict', `the records do not conclude the study yet: ${expected.text}`);
  else account.computed('ranking, verdict and report');

  const counted = countedSeconds(lines, view.study.name);
  if (standing.ok && standing.file.spent_s + 1 < counted) found.add('broken', paths.campaign, `It says that ${standing.file.spent_s.toFixed(1)} s were spent, and the ledger counted ${counted.toFixed(1)} s.`);
  if (standing.ok) checkSpending(scope, standing.file, view.budgetS);
  const winner = await tryJsonFile(ports.files, paths.winner, winnerFile);
  if (winner.ok && standing.ok && winner.file.total_campaign_hours * 3600 > standing.file.spent_s + 1) found.add('broken', paths.winner, `It says ${winner.file.total_campaign_hours} hours, and the campaign spent ${(standing.file.spent_s / 3600).toFixed(4)}.`);
  const told = sinceArchived(lines, view.study.name).findLast((line) => line.kind === 'verdict');
  if (isSameProgram && told !== undefined && expected.kind === 'concluded' && told.facts['text'] !== expected.text) found.add('broken', paths.verdict, `The ledger tells another verdict: ${String(told.facts['text'])}`);
  return expected;
}

/** An amendment that came after its last word makes the budget larger than what it says, never smaller. */
function checkSpending({ root, found }: FileScope, { study, budget_s: said, spent_s: spent }: CampaignProcess, budgetS: number): void {
  const { campaign } = runPaths(root, study);
  if (said > budgetS) found.add('broken', campaign, `It says a budget of ${said} s, and approval and amendments give ${budgetS} s.`);
  if (isOverspent(spent, budgetS)) found.add('broken', campaign, `It says that ${spent.toFixed(1)} s were spent of a budget of ${budgetS} s.`);
}

interface Numbers {
  readonly view: ReadView;
  readonly expected: Expected;
  readonly mustConclude: boolean;
  readonly account: Account;
}

/** What another version of the program concluded: its numbers must be ours, its words need not. */
async function checkNumbers({ ports, root, found }: FileScope, { view, expected, mustConclude, account }: Numbers): Promise<void> {
  if (expected.kind === 'open' && view.isCompletingLooks) return;
  const paths = runPaths(root, view.study.name);
  for (const { path, text, before } of await standingOf(ports.files, paths, expected)) {
    const isWording = before === 'different' && (path === paths.report || (path === paths.verdict && numbersOf(await ports.files.readText(path)) === numbersOf(text ?? '')));
    if (isWording) account.missing(`the wording of ${bundleName(root, path)}`, 'another version of the program wrote it, whose words may be others');
    else if (before === 'different') found.add('broken', path, 'It is not what the records say.');
    else if (before === 'unfounded') found.add('broken', path, 'It stands here, and the records do not conclude it.');
    else if (before === 'missing' && mustConclude) found.add('broken', path, 'It is missing, although the campaign came to its end.');
  }
}

/** A verdict without its sentences. */
function numbersOf(text: string): string {
  const reading = verdictFile.safeParse(parsedOrNull(text));
  return reading.success ? stringifyWire({ ...reading.data, headline: '', sentences: [] }) : text;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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

// Checks one campaign: runs/<study>/. This room and evidence.
import { countText } from '../../../src-protocol/count-text.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { readRunState, viewWith } from '../campaign/read-campaign.ts';
import { checkRunning } from '../contract/check-approval.ts';
import { openApproval } from '../contract/open-approval.ts';
import { packageListName } from '../contract/packages.ts';
import { approvalPaths } from '../contract/approval-paths.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { readManifest } from '../provenance/manifest.ts';
import { runPaths } from '../workspace/layout.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { checkBudget } from './check-budget.ts';
import { checkEvents } from './check-events.ts';
import { checkStanding } from './check-standing.ts';
import { checkArtifacts, checkIdentities } from './check-trials.ts';
import { checkConclusion, expectedConclusion } from './conclusion.ts';
import type { CheckScope } from './findings.ts';
import { readRecordJournal, type JournalReading } from './journal-reading.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';

export async function checkRun(scope: CheckScope, study: string): Promise<void> {
  const { ports, root, found } = scope;
  const paths = runPaths(root, study);
  const run = await readRunState(ports, root, study);
  const isLive = run.state === 'running' || run.state === 'paused';
  const journal = await readRecordJournal(ports.files, paths.trials);
  found.counts.studies += 1;
  found.counts.files += 1;
  found.counts.trials += journal.good.length;
  checkJournal(scope, paths.trials, journal, isLive);
  const view = await openView(scope, study, journal.good);
  if (view !== null) {
    checkIdentities(scope, paths, view);
    await checkArtifacts(scope, paths, view);
  }
  await checkEvents(scope, paths, { records: journal.damage === null ? journal.good : null, givenUp: await givenUpTrials(scope, study), isLive });
  await checkStanding(scope, { study, paths, run, isLive, view });
  // Behind a damage there may be more: what derives from the records is judged once they are whole.
  if (view === null || isLive || journal.damage !== null || journal.good.length === 0) return;
  const manifest = await readManifest(ports, paths.manifest).catch(() => null);
  const expected = expectedConclusion(view, { spentS: run.file?.spent_s ?? 0, manifest });
  await checkConclusion(scope, paths, { view, expected, mustConclude: run.state === 'completed' || run.state === 'blocked', provenance: 'warning' });
}

/** Trials that a repair of this study told the ledger to run again. */
async function givenUpTrials({ ports, root }: CheckScope, study: string): Promise<ReadonlySet<string>> {
  const { lines } = await verifyLedger(ports, root);
  return givenUpIn(lines, study);
}

export function givenUpIn(lines: readonly LedgerLine[], study: string): ReadonlySet<string> {
  const lists = lines.filter((line) => line.kind === 'repaired' && line.study === study).map((line) => line.facts['rerun']);
  return new Set(lists.flatMap((list) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])));
}

export function checkJournal({ found }: CheckScope, path: string, journal: JournalReading<TrialRecord>, isLive: boolean): void {
  const { damage, behind, tornBytes } = journal;
  if (damage !== null) {
    const loss = behind.length === 0 ? '' : ` ${behind.length} whole records behind it cannot be trusted.`;
    found.add('broken', path, `Line ${damage.line} cannot be trusted: ${damage.what}.${loss} The study is read-only.`, {
      line: damage.line,
      repairable: !damage.isNewer,
      fix: damage.isNewer ? 'Open it with the version that made it.' : 'Restore the line from a backup, or run `rlxp check --repair`: it keeps a copy and the lines before; trials behind run again.',
    });
  }
  if (tornBytes > 0 && !isLive) found.add('warning', path, `It ends in ${countText(tornBytes, 'byte')} of a write that a crash cut short: that record was never acknowledged.`, { fix: 'The next record sets it aside; `rlxp check --repair` does so now.', repairable: true });
}

/** The study as it was approved, or null with the reason found: then nothing can be said about its records. */
async function openView(scope: CheckScope, study: string, records: readonly TrialRecord[]): Promise<ReadView | null> {
  const { ports, root, found } = scope;
  const paths = approvalPaths(root, study);
  const opened = await openApproval(ports, root, study);
  found.counts.files += 3;
  if (!opened.ok) {
    const { code, text } = opened;
    const fix = 'Restore the file from a copy, or approve again in a terminal.';
    if (code === 'approved_elsewhere') found.add('warning', paths.approval, text, { fix: 'Check it on the machine where it was approved, or approve it here.' });
    else if (code === 'damaged') found.add('warning', paths.approval, 'Whether it holds cannot be told before the ledger is whole.', { fix: 'Mend the ledger first.' });
    else if (code !== 'not_approved') found.add('broken', paths.approval, text, { fix });
    else if (records.length > 0) found.add('broken', paths.approval, `${text} Its records cannot be proved.`, { fix });
    return null;
  }
  await checkBudget(scope, opened);
  if ((await ports.files.stat(paths.snapshot)) !== null || records.length > 0) {
    const holds = await checkRunning(ports, root, study);
    const rows = holds.ok ? '' : holds.differences.slice(0, 5).map(({ what, approved, now }) => ` ${what}: ${approved ?? 'absent'} -> ${now ?? 'absent'}.`).join('');
    // A program or an environment that was upgraded since makes no result wrong: a new run needs a new approval, and says so.
    const isUpgrade = !holds.ok && holds.differences.length > 0 && holds.differences.every(({ what }) => what === packageListName);
    if (isUpgrade) found.add('warning', paths.approval, `The packages it covers changed since: nothing more starts under it, and its results stand.${rows}`, { fix: `Nothing, unless more of it is to run: then use the packages it was approved with, or start anew with \`rlxp approve ${study} --fresh\`.` });
    else if (!holds.ok) found.add('broken', holds.differences.some(({ what }) => what.startsWith('file ')) ? paths.snapshot : paths.study, `${holds.text}${rows}`, { fix: 'Undo the change, or approve again; nothing starts meanwhile.' });
  }
  try {
    return await viewWith(ports, root, { study, opened, records });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    found.refused(runPaths(root, study).folder, error.refusal);
    return null;
  }
}

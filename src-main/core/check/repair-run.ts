// Mends one campaign, as far as that is safe. Called while the repository's lock is held and its ledger is whole. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { join } from 'node:path';
import { babysitterFile } from '../../../src-protocol/files/babysitter.ts';
import { campaignProcess, eventLine, type CampaignProcess } from '../../../src-protocol/files/event.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Ports } from '../../ports.ts';
import { dropStaleRequests, tagKey } from '../campaign/open-campaign.ts';
import { endStrays, findStrays } from '../campaign/strays.ts';
import { readRunState, viewWith, type ReadView } from '../campaign/read-campaign.ts';
import { settledTrials } from '../campaign/search-plan.ts';
import { settleManifest, settleManifests } from '../campaign/settle-manifests.ts';
import { spentBefore } from '../campaign/spent-before.ts';
import { openApproval } from '../contract/open-approval.ts';
import { appendLedger, otherFiles } from '../ledger/ledger.ts';
import { readManifest } from '../provenance/manifest.ts';
import { projectPaths, runPaths, shownPath, type RunPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { checkConclusion, expectedConclusion, type Expected } from './conclusion.ts';
import { makeFindings } from './findings.ts';
import { readChecked, readRecordJournal } from './journal-reading.ts';
import { keepCopy } from './keep-copy.ts';

export interface Repaired {
  readonly study: string | null;
  readonly file: string;
  readonly did: string;
  readonly copy: string | null;
}

export interface RunRepair {
  readonly repaired: readonly Repaired[];
  /** Folders of trials whose records are gone. */
  readonly rerun: readonly string[];
}

export async function repairRun(ports: Ports, root: string, { study, by }: { readonly study: string; readonly by: string }): Promise<RunRepair> {
  const paths = runPaths(root, study);
  const repaired: Repaired[] = [];
  const did = (path: string, what: string, copy: string | null = null) => void repaired.push({ study, file: shownPath(root, path), did: what, copy: copy === null ? null : shownPath(root, copy) });

  const rerun = await repairRecords(ports, paths, did);
  await cutJournal(ports, paths.events, did);
  await endLeftOver(ports, root, { study, paths, did });
  const view = await openView(ports, root, study);
  if (view !== null) await repairStanding(ports, root, { view, paths, did });
  if (repaired.length > 0) {
    const facts = { what: otherFiles, files: repaired.length, did: repaired.map((one) => `${one.file}: ${one.did}`).join('; ').slice(0, 2000), rerun: [...rerun] };
    await appendLedger(ports, root, { kind: 'repaired', by, study, facts });
  }
  return { repaired, rerun };
}

type Did = (path: string, what: string, copy?: string | null) => void;

/** The records before the first damage stay; those behind it are told, and run again. */
async function repairRecords(ports: Ports, paths: RunPaths, did: Did): Promise<readonly string[]> {
  const { good, damage, tornBytes, goodBytes, behind } = await readRecordJournal(ports.files, paths.trials);
  if (damage === null && tornBytes === 0) return [];
  if (damage?.isNewer === true) return [];
  const copy = await keepCopy(ports, paths.trials);
  await ports.files.truncate(paths.trials, goodBytes);
  did(paths.trials, damage === null ? `set aside ${countText(tornBytes, 'byte')} of a write that a crash cut short` : `kept the ${countText(good.length, 'record')} before line ${damage.line}, which cannot be trusted (${damage.what})`, copy);
  if (damage === null) return [];
  // The damaged line itself names nobody any more; its event does.
  const ended = (await readChecked(ports.files, paths.events, eventLine, () => null)).good.flatMap(({ event }) => (event.kind === 'trial_ended' ? [event.trial.folder] : []));
  const kept = new Set(good.map((record) => record.folder));
  return [...new Set([...ended, ...behind.map((record) => record.folder)])].filter((folder) => !kept.has(folder));
}

async function cutJournal(ports: Ports, path: string, did: Did): Promise<void> {
  const { good, damage, tornBytes, goodBytes } = await readChecked(ports.files, path, eventLine, () => null);
  if ((damage === null && tornBytes === 0) || damage?.isNewer === true) return;
  const copy = await keepCopy(ports, path);
  await ports.files.truncate(path, goodBytes);
  did(path, `kept the ${countText(good.length, 'event')} before ${damage === null ? 'a write that a crash cut short' : `line ${damage.line}, which cannot be read`}`, copy);
}

/** Processes, manifests and requests of a run that is over. */
async function endLeftOver(ports: Ports, root: string, { study, paths, did }: { readonly study: string; readonly paths: RunPaths; readonly did: Did }): Promise<void> {
  const key = await tagKey(ports, root, study);
  const strays = await findStrays(ports, paths, key);
  if (strays.length > 0) {
    await endStrays(ports, paths, key);
    did(paths.trialFolders, `ended ${strays.map(({ identity }) => `process ${identity.pid}`).join(', ')}`);
  }
  if (await settleManifest(ports, paths.manifest)) did(paths.manifest, 'marked interrupted');
  await settleBabysitter(ports, paths, did);
  for (const path of await settleManifests(ports, paths.trialFolders)) did(path, 'marked interrupted');
  const requests = (await ports.files.list(paths.control)).filter((name) => !name.startsWith('.'));
  if (requests.length === 0) return;
  await dropStaleRequests(ports, paths);
  for (const name of requests) {
    const path = join(paths.control, name);
    if ((await ports.files.stat(path)) !== null) await ports.files.remove(path);
    did(path, 'dropped a request that nobody waits for');
  }
}

/** It decides nothing, so one that cannot be read goes away. Nothing runs while a repair holds the repository. */
async function settleBabysitter(ports: Ports, { babysitter: path }: RunPaths, did: Did): Promise<void> {
  if ((await ports.files.stat(path)) === null) return;
  const reading = await tryJsonFile(ports.files, path, babysitterFile);
  if (!reading.ok) {
    if (reading.refusal.code === 'newer_schema') return;
    const copy = await keepCopy(ports, path);
    await ports.files.remove(path);
    return did(path, 'took it away: it could not be read', copy);
  }
  if (reading.file.status === 'ended' || reading.file.status === 'gave_up') return;
  await ports.files.replaceFile(path, `${JSON.stringify({ ...reading.file, status: 'ended' })}\n`);
  did(path, 'marked ended');
}

async function openView(ports: Ports, root: string, study: string): Promise<ReadView | null> {
  const journal = await readRecordJournal(ports.files, runPaths(root, study).trials);
  if (journal.damage !== null || journal.good.length === 0) return null;
  const opened = await openApproval(ports, root, study);
  return opened.ok ? viewWith(ports, root, { study, opened, records: journal.good }) : null;
}

interface StandingParts {
  readonly view: ReadView;
  readonly paths: RunPaths;
  readonly did: Did;
}

/** campaign.json, then what derives from the records: both from the records alone. */
async function repairStanding(ports: Ports, root: string, { view, paths, did }: StandingParts): Promise<void> {
  const run = await readRunState(ports, root, view.study.name);
  const spentS = await spentBefore(ports, root, { study: view.study, file: run.file, records: view.records });
  const manifest = await readManifest(ports, paths.manifest).catch(() => null);
  const expected = expectedConclusion(view, { spentS, manifest });
  const wasOver = run.state === 'completed' || run.state === 'blocked';
  const mustConclude = expected.kind !== 'open' && (wasOver || run.state === 'none' || (await ports.files.stat(paths.verdict)) !== null);

  const found = makeFindings(root);
  await checkConclusion({ ports, root, found }, paths, { view, expected, mustConclude, provenance: 'broken' });
  const wrong = found.all.filter((one) => one.severity === 'broken').map((one) => one.file);
  for (const [path, text] of [[paths.verdict, expected.verdict], [paths.winner, expected.winner], [paths.report, expected.report]] as const) {
    if (wrong.includes(shownPath(root, path))) await rewrite(ports, { path, text, did });
  }
  await repairCampaignFile(ports, paths, { view, spentS, mustConclude, expected, state: run.state, file: run.file, did });
  await mirrorReport(ports, root, { paths, did, isWrong: wrong.includes(shownPath(root, paths.report)) });
}

async function rewrite({ files, clock }: Ports, { path, text, did }: { readonly path: string; readonly text: string | null; readonly did: Did }): Promise<void> {
  const copy = await keepCopy({ files, clock }, path);
  if (text === null) await files.remove(path);
  else await files.replaceFile(path, text);
  did(path, text === null ? 'took it away: the records do not conclude it' : 'wrote it anew from the records', copy);
}

interface CampaignFileParts {
  readonly view: ReadView;
  readonly spentS: number;
  readonly mustConclude: boolean;
  readonly expected: Expected;
  readonly state: string;
  readonly file: CampaignProcess | null;
  readonly did: Did;
}

async function repairCampaignFile(ports: Ports, paths: RunPaths, parts: CampaignFileParts): Promise<void> {
  const { view, spentS, expected, state, file, did } = parts;
  const reading = await tryJsonFile(ports.files, paths.campaign, campaignProcess);
  if (!reading.ok && reading.refusal.code === 'newer_schema') return;
  const isOver = state === 'completed' || state === 'blocked';
  const isOpen = isOver && expected.kind === 'open' && !view.isCompletingLooks;
  const isShort = file !== null && file.spent_s + 1 < spentS;
  if (file !== null && state !== 'interrupted' && !isOpen && !isShort) return;
  const now = new Date(ports.clock.wallMs()).toISOString();
  const done = [...settledTrials(view.records).values()].filter((record) => record.stage !== 'extra').length;
  const concluded = parts.mustConclude ? { status: expected.kind === 'blocked' ? ('blocked' as const) : ('completed' as const), text: expected.text } : null;
  const kept = file !== null && state !== 'interrupted' && !isOpen && file.status !== 'running' && file.status !== 'paused' ? { status: file.status, text: file.text } : null;
  const end = kept ?? concluded ?? { status: 'stopped' as const, text: 'its files were repaired; run it again to go on from the finished trials' };
  const [self, bootId] = await Promise.all([ports.processes.self(), ports.processes.bootId()]);
  const next: CampaignProcess = {
    schema: 1,
    study: view.study.name,
    pid: file?.pid ?? self.pid,
    start_time: file?.start_time ?? self.startTime,
    boot_id: file?.boot_id ?? bootId,
    ...end,
    started_at: file?.started_at ?? now,
    heartbeat_at: now,
    stage: null,
    trials_done: done,
    trials_planned: Math.max(done, file?.trials_planned ?? 0),
    eta_s: expected.kind === 'open' ? null : 0,
    spent_s: spentS,
    reserved_s: file?.reserved_s ?? 0,
    budget_s: view.budgetS,
    idle_share: file?.idle_share ?? 0,
    running: [],
    asked: null,
  };
  const copy = await keepCopy(ports, paths.campaign);
  await ports.files.replaceFile(paths.campaign, `${stringifyWire(next)}\n`);
  did(paths.campaign, `wrote it anew from records and ledger: ${end.status}`, copy);
}

/** The report on top is a copy of the one that was just mended. */
async function mirrorReport({ files }: Ports, root: string, { paths, did, isWrong }: { readonly paths: RunPaths; readonly did: Did; readonly isWrong: boolean }): Promise<void> {
  const top = projectPaths(root).report;
  if (!isWrong || (await files.stat(paths.report)) === null) return;
  await files.replaceFile(top, await files.readText(paths.report));
  did(top, `copied from ${shownPath(root, paths.report)}`);
}

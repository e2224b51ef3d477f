// Checks that nothing says it runs when it does not, and that nothing runs that should not: campaign.json, manifests, control/,
// processes, budget. This room and evidence.
import { join } from 'node:path';
import { babysitterFile } from '../../../src-protocol/files/babysitter.ts';
import { campaignProcess } from '../../../src-protocol/files/event.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { extraPath } from '../campaign/extra-file.ts';
import { tagKey } from '../campaign/open-campaign.ts';
import type { ReadView, RunState } from '../campaign/read-campaign.ts';
import { provenSeconds } from '../campaign/spent-before.ts';
import { findStrays } from '../campaign/strays.ts';
import { isWriterAlive } from '../provenance/manifest.ts';
import { trialPaths, type RunPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import { byRepair, type CheckScope } from './findings.ts';

export interface Standing {
  readonly study: string;
  readonly paths: RunPaths;
  readonly run: RunState;
  readonly isLive: boolean;
  /** Null while the approval or the ledger cannot be trusted. */
  readonly view: ReadView | null;
}

export async function checkStanding(scope: CheckScope, standing: Standing): Promise<void> {
  await checkCampaignFile(scope, standing);
  await checkBabysitter(scope, standing);
  await checkManifests(scope, standing.paths);
  if (standing.isLive) return;
  const { ports, root, found } = scope;
  for (const name of await ports.files.list(standing.paths.control)) {
    if (name.startsWith('.')) continue;
    found.add('warning', join(standing.paths.control, name), 'A request to a campaign that does not run any more.', { fix: 'The next start drops it; `rlxp check --repair` does so now.', repairable: true });
  }
  const wish = extraPath(standing.paths.folder);
  if ((await ports.files.stat(wish)) !== null) found.add('warning', wish, 'An extra trial was asked for and did not come to its end.', { fix: 'Ask for it again to go on, or start the campaign, which drops it.' });
  for (const { identity, tag } of await findStrays(ports, standing.paths, await tagKey(ports, root, standing.study))) {
    found.add('broken', standing.paths.trialFolders, `The process ${identity.pid} (${tag}) lives on without its campaign.`, { fix: 'The next start ends it first; `rlxp check --repair` does so now.', repairable: true });
  }
}

async function checkCampaignFile({ ports, root, found }: CheckScope, { paths, run, view, isLive }: Standing): Promise<void> {
  const path = paths.campaign;
  if ((await ports.files.stat(path)) === null) {
    if (view !== null && view.records.length > 0) found.add('warning', path, 'It is gone: nobody can tell how the campaign stands.', { fix: byRepair, repairable: true });
    return;
  }
  found.counts.files += 1;
  const reading = await tryJsonFile(ports.files, path, campaignProcess);
  if (!reading.ok) return found.refused(path, reading.refusal, { fix: byRepair, repairable: true });
  const { file } = reading;
  if (run.state === 'interrupted') found.add('warning', path, `It says ${file.status}, and the process ${file.pid} is gone: the campaign was interrupted.`, { fix: 'Run it again to go on, or `rlxp check --repair` to mark it stopped.', repairable: true });
  if (view === null || isLive) return;
  const proven = await provenSeconds(ports, root, view);
  if (file.spent_s + 1 < proven) found.add('broken', path, `It says that ${file.spent_s.toFixed(1)} s were spent, and ledger and records prove at least ${proven.toFixed(1)} s.`, { repairable: true });
  if (isOverspent(file.spent_s, view.budgetS)) found.add('broken', path, `${file.spent_s.toFixed(0)} s were spent of a budget of ${view.budgetS.toFixed(0)} s.`, { fix: 'Raise the budget with `rlxp campaign amend`, or stop here.' });
}

/** A running trial is ended within seconds of the limit, not before it. */
export function isOverspent(spentS: number, budgetS: number): boolean {
  return spentS > budgetS + 60 + budgetS * 0.05;
}

/** It says that somebody watches, and nobody does: told, since a campaign that lives without one is not started again. */
async function checkBabysitter({ ports, found }: CheckScope, { paths, run: { babysitter } }: Standing): Promise<void> {
  const path = paths.babysitter;
  if ((await ports.files.stat(path)) === null) return;
  found.counts.files += 1;
  const reading = await tryJsonFile(ports.files, path, babysitterFile);
  if (!reading.ok) return found.refused(path, reading.refusal, { fix: byRepair, repairable: true });
  const { status, pid } = reading.file;
  if (babysitter?.isAlive === true || status === 'ended' || status === 'gave_up') return;
  found.add('warning', path, `It says ${status}, and its process ${pid} is gone: nobody starts the campaign again if its process dies.`, { fix: 'The next start writes it anew; `rlxp check --repair` marks it ended.', repairable: true });
}

async function checkManifests({ ports, found }: CheckScope, paths: RunPaths): Promise<void> {
  const all = [paths.manifest, ...(await ports.files.list(paths.trialFolders)).map((name) => trialPaths(join(paths.trialFolders, name)).manifest)];
  for (const path of all) {
    if ((await ports.files.stat(path)) === null) continue;
    found.counts.files += 1;
    const reading = await tryJsonFile(ports.files, path, manifestFile);
    if (!reading.ok) found.refused(path, reading.refusal);
    else if (reading.file.status === 'running' && !(await isWriterAlive(ports, reading.file))) {
      found.add('warning', path, `It says running, and its process ${reading.file.process.pid} is gone: it was interrupted.`, { fix: 'The next start marks it interrupted; `rlxp check --repair` does so now.', repairable: true });
    }
  }
}

// Says in place of a campaign whose process died how it ended: its processes ended, its files settled, event and ledger line written.
// Imported by the babysitter only.
import { campaignProcess, type CampaignProcess } from '../../../src-protocol/files/event.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import { appendLedger, verifyLedger } from '../ledger/ledger.ts';
import { settleManifest, settleManifests } from './settle-manifests.ts';
import { runPaths, type RunPaths } from '../workspace/layout.ts';
import { openEventLog } from './event-log.ts';
import { readCampaignFile } from './campaign-file.ts';
import { dropStaleRequests, tagKey } from './open-campaign.ts';
import { endStrays } from './strays.ts';
import { countedSeconds } from './spent-before.ts';

export interface DeadCampaign {
  readonly root: string;
  readonly study: string;
  readonly process: ProcessIdentity;
  readonly status: 'stopped' | 'failed';
  /** How it died, in a few words. */
  readonly how: string;
  /** Why it is over, in a sentence. */
  readonly text: string;
}

/** False, and nothing is written, when another process holds the repository by now: then it is not ours to tell. */
export async function closeDead(ports: Ports, dead: DeadCampaign): Promise<boolean> {
  const { root, study } = dead;
  const lock = await ports.locks.take(await ports.files.realPath(root), `campaign ${study}`);
  if (!lock.held) return false;
  try {
    const paths = runPaths(root, study);
    await endStrays(ports, paths, await tagKey(ports, root, study));
    await settleManifests(ports, paths.trialFolders);
    await settleManifest(ports, paths.manifest);
    await dropStaleRequests(ports, paths);
    const spentS = await writeCampaignFile(ports, paths, dead);
    await tell(ports, paths, dead);
    await tellLedger(ports, dead, spentS);
    return true;
  } finally {
    await lock.release();
  }
}

async function writeCampaignFile(ports: Ports, paths: RunPaths, { study, process, status, text }: DeadCampaign): Promise<number> {
  const before = await readCampaignFile(ports, paths.campaign);
  const now = new Date(ports.clock.wallMs()).toISOString();
  const { pid, startTime: start_time } = process;
  const blank = { started_at: now, trials_done: 0, trials_planned: 0, spent_s: 0, reserved_s: 0, budget_s: 0, idle_share: 0 };
  const next: CampaignProcess = campaignProcess.parse({
    ...{ schema: 1, study, ...blank, ...before, pid, start_time, boot_id: await ports.processes.bootId() },
    ...{ status, text, heartbeat_at: now, stage: null, eta_s: null, running: [], asked: null },
  });
  await ports.files.replaceFile(paths.campaign, `${stringifyWire(next)}\n`);
  return next.spent_s;
}

async function tell(ports: Ports, paths: RunPaths, { how, status, text }: DeadCampaign): Promise<void> {
  const events = await openEventLog({ ...ports, eventsPath: paths.events, narrativePath: paths.log, etaS: () => null });
  events.add({ kind: 'process_died', text: `the process died (${how})` }, `the process died (${how})`);
  if (status === 'stopped') events.add({ kind: 'stopped', reason: text }, `stopped: ${text}`);
  events.add({ kind: 'campaign_ended', status, text }, `campaign ${status}: ${text}`);
  await events.settled();
}

/** The device time that nobody counted yet is what its last word said beyond the lines of the ledger. */
async function tellLedger(ports: Ports, { root, study, status, text }: DeadCampaign, spentS: number): Promise<void> {
  const by = ports.machine.userName();
  const uncounted = spentS - countedSeconds((await verifyLedger(ports, root)).lines, study);
  if (uncounted > 0) await appendLedger(ports, root, { kind: 'device_seconds_spent', by, study, facts: { seconds: Math.round(uncounted * 1000) / 1000 } });
  await appendLedger(ports, root, { kind: 'campaign_ended', by, study, facts: { status, text } });
}

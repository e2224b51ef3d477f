// campaign.json: who runs this campaign and where it stands, rewritten every two seconds and when something happens. It is the first to learn that the disk
// takes no more, and says so to the disk guard. Imported by this room only.
import type { CampaignProcess, TrialInFlight } from '../../../src-protocol/files/event.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import type { Campaign } from './open-campaign.ts';

const beatMs = 2_000;

export interface Standing {
  readonly status: CampaignProcess['status'];
  readonly text: string;
  readonly stage: CampaignProcess['stage'];
  readonly done: number;
  readonly planned: number;
  readonly etaS: number | null;
  readonly reservedS: number;
  readonly budgetS: number;
  readonly idleShare: number;
  readonly running: readonly TrialInFlight[];
}

export interface Heartbeat {
  /** Writes now; later calls overtake earlier ones that are still waiting. */
  beat(): Promise<void>;
  stop(): Promise<void>;
}

export function startHeartbeat(campaign: Campaign, standing: () => Standing): Heartbeat {
  const { clock, files, log } = campaign.ports;
  let writing: Promise<void> = Promise.resolve();
  let isWaiting = false;
  let isLast = false;
  let failures = 0;
  const write = async () => {
    isWaiting = false;
    try {
      await files.replaceFile(campaign.paths.campaign, `${stringifyWire(fileOf(campaign, standing()))}\n`, { isPassing: !isLast });
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 1) log.warn('campaign.json could not be written', { error: String(error) });
      // One failure alone may be anything; nobody sees where the campaign stands after two.
      if (failures >= 2) campaign.disk.refused(error instanceof Error ? error.message : String(error));
    }
  };
  const beat = () => {
    if (isWaiting) return writing;
    isWaiting = true;
    writing = writing.then(write);
    return writing;
  };
  const stop = clock.every(beatMs, beat);
  // Doors learn from the first beat that the campaign is up.
  void beat();
  return {
    beat,
    async stop() {
      stop();
      isLast = true;
      await beat();
      await writing;
    },
  };
}

function fileOf(campaign: Campaign, standing: Standing): CampaignProcess {
  return {
    schema: 1,
    study: campaign.study.name,
    pid: campaign.self.pid,
    start_time: campaign.self.startTime,
    boot_id: campaign.bootId,
    status: standing.status,
    text: standing.text,
    started_at: campaign.startedAt,
    heartbeat_at: new Date(campaign.ports.clock.wallMs()).toISOString(),
    stage: standing.stage,
    trials_done: standing.done,
    trials_planned: standing.planned,
    eta_s: standing.etaS,
    spent_s: campaign.device.spentS(),
    reserved_s: standing.reservedS,
    budget_s: standing.budgetS,
    idle_share: standing.idleShare,
    running: [...standing.running],
    asked: standing.status === 'running' || standing.status === 'paused' ? campaign.asked : null,
  };
}

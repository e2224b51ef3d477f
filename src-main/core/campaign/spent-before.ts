// The device time that earlier runs of a campaign spent, whatever a crash did to campaign.json. Imported by this room and the check.
import type { CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { Ports } from '../../ports.ts';
import { verifyLedger, type LedgerPorts } from '../ledger/ledger.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';

export interface SpentFacts {
  readonly study: Pick<LoadedStudy, 'name' | 'stages'>;
  /** campaign.json; null when it is missing or unreadable. */
  readonly file: CampaignProcess | null;
  readonly records: readonly TrialRecord[];
}

/** What campaign.json says, and no less than the ledger and the records prove: a lost file never gives budget back. */
export async function spentBefore(ports: LedgerPorts, root: string, facts: SpentFacts): Promise<number> {
  return Math.max(facts.file?.spent_s ?? 0, await provenSeconds(ports, root, facts));
}

/**
 * A lower bound: what the ledger counted since the run began, and what the trials took divided by how many can run at once (their
 * intervals may overlap, the device time is their union).
 */
export async function provenSeconds(ports: LedgerPorts & Pick<Ports, 'files'>, root: string, { study, records }: Pick<SpentFacts, 'study' | 'records'>): Promise<number> {
  const counted = countedSeconds((await verifyLedger(ports, root)).lines, study.name);
  const slots = Math.max(study.stages.screen.max_parallel, study.stages.refine.max_parallel);
  const trained = records.reduce((sum, record) => sum + record.wall_s, 0) / slots;
  return Math.max(counted, trained);
}

/** What the ledger counted since the run of this study began. */
export function countedSeconds(lines: readonly LedgerLine[], study: string): number {
  const ours = lines.filter((line) => line.study === study);
  const sinceArchived = ours.slice(ours.findLastIndex((line) => line.kind === 'archived') + 1);
  return sinceArchived.filter((line) => line.kind === 'device_seconds_spent').reduce((sum, line) => sum + secondsOf(line.facts['seconds']), 0);
}

function secondsOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

// babysitter.json: what the babysitter of a campaign says, and whether it still lives. Imported by this room and the check.
import { babysitterFile, type BabysitterFile } from '../../../src-protocol/files/babysitter.ts';
import type { CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { Ports } from '../../ports.ts';

export interface Babysitter {
  readonly file: BabysitterFile;
  readonly isAlive: boolean;
  /** It lives, and starts the campaign again when its process dies. */
  readonly isWatching: boolean;
}

/** Null when there is none or it cannot be read: it decides nothing about a campaign. */
export async function readBabysitter(ports: Pick<Ports, 'files' | 'processes'>, path: string): Promise<Babysitter | null> {
  if ((await ports.files.stat(path))?.kind !== 'file') return null;
  let value: unknown;
  try {
    value = JSON.parse(await ports.files.readText(path, { maxBytes: 1_000_000 }));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const parsed = babysitterFile.safeParse(value);
  if (!parsed.success) return null;
  const file = parsed.data;
  const isAlive = file.boot_id === (await ports.processes.bootId()) && (await ports.processes.isAlive({ pid: file.pid, startTime: file.start_time }));
  return { file, isAlive, isWatching: isAlive && (file.status === 'watching' || file.status === 'restarting') };
}

/** Whether it is about this very campaign process: one that was started without a babysitter has none, whatever an earlier one left. */
export function watches({ file }: Babysitter, campaign: Pick<CampaignProcess, 'pid' | 'start_time'>): boolean {
  return file.campaign !== null && file.campaign.pid === campaign.pid && file.campaign.start_time === campaign.start_time;
}

// Writes what a campaign must not lose, for as long as the disk takes to accept it. Imported by this room only.
import type { Campaign } from './open-campaign.ts';
import { isDiskFailure } from './disk-guard.ts';

const againMs = 2_000;

/** The campaign is paused while `write` fails for want of disk; it may be called again and again. Rejects with any other failure, and with the last one once the campaign is stopped. */
export async function writePatiently(campaign: Pick<Campaign, 'ports' | 'steering' | 'disk'>, write: () => Promise<void>): Promise<void> {
  const { ports, steering, disk } = campaign;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDiskFailure(error) || steering.stoppedBecause() !== null) throw error;
      disk.refused(error.message);
      await ports.clock.sleep(againMs);
    }
  }
}

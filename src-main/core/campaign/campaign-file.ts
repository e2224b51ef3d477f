// Reads campaign.json: who runs a campaign and where it stands, as it said last. Imported by this room.
import { campaignProcess, type CampaignProcess } from '../../../src-protocol/files/event.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';

/** What campaign.json says; null when there is none or it cannot be read (it is rewritten every two seconds and decides nothing). */
export async function readCampaignFile(ports: Pick<Ports, 'files'>, path: string): Promise<CampaignProcess | null> {
  if ((await ports.files.stat(path)) === null) return null;
  try {
    const value: unknown = JSON.parse(await ports.files.readText(path, { maxBytes: 1_000_000 }));
    const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : 1;
    if (typeof schema === 'number' && schema > 1) refuse('newer_schema', `${path} was written with schema ${schema}; this program reads schema 1.`);
    const parsed = campaignProcess.safeParse(value);
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

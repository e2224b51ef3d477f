// Manifests that say running after their process is gone are finished as interrupted. Imported by this room and the check.
import { join } from 'node:path';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import { finishManifest, isWriterAlive } from '../provenance/manifest.ts';
import { trialPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';

type SettlePorts = Pick<Ports, 'files' | 'processes' | 'clock' | 'machine' | 'log'>;

/**
 * Settles those of all trials; gives the paths it wrote. What the disk refuses is left to the next start. `self`: a campaign whose trials
 * are all over settles its own too, since a full disk may have refused their end.
 */
export async function settleManifests(ports: SettlePorts, trialFolders: string, self: ProcessIdentity | null = null): Promise<readonly string[]> {
  const settled: string[] = [];
  for (const name of await ports.files.list(trialFolders)) {
    const path = trialPaths(join(trialFolders, name)).manifest;
    try {
      if (await settleManifest(ports, path, self)) settled.push(path);
    } catch (error) {
      ports.log.warn('a manifest could not be settled', { folder: name, error: String(error) });
    }
  }
  return settled;
}

export async function settleManifest(ports: SettlePorts, path: string, self: ProcessIdentity | null = null): Promise<boolean> {
  if ((await ports.files.stat(path))?.kind !== 'file') return false;
  const reading = await tryJsonFile(ports.files, path, manifestFile);
  if (!reading.ok || reading.file.status !== 'running') return false;
  const { pid, start_time } = reading.file.process;
  const isOurs = self !== null && pid === self.pid && start_time === self.startTime;
  if (!isOurs && (await isWriterAlive(ports, reading.file))) return false;
  const message = isOurs ? 'its end could not be written when it came' : 'its process was gone before it could finish this';
  await finishManifest(ports, path, reading.file, { status: 'interrupted', error: { type: 'interrupted', message } });
  return true;
}

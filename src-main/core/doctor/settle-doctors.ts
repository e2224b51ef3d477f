// Manifests of doctors that say running after their process is gone are finished as interrupted. Imported by this room and the check.
import path from 'node:path';
import type { Ports } from '../../ports.ts';
import { settleManifest } from '../campaign/settle-manifests.ts';
import { trialPaths } from '../workspace/layout.ts';

/** `folder`: doctor/<study>/. Gives the paths it wrote. */
export async function settleDoctors(ports: Ports, folder: string): Promise<readonly string[]> {
  const settled: string[] = [];
  for (const file of await doctorManifests(ports, folder)) if (await settleManifest(ports, file)) settled.push(file);
  return settled;
}

/** Manifests of each doctor and of its trials, whether they are there or not. */
export async function doctorManifests({ files }: Pick<Ports, 'files'>, folder: string): Promise<readonly string[]> {
  const manifests: string[] = [];
  for (const run of await files.list(folder)) {
    const at = path.join(folder, run);
    if ((await files.stat(at))?.kind !== 'folder') continue;
    manifests.push(trialPaths(at).manifest, ...['trial', 'first-half', 'second-half'].map((part) => trialPaths(path.join(at, part)).manifest));
  }
  return manifests;
}

// The folder that a trial's next attempt gets. Imported by this room only.
import { join } from 'node:path';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { Files } from '../../ports.ts';
import { trialFolderName, trialPaths, type RunPaths } from '../workspace/layout.ts';
import type { PlannedTrial } from './search-plan.ts';

/** The first attempt number that has neither a record nor a folder: what a killed run left is never written into. */
export async function nextAttempt(of: { readonly files: Pick<Files, 'stat'>; readonly paths: RunPaths; readonly records: readonly TrialRecord[] }, planned: PlannedTrial): Promise<number> {
  const used = of.records.filter((record) => record.identity === planned.identity).map((record) => record.attempt + 1);
  let attempt = Math.max(0, ...used);
  const folderOf = () => join(of.paths.trialFolders, trialFolderName({ ...planned, attempt }));
  while ((await of.files.stat(trialPaths(folderOf()).trial)) !== null) attempt += 1;
  return attempt;
}

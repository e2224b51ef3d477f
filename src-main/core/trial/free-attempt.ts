// Finds the folder for the next attempt at a trial. Rooms from trial leftwards may import it.
import path from 'node:path';
import type { Files } from '../../ports.ts';
import { trialFolderName, type TrialName } from '../workspace/layout.ts';

/** The first attempt whose folder nobody has made yet, and that folder below `trialFolders`. */
export async function freeAttempt(files: Files, trialFolders: string, trial: Omit<TrialName, 'attempt'>): Promise<{ readonly attempt: number; readonly folder: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const folder = path.join(trialFolders, trialFolderName({ ...trial, attempt }));
    if ((await files.stat(folder)) === null) return { attempt, folder };
  }
}

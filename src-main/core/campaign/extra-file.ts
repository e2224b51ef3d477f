// extra.json of a run: the extra trial that is being run. Imported by this room and the check.
import { join } from 'node:path';
import { extraWish, type ExtraWish } from '../../../src-protocol/files/extra.ts';
import type { Files } from '../../ports.ts';
import { readJsonFile } from '../workspace/read-file.ts';

export function extraPath(runFolder: string): string {
  return join(runFolder, 'extra.json');
}

/** Null when none was asked for. Throws RefusalError invalid_file for one that cannot be read. */
export async function readExtra(files: Pick<Files, 'stat' | 'readText'>, runFolder: string): Promise<ExtraWish | null> {
  const path = extraPath(runFolder);
  return (await files.stat(path)) === null ? null : readJsonFile(files, path, extraWish);
}

export async function writeExtra(files: Pick<Files, 'makeFolder' | 'replaceFile'>, runFolder: string, wish: ExtraWish): Promise<void> {
  await files.makeFolder(runFolder);
  await files.replaceFile(extraPath(runFolder), `${JSON.stringify(wish, null, 2)}\n`);
}

export async function dropExtra(files: Pick<Files, 'remove'>, runFolder: string): Promise<void> {
  await files.remove(extraPath(runFolder));
}

// Folders that survive a power cut, and the sweeping of temp files that a crash left. Anyone may import it; it needs nothing of ours.
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, nodeDisk, type Disk } from './disk.ts';

/** Makes the folder and its missing parents, and makes their names durable: a record in a folder that vanishes is a lost record. */
export async function makeFolder(folder: string, disk: Disk = nodeDisk): Promise<void> {
  try {
    await disk.mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(folder) !== folder) {
      await makeFolder(dirname(folder), disk);
      return makeFolder(folder, disk);
    }
    if (codeOf(error) === 'EEXIST' && (await isFolder(folder))) return;
    throw error;
  }
  await disk.syncFolder(dirname(folder));
}

/** Older than this, a temp file is stale whoever owns the process number now. */
const oldMs = 24 * 3600 * 1000;
/** Younger than this it may belong to a process of another machine on a shared disk. */
const youngMs = 60 * 1000;

/** Removes temp files of `replaceFile` whose process is gone; gives the names removed. A missing folder has none. */
export async function removeStaleTemps(folder: string, options: { readonly nowMs: number; readonly disk?: Disk }): Promise<readonly string[]> {
  const disk = options.disk ?? nodeDisk;
  const removed: string[] = [];
  for (const name of await disk.list(folder).catch(() => [])) {
    const pid = tempPid(name);
    if (pid === null) continue;
    const found = await disk.lstat(join(folder, name));
    if (found === null || !found.isFile) continue;
    const ageMs = options.nowMs - found.modifiedMs;
    if (ageMs < youngMs || (ageMs < oldMs && isRunning(pid))) continue;
    await disk.unlink(join(folder, name)).then(
      () => removed.push(name),
      () => undefined,
    );
  }
  return removed;
}

/** The process number in a temp name, or null when the name is not one of ours. */
export function tempPid(name: string): number | null {
  const match = /^\..+\.(\d{1,10})\.[0-9a-f]{12}\.tmp$/s.exec(name);
  return match === null ? null : Number(match[1]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

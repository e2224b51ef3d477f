// A small disk of its own for the tests of this folder: a tmpfs that can be filled to the byte. Needs the right to mount.
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  freeBytes(): number;
  /** Leaves `bytes` free, or as few as it can. */
  leave(bytes: number): void;
  /** Takes everything away that `leave` put there. */
  empty(): void;
  unmount(): void;
}

/** Null, having said so, where this user may not mount. */
export function mountSmallDisk(folder: string, sizeMb: number): SmallDisk | null {
  mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder]).status !== 0) {
    process.stdout.write('skipped: no tmpfs can be mounted here, so no disk can be filled\n');
    return null;
  }
  const ballast = join(folder, 'ballast');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    leave(bytes) {
      mkdirSync(ballast, { recursive: true });
      for (let part = 0; part < 20 && freeBytes() > bytes; part += 1) writeZeros(join(ballast, `${Date.now()}-${part}`), freeBytes() - bytes);
    },
    empty: () => rmSync(ballast, { recursive: true, force: true }),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  };
}

/** As many as fit. */
function writeZeros(path: string, count: number): void {
  const file = openSync(path, 'w');
  try {
    for (let left = count; left > 0; ) left -= writeSync(file, Buffer.alloc(Math.min(left, 1024 * 1024)));
    fsyncSync(file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

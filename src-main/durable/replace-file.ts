// Replaces a whole file so that a crash leaves either the old or the new one, never half. Anyone may import it; it needs nothing of ours.
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { codeOf, nodeDisk, openFlags, writeFully, type Disk } from './disk.ts';

export interface ReplaceOptions {
  /** Permission bits; by default those of the file that is replaced, or 0o666 less the umask for a new one. */
  readonly mode?: number;
  /** Of no worth after a power cut: the folder is not fsynced, and then the old file may be back, whole. */
  readonly isPassing?: boolean;
  readonly disk?: Disk;
}

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Temp file beside `path`, write, fsync, rename, fsync of the folder. Rejects with the system's error; then `path` is untouched and the temp file gone. */
export async function replaceFile(path: string, content: FileContent, options: ReplaceOptions = {}): Promise<void> {
  const disk = options.disk ?? nodeDisk;
  const temp = join(dirname(path), tempName(basename(path)));
  try {
    await writeTemp(disk, temp, content, options.mode ?? (await modeOf(disk, path)));
    await renamePatiently(disk, temp, path);
  } catch (error) {
    await disk.unlink(temp).catch(() => undefined);
    throw error;
  }
  if (options.isPassing !== true) await disk.syncFolder(dirname(path));
}

/** `.name.<pid>.<random>.tmp`; a long name is cut so that the whole stays a legal name. */
export function tempName(name: string): string {
  let kept = name;
  while (Buffer.byteLength(kept) > 200) kept = kept.slice(0, -1);
  return `.${kept}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
}

async function writeTemp(disk: Disk, temp: string, content: FileContent, mode: number | null): Promise<void> {
  const handle = await disk.open(temp, openFlags.createNew, mode ?? 0o666);
  try {
    // The umask may have taken bits from an explicit mode.
    if (mode !== null && disk.platform !== 'win32' && (mode & process.umask()) !== 0) await handle.chmod(mode);
    if (typeof content === 'string') await writeFully(handle, Buffer.from(content), temp);
    else if (content instanceof Uint8Array) await writeFully(handle, content, temp);
    else for await (const part of content) await writeFully(handle, part, temp);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function modeOf(disk: Disk, path: string): Promise<number | null> {
  const stat = await disk.lstat(path);
  return stat !== null && stat.isFile ? stat.mode & 0o777 : null;
}

/** On Windows a virus scanner may hold the old file for a moment: ten tries, 20 to 400 ms apart. */
async function renamePatiently(disk: Disk, from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await disk.rename(from, to);
    } catch (error) {
      const isHeld = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (disk.platform !== 'win32' || !isHeld || attempt === 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(400, 20 * 2 ** attempt)));
    }
  }
}

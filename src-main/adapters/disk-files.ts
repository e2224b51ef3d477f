// The Files port on the real disk. Only composition files and tests import it.
import { lstatSync, type Stats } from 'node:fs';
import { chmod, lstat, realpath, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendLine } from '../durable/append-line.ts';
import { makeFolder, removeStaleTemps } from '../durable/folders.ts';
import { nodeDisk, openFlags, writeFully, type Disk, type DiskHandle } from '../durable/disk.ts';
import { parseJournal } from '../durable/journal.ts';
import { replaceFile, type FileContent } from '../durable/replace-file.ts';
import type { FileStat, Files, ReplaceOptions } from '../ports.ts';
import { asFileError, DiskFileError, withFileError } from './file-error.ts';
import { watchFolder } from './folder-watch.ts';
import { readPart, readWhole, withRegularFile } from './regular-file.ts';

/** `disk` is what every change of a file is made of, so that a test can make any one call fail. */
export function makeDiskFiles(disk: Disk = nodeDisk): Files {
  const sweptFolders = new Set<string>();

  /** The first write into a folder removes temp files that a crashed process left there. */
  async function replace(path: string, content: FileContent, options: ReplaceOptions = {}): Promise<void> {
    const folder = dirname(path);
    if (!sweptFolders.has(folder)) {
      sweptFolders.add(folder);
      await removeStaleTemps(folder, { nowMs: Date.now(), disk });
    }
    await replaceFile(path, content, { ...options, disk });
  }

  return {
    readText: (path, options) => withFileError(path, async () => decode(await readWhole(path, options?.maxBytes), path)),
    readBytes: (path, options) => withFileError(path, () => readWhole(path, options?.maxBytes)),
    readSlice: (path, offset, length) =>
      withFileError(path, () => withRegularFile(path, 'read', (handle, size) => readPart(handle, offset, Math.max(0, Math.min(length, size - offset))))),
    stat: async (path) => statNow(path),
    statEach: async (paths) => paths.map(statNow),
    list: (folder) => withFileError(folder, () => namesIn(folder)),
    makeFolder: (folder) => withFileError(folder, () => makeFolder(folder, disk)),
    replaceFile: (path, data, options) => withFileError(path, () => replace(path, data, options)),
    appendLine: (path, line) => withFileError(path, () => appendLine(path, line, { disk })),
    readJournal: (path) => withFileError(path, async () => parseJournal((await missingAsNull(readWhole(path))) ?? new Uint8Array())),
    appendText: (path, text) => withFileError(path, () => appendText(disk, path, text)),
    truncate: (path, sizeBytes) => withFileError(path, () => withRegularFile(path, 'write', (handle) => handle.truncate(sizeBytes))),
    copyFile: (from, to) =>
      withFileError(from, () =>
        withRegularFile(from, 'read', async (handle) => {
          const mode = (await handle.stat()).mode & 0o777;
          await replace(to, partsOf(handle), { mode });
        }),
      ),
    rename: (from, to) =>
      withFileError(from, async () => {
        await disk.rename(from, to);
        await disk.syncFolder(dirname(to));
        if (dirname(from) !== dirname(to)) await disk.syncFolder(dirname(from));
      }),
    remove: (path) => withFileError(path, () => removePath(disk, path)),
    setMode: (path, mode) => withFileError(path, () => setMode(path, mode)),
    realPath: (path) => withFileError(path, () => realpath(path)),
    freeBytes: (path) => withFileError(path, () => freeBytes(path)),
    watch: (path, onChange, options) => watchFolder(path, onChange, options?.except),
  };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Text that would not survive a read and a write is refused, never silently changed. */
function decode(bytes: Uint8Array, path: string): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new DiskFileError('EILSEQ', path, `EILSEQ: not UTF-8 text, read '${path}'`);
  }
}

/** Without the thread pool, as all small calls are (durable/disk.ts says why). */
function statNow(path: string): FileStat | null {
  try {
    return fileStat(lstatSync(path));
  } catch (error) {
    if (isOneOf(error, nothingThere)) return null;
    throw asFileError(error, path);
  }
}

/** Below a file there is nothing either (ENOTDIR). */
const nothingThere = ['ENOENT', 'ENOTDIR'];

function fileStat(stat: Stats): FileStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
    identity: `${stat.dev}:${stat.ino}`,
    mode: stat.mode & 0o7777,
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return [...((await missingAsNull(nodeDisk.list(folder))) ?? [])].sort();
}

const copiedBytes = 1024 * 1024;

async function* partsOf(handle: DiskHandle): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    const part = await readPart(handle, offset, copiedBytes);
    if (part.length === 0) return;
    yield part;
    offset += part.length;
  }
}

/** A pipe or device is refused: it would take the text and keep nothing, or hang. */
async function appendText(disk: Disk, path: string, text: string): Promise<void> {
  const handle = await disk.open(path, openFlags.append, 0o666);
  try {
    if (!(await handle.stat()).isFile) throw new DiskFileError('EINVAL', path, `EINVAL: not a regular file, append '${path}'`);
    await writeFully(handle, Buffer.from(text), path);
  } finally {
    await handle.close();
  }
}

/** A folder goes with all that is in it; a link goes alone. */
async function removePath(disk: Disk, path: string): Promise<void> {
  const stat = await missingAsNull(lstat(path));
  if (stat?.isDirectory() === true) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  else if (stat !== null) await missingAsNull(disk.unlink(path));
}

async function setMode(path: string, mode: number): Promise<void> {
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) throw new DiskFileError('ELOOP', path, `ELOOP: a link is not followed here, chmod '${path}'`);
  await chmod(path, mode);
}

/** Of the nearest folder that exists, so that a folder about to be made can be asked for. */
async function freeBytes(path: string): Promise<number> {
  for (let at = path; ; at = dirname(at)) {
    const stat = await missingAsNull(statfs(at));
    if (stat !== null) return stat.bavail * stat.bsize;
    if (dirname(at) === at) throw new DiskFileError('ENOENT', path, `ENOENT: no such folder, statfs '${path}'`);
  }
}

async function missingAsNull<T>(work: Promise<T>, codes: readonly unknown[] = ['ENOENT']): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isOneOf(error, codes)) return null;
    throw error;
  }
}

function isOneOf(error: unknown, codes: readonly unknown[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(error.code);
}

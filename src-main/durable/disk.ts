// The few file-system calls that durable writes are made of, so that a test can make any one of them fail. Only durable/ imports it.
import { closeSync, constants, fchmodSync, fstatSync, fsync, ftruncateSync, lstatSync, mkdirSync, openSync, read, readdirSync, readSync, renameSync, unlinkSync, write, writeSync } from 'node:fs';
import { platform } from 'node:process';
import { promisify } from 'node:util';

export interface DiskHandle {
  /** May write fewer bytes than asked; gives the count. Appending handles ignore `position`. */
  write(bytes: Uint8Array, position: number | null): Promise<number>;
  read(target: Uint8Array, position: number): Promise<number>;
  stat(): Promise<{ readonly size: number; readonly mode: number; readonly isFile: boolean }>;
  truncate(size: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Disk {
  open(path: string, flags: number, mode: number): Promise<DiskHandle>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Null when nothing is there; never follows a link. */
  lstat(path: string): Promise<{ readonly mode: number; readonly isFile: boolean; readonly modifiedMs: number } | null>;
  mkdir(path: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  /** Makes created, renamed and removed names of a folder survive a power cut. */
  syncFolder(folder: string): Promise<void>;
  readonly platform: string;
}

/** Missing on Windows, where a link needs a privilege to be made. */
const noFollow = constants.O_NOFOLLOW ?? 0;
/** A FIFO or a device then answers at once instead of waiting for its other end. */
const noWait = constants.O_NONBLOCK ?? 0;

export const openFlags = {
  createNew: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow,
  append: constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | noFollow | noWait,
  appendNew: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | noFollow,
  readWrite: constants.O_RDWR | noFollow | noWait,
  read: constants.O_RDONLY | noFollow | noWait,
} as const;

/** More bytes than this go through the thread pool: they may wait for the disk, and nobody else should. */
const bytesAtOnce = 64 * 1024;
const readApart = promisify(read);
const writeApart = promisify(write);
const syncApart = promisify(fsync);

/**
 * Only what may wait long for the disk (a sync, many bytes) goes through the thread pool: every turn of the pool costs twenty times such a
 * call itself. A disk that hangs holds its process up, as it does where a trial's console is written.
 */
export const nodeDisk: Disk = {
  platform,
  open: async (path, flags, mode) => handleOf(openSync(path, flags, mode)),
  rename: async (from, to) => renameSync(from, to),
  unlink: async (path) => unlinkSync(path),
  async lstat(path) {
    try {
      const stat = lstatSync(path);
      return { mode: stat.mode & 0o7777, isFile: stat.isFile(), modifiedMs: stat.mtimeMs };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  },
  mkdir: async (path) => mkdirSync(path),
  list: async (folder) => readdirSync(folder),
  async syncFolder(folder) {
    if (platform === 'win32') return; // a folder cannot be opened there
    const file = openSync(folder, constants.O_RDONLY);
    try {
      await syncApart(file);
    } catch (error) {
      // Some network file systems cannot sync a folder and say so; the file itself is synced already.
      if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
    } finally {
      closeSync(file);
    }
  },
};

function handleOf(file: number): DiskHandle {
  return {
    async write(bytes, position) {
      if (bytes.length <= bytesAtOnce) return writeSync(file, bytes, 0, bytes.length, position);
      return (await writeApart(file, bytes, 0, bytes.length, position)).bytesWritten;
    },
    async read(target, position) {
      if (target.length <= bytesAtOnce) return readSync(file, target, 0, target.length, position);
      return (await readApart(file, target, 0, target.length, position)).bytesRead;
    },
    async stat() {
      const stat = fstatSync(file);
      return { size: stat.size, mode: stat.mode & 0o7777, isFile: stat.isFile() };
    },
    truncate: async (size) => ftruncateSync(file, size),
    chmod: async (wanted) => fchmodSync(file, wanted),
    sync: () => syncApart(file),
    close: async () => closeSync(file),
  };
}

/** The system's error code (`ENOSPC`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Writes all of `bytes`, however few each call takes. A call that takes nothing is an error: the disk is full. */
export async function writeFully(handle: DiskHandle, bytes: Uint8Array, path: string): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const count = await handle.write(bytes.subarray(done), null);
    if (count <= 0) throw Object.assign(new Error(`ENOSPC: the disk took no more bytes, write '${path}'`), { code: 'ENOSPC', path });
    done += count;
  }
}

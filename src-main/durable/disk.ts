// The few file-system calls that durable writes are made of, so that a test can make any one of them fail. Only durable/ imports it.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { platform } from 'node:process';

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

export const nodeDisk: Disk = {
  platform,
  async open(path, flags, mode) {
    const handle = await open(path, flags, mode);
    return {
      write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
      read: async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
      async stat() {
        const stat = await handle.stat();
        return { size: stat.size, mode: stat.mode & 0o7777, isFile: stat.isFile() };
      },
      truncate: (size) => handle.truncate(size),
      chmod: (wanted) => handle.chmod(wanted),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  rename,
  unlink,
  async lstat(path) {
    try {
      const stat = await lstat(path);
      return { mode: stat.mode & 0o7777, isFile: stat.isFile(), modifiedMs: stat.mtimeMs };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  },
  async mkdir(path) {
    await mkdir(path);
  },
  list: (folder) => readdir(folder),
  async syncFolder(folder) {
    if (platform === 'win32') return; // a folder cannot be opened there
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } catch (error) {
      // Some network file systems cannot sync a folder and say so; the file itself is synced already.
      if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
    } finally {
      await handle.close();
    }
  },
};

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

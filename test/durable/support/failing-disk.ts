// The real disk, with one call failing or coming up short.
import { nodeDisk, type Disk, type DiskHandle } from '../../../src-main/durable/disk.ts';

export interface FailingDisk extends Disk {
  /** Calls made so far, by name. */
  readonly calls: string[];
}

/** The nth call (from 1) fails with `code`, or, if it is a write, takes only half of its bytes first. */
export function failingDisk(nth: number, code: string, how: 'fail' | 'short' = 'fail'): FailingDisk {
  const calls: string[] = [];
  let isFull = false;

  function count(name: string): void {
    calls.push(name);
    if (calls.length === nth && how === 'fail') throw failure(code, name);
  }

  function wrap(handle: DiskHandle): DiskHandle {
    return {
      async write(bytes, position) {
        count('write');
        if (isFull) throw failure(code, 'write');
        if (how === 'fail' || calls.length !== nth) return handle.write(bytes, position);
        isFull = true;
        return handle.write(bytes.subarray(0, bytes.length / 2), position);
      },
      async read(target, position) {
        count('read');
        return handle.read(target, position);
      },
      async stat() {
        count('fstat');
        return handle.stat();
      },
      async truncate(size) {
        count('truncate');
        return handle.truncate(size);
      },
      async chmod(mode) {
        count('fchmod');
        return handle.chmod(mode);
      },
      async sync() {
        count('fsync');
        return handle.sync();
      },
      async close() {
        await handle.close(); // a close that fails has closed all the same
        count('close');
      },
    };
  }

  return {
    platform: nodeDisk.platform,
    calls,
    async open(path, flags, mode) {
      count('open');
      return wrap(await nodeDisk.open(path, flags, mode));
    },
    async rename(from, to) {
      count('rename');
      return nodeDisk.rename(from, to);
    },
    async unlink(path) {
      calls.push('unlink'); // cleaning up is not made to fail: what it leaves is swept at the next start
      return nodeDisk.unlink(path);
    },
    async lstat(path) {
      count('lstat');
      return nodeDisk.lstat(path);
    },
    async mkdir(path) {
      count('mkdir');
      return nodeDisk.mkdir(path);
    },
    list: (folder) => nodeDisk.list(folder),
    async syncFolder(folder) {
      count('fsync of the folder');
      return nodeDisk.syncFolder(folder);
    },
  };
}

function failure(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected into ${call}`), { code });
}

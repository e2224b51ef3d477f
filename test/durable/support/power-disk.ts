// A disk in memory that forgets, at a power cut, what was not synced: any part of the bytes, any of the names.
import { dirname } from 'node:path';
import { constants } from 'node:fs';
import type { Disk, DiskHandle } from '../../../src-main/durable/disk.ts';

interface Inode {
  bytes: Buffer;
  synced: Buffer;
}

type NameChange = { readonly folder: string; apply(names: Map<string, Inode>): void };

export class PowerCut extends Error {}

/** Gives a number from 0 up to but not including `below`. */
export type Chance = (below: number) => number;

export class PowerDisk implements Disk {
  readonly platform = 'linux';
  private names = new Map<string, Inode>();
  private syncedNames = new Map<string, Inode>();
  private unsynced: NameChange[] = [];
  private callsLeft = Infinity;

  /** The power goes at the nth call from now: it and all later ones do nothing and reject. */
  cutAt(nth: number): void {
    this.callsLeft = nth;
  }

  /** What a machine finds when it comes up again. */
  reboot(chance: Chance): void {
    const names = new Map(this.syncedNames);
    for (const change of this.unsynced) if (chance(2) === 0) change.apply(names);
    for (const inode of new Set(names.values())) {
      inode.bytes = survive(inode, chance);
      inode.synced = inode.bytes;
    }
    this.names = names;
    this.syncedNames = new Map(names);
    this.unsynced = [];
    this.callsLeft = Infinity;
  }

  read(path: string): Buffer | null {
    return this.names.get(path)?.bytes ?? null;
  }

  paths(): readonly string[] {
    return [...this.names.keys()].sort();
  }

  open(path: string, flags: number): Promise<DiskHandle> {
    return this.act(() => {
      let inode = this.names.get(path);
      if (inode !== undefined && (flags & constants.O_EXCL) !== 0) throw failure('EEXIST', path);
      if (inode === undefined) {
        if ((flags & constants.O_CREAT) === 0) throw failure('ENOENT', path);
        const made: Inode = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
        this.change({ folder: dirname(path), apply: (names) => names.set(path, made) });
        inode = made;
      }
      return this.handle(inode);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.act(() => {
      const inode = this.names.get(from);
      if (inode === undefined) throw failure('ENOENT', from);
      this.change({
        folder: dirname(to),
        apply(names) {
          names.delete(from);
          names.set(to, inode);
        },
      });
    });
  }

  unlink(path: string): Promise<void> {
    return this.act(() => this.change({ folder: dirname(path), apply: (names) => names.delete(path) }));
  }

  lstat(path: string): ReturnType<Disk['lstat']> {
    return this.act(() => (this.names.has(path) ? { mode: 0o644, isFile: true, modifiedMs: 0 } : null));
  }

  mkdir(): Promise<void> {
    return this.act(() => undefined);
  }

  list(): Promise<readonly string[]> {
    return this.act(() => []);
  }

  syncFolder(folder: string): Promise<void> {
    return this.act(() => {
      for (const change of this.unsynced) if (change.folder === folder) change.apply(this.syncedNames);
      this.unsynced = this.unsynced.filter((change) => change.folder !== folder);
    });
  }

  private handle(inode: Inode): DiskHandle {
    return {
      write: (bytes) =>
        this.act(() => {
          inode.bytes = Buffer.concat([inode.bytes, bytes]);
          return bytes.length;
        }),
      read: (target, position) => this.act(() => inode.bytes.copy(target, 0, position)),
      stat: () => this.act(() => ({ size: inode.bytes.length, mode: 0o644, isFile: true })),
      truncate: (size) => this.act(() => void (inode.bytes = inode.bytes.subarray(0, size))),
      chmod: () => this.act(() => undefined),
      sync: () => this.act(() => void (inode.synced = inode.bytes)),
      close: () => Promise.resolve(),
    };
  }

  private change(change: NameChange): void {
    change.apply(this.names);
    this.unsynced.push(change);
  }

  private act<T>(work: () => T): Promise<T> {
    return Promise.resolve().then(() => {
      this.callsLeft -= 1;
      if (this.callsLeft <= 0) throw new PowerCut('the power went');
      return work();
    });
  }
}

/** Between what was synced and what was written last, anything: the old bytes, the new ones, a part, or zeros where the new ones were. */
function survive(inode: Inode, chance: Chance): Buffer {
  const { synced, bytes } = inode;
  const extra = bytes.subarray(0, synced.length).equals(synced) ? bytes.subarray(synced.length) : null;
  if (extra === null || extra.length === 0) return chance(2) === 0 ? synced : bytes;
  const kept = chance(extra.length + 1);
  const way = chance(4);
  if (way === 0) return synced;
  if (way === 1) return bytes;
  if (way === 2) return Buffer.concat([synced, extra.subarray(0, kept)]);
  // The length came through and a page did not.
  return Buffer.concat([synced, Buffer.alloc(kept), extra.subarray(kept)]);
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}'`), { code, path });
}

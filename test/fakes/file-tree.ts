// The tree of files in memory that fake-files stands on. Only test/fakes imports it.
import { dirname, join, normalize } from 'node:path';
import { DiskFileError } from '../../src-main/adapters/file-error.ts';
import type { FileStat } from '../../src-main/ports.ts';

export type FileNode = { mode: number } & (
  | { readonly kind: 'file'; bytes: Uint8Array }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' }
);

interface Kept {
  readonly node: FileNode;
  readonly inode: number;
  modifiedMs: number;
}

/** Flat: every entry by its path with the links of its folders resolved. */
export class FileTree {
  private readonly entries = new Map<string, Kept>();
  private readonly wallMs: () => number;
  private inodes = 1;

  constructor(wallMs: () => number) {
    this.wallMs = wallMs;
    this.keep('/', { kind: 'folder', mode: 0o755 });
  }

  /** Follows links in the folders, not in the last part. */
  find(path: string): FileNode | null {
    return this.entries.get(this.place(path))?.node ?? null;
  }

  put(path: string, node: FileNode): void {
    this.mustHaveParent(path);
    this.keep(this.place(path), node);
  }

  change(node: Extract<FileNode, { kind: 'file' }>, bytes: Uint8Array): void {
    node.bytes = bytes;
    for (const kept of this.entries.values()) if (kept.node === node) kept.modifiedMs = this.wallMs();
  }

  stat(path: string): FileStat | null {
    const kept = this.entries.get(this.place(path));
    if (kept === undefined) return null;
    const { node } = kept;
    return { kind: node.kind, sizeBytes: node.kind === 'file' ? node.bytes.length : 0, modifiedMs: kept.modifiedMs, identity: `1:${kept.inode}`, mode: node.mode };
  }

  names(folder: string): readonly string[] {
    if (!this.exists(folder)) return [];
    const real = this.realPath(folder);
    if (this.find(real)?.kind !== 'folder') throw error('ENOTDIR', folder);
    return [...this.entries.keys()].filter((path) => path !== '/' && dirname(path) === real).map((path) => path.slice(join(real, '/').length)).sort();
  }

  makeFolder(folder: string): void {
    if (this.exists(folder)) {
      if (this.find(this.realPath(folder))?.kind === 'folder') return;
      throw error('EEXIST', folder);
    }
    if (this.find(folder) !== null) throw error('EEXIST', folder); // a link to nowhere
    this.makeFolder(dirname(folder));
    this.keep(this.place(folder), { kind: 'folder', mode: 0o755 });
  }

  rename(from: string, to: string): void {
    const source = this.place(from);
    const target = this.place(to);
    const kept = this.entries.get(source);
    if (kept === undefined) throw error('ENOENT', from);
    this.mustHaveParent(to);
    const old = this.entries.get(target)?.node;
    if (old?.kind === 'folder' && kept.node.kind !== 'folder') throw error('EISDIR', from);
    if (old?.kind === 'folder' && this.names(target).length > 0) throw error('ENOTEMPTY', from);
    for (const [path, entry] of [...this.entries]) {
      if (path !== source && !path.startsWith(`${source}/`)) continue;
      this.entries.delete(path);
      this.entries.set(target + path.slice(source.length), entry);
    }
    this.touchFolder(source);
    this.touchFolder(target);
  }

  /** Gives the bytes set free. */
  remove(path: string): number {
    let bytes = 0;
    const gone = this.place(path);
    for (const [name, { node }] of [...this.entries]) {
      if (name !== gone && !name.startsWith(`${gone}/`)) continue;
      if (node.kind === 'file') bytes += node.bytes.length;
      this.entries.delete(name);
      if (name === gone) this.touchFolder(gone);
    }
    return bytes;
  }

  realPath(path: string, hops = 0): string {
    if (hops > 40) throw error('ELOOP', path);
    const place = this.place(path, hops);
    const node = this.entries.get(place)?.node;
    if (node === undefined) throw error('ENOENT', path);
    return node.kind === 'link' ? this.realPath(node.target, hops + 1) : place;
  }

  mustHaveParent(path: string): void {
    if (this.find(this.realPath(dirname(path)))?.kind !== 'folder') throw error('ENOTDIR', path);
  }

  contents(folder: string): Readonly<Record<string, string>> {
    const texts: [string, string][] = [];
    for (const [path, { node }] of this.entries) if (node.kind === 'file' && path.startsWith(join(folder, '/'))) texts.push([path, Buffer.from(node.bytes).toString('utf8')]);
    return Object.fromEntries(texts.sort());
  }

  private exists(path: string): boolean {
    try {
      this.realPath(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The path with the links of its folders resolved; a folder that is missing stays as it reads. */
  private place(path: string, hops = 0): string {
    const clean = normalize(path).replace(/(.)\/$/, '$1');
    if (clean === '/') return clean;
    const folder = dirname(clean);
    const name = clean.slice(join(folder, '/').length);
    try {
      return join(this.realPath(folder, hops), name);
    } catch (problem) {
      if (problem instanceof DiskFileError && problem.code === 'ENOENT') return clean;
      throw problem;
    }
  }

  private keep(place: string, node: FileNode): void {
    this.entries.set(place, { node, inode: this.inodes++, modifiedMs: this.wallMs() });
    if (place !== '/') this.touchFolder(place);
  }

  /** A name came or went. */
  private touchFolder(place: string): void {
    const folder = this.entries.get(dirname(place));
    if (folder !== undefined) folder.modifiedMs = this.wallMs();
  }
}

function error(code: string, path: string): DiskFileError {
  return new DiskFileError(code, path, `${code}: '${path}'`);
}

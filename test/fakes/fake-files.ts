// Files in memory, behaving as the real disk in everything the conformance tests ask; any call can be made to fail.
import { basename, dirname, join, resolve as resolvePath } from 'node:path';
import { parseJournal, wholeLinesEnd } from '../../src-main/durable/journal.ts';
import { asFileError, DiskFileError } from '../../src-main/adapters/file-error.ts';
import type { FileContent, Files } from '../../src-main/ports.ts';
import { FileTree, type FileNode } from './file-tree.ts';

export type FileCall = Exclude<keyof Files, 'watch'>;

export interface FakeFiles extends Files {
  /** The nth call (from 1, counted from now) of `call` on a path that ends with `suffix` rejects with `code`; `Infinity` times when `again`. */
  failNth(call: FileCall, nth: number, code: string, options?: { readonly suffix?: string; readonly again?: boolean }): void;
  /** Takes every planned failure back. */
  heal(): void;
  /** Bytes left; writes beyond it reject with ENOSPC and change nothing. */
  setFreeBytes(bytes: number): void;
  addLink(path: string, target: string): void;
  /** A pipe or device. */
  addOther(path: string): void;
  /** Makes folders as needed and writes, without counting as a call. */
  plant(path: string, content: string | Uint8Array): void;
  /** Text of every file under `folder` by its path. */
  contents(folder?: string): Readonly<Record<string, string>>;
}

interface PlannedFailure {
  readonly call: FileCall;
  readonly code: string;
  readonly suffix: string;
  readonly again: boolean;
  left: number;
}

export function makeFakeFiles(options: { readonly wallMs?: () => number } = {}): FakeFiles {
  const tree = new FileTree(options.wallMs ?? (() => 0));
  const planned: PlannedFailure[] = [];
  const watchers = new Map<() => void, { readonly root: string; readonly except: readonly string[] }>();
  let freeBytes = 1e12;

  function call<T>(name: FileCall, path: string, work: () => T): Promise<T> {
    return Promise.resolve().then(() => {
      const failure = planned.find((plan) => plan.call === name && path.endsWith(plan.suffix) && (plan.left -= 1) <= 0);
      if (failure !== undefined) {
        if (!failure.again) planned.splice(planned.indexOf(failure), 1);
        throw fileError(failure.code, path);
      }
      return work();
    });
  }

  function changed(path: string): void {
    for (const [onChange, { root, except }] of watchers) {
      const isUnder = path === root || path.startsWith(join(root, '/'));
      if (isUnder && !except.includes(path)) setImmediate(() => watchers.has(onChange) && onChange());
    }
  }

  /** The regular file at `path`; a link, folder or pipe is refused as the real disk refuses it. */
  function regular(path: string): Extract<FileNode, { kind: 'file' }> {
    const node = tree.find(path);
    if (node === null) throw fileError('ENOENT', path);
    if (node.kind === 'file') return node;
    throw fileError(node.kind === 'folder' ? 'EISDIR' : node.kind === 'link' ? 'ELOOP' : 'EINVAL', path);
  }

  function grow(path: string, byBytes: number): void {
    if (byBytes > freeBytes) throw fileError('ENOSPC', path);
    freeBytes -= byBytes;
  }

  function read(path: string, maxBytes = Infinity): Uint8Array {
    const { bytes } = regular(path);
    if (bytes.length > maxBytes) throw fileError('ETOOBIG', path);
    return bytes;
  }

  function replace(path: string, bytes: Uint8Array, mode?: number): void {
    const old = tree.find(path);
    if (old?.kind === 'folder') throw fileError('EISDIR', path);
    grow(path, bytes.length);
    tree.put(path, { kind: 'file', bytes, mode: mode ?? (old?.kind === 'file' ? old.mode : 0o644) });
    changed(path);
  }

  function append(path: string, bytes: Uint8Array): void {
    const isNew = tree.find(path) === null;
    if (isNew) tree.mustHaveParent(path);
    const old = isNew ? null : regular(path);
    grow(path, bytes.length);
    if (old === null) tree.put(path, { kind: 'file', bytes, mode: 0o644 });
    else tree.change(old, Buffer.concat([old.bytes, bytes]));
    changed(path);
  }

  const files: FakeFiles = {
    readText: (path, limits) => call('readText', path, () => decode(read(path, limits?.maxBytes), path)),
    readBytes: (path, limits) => call('readBytes', path, () => new Uint8Array(read(path, limits?.maxBytes))),
    readSlice: (path, offset, length) => call('readSlice', path, () => new Uint8Array(regular(path).bytes.subarray(offset, offset + length))),
    stat: (path) => call('stat', path, () => tree.stat(path)),
    statEach: (paths) => Promise.all(paths.map((path) => call('statEach', path, () => tree.stat(path)))),
    list: (folder) => call('list', folder, () => tree.names(folder)),
    makeFolder: (folder) =>
      call('makeFolder', folder, () => {
        const isNew = tree.find(folder) === null;
        tree.makeFolder(folder);
        if (isNew) changed(folder);
      }),
    replaceFile: async (path, content, limits) => {
      const bytes = await wholeOf(content, path);
      return call('replaceFile', path, () => replace(path, bytes, limits?.mode));
    },
    appendLine: (path, line) =>
      call('appendLine', path, () => {
        if (line.includes('\n') || Buffer.byteLength(line) > 1024 * 1024) throw fileError('EINVAL', path);
        if (tree.find(path) !== null) {
          const file = regular(path);
          const end = wholeLinesEnd(file.bytes);
          if (end < file.bytes.length) {
            tree.put(join(dirname(path), `${basename(path)}.torn-fake-${file.bytes.length}`), { kind: 'file', bytes: file.bytes.slice(end), mode: 0o600 });
            tree.change(file, file.bytes.slice(0, end));
          }
        }
        append(path, asBytes(`${line}\n`));
      }),
    readJournal: (path) => call('readJournal', path, () => parseJournal(tree.find(path) === null ? new Uint8Array() : regular(path).bytes)),
    appendText: (path, text) => call('appendText', path, () => append(path, asBytes(text))),
    truncate: (path, sizeBytes) =>
      call('truncate', path, () => {
        const file = regular(path);
        const bytes = new Uint8Array(sizeBytes);
        bytes.set(file.bytes.subarray(0, sizeBytes));
        tree.change(file, bytes);
        changed(path);
      }),
    copyFile: (from, to) => call('copyFile', from, () => replace(to, regular(from).bytes, regular(from).mode)),
    rename: (from, to) =>
      call('rename', from, () => {
        tree.rename(from, to);
        changed(from);
        changed(to);
      }),
    remove: (path) =>
      call('remove', path, () => {
        freeBytes += tree.remove(path);
        changed(path);
      }),
    setMode: (path, mode) =>
      call('setMode', path, () => {
        const node = tree.find(path);
        if (node === null) throw fileError('ENOENT', path);
        if (node.kind === 'link') throw fileError('ELOOP', path);
        node.mode = mode;
      }),
    realPath: (path) => call('realPath', path, () => tree.realPath(path)),
    freeBytes: (path) => call('freeBytes', path, () => freeBytes),
    watch(path, onChange, more) {
      const own = (): void => onChange();
      watchers.set(own, { root: path, except: more?.except ?? [] });
      return () => void watchers.delete(own);
    },

    failNth: (name, nth, code, more) => void planned.push({ call: name, code, suffix: more?.suffix ?? '', again: more?.again ?? false, left: nth }),
    heal: () => void planned.splice(0),
    setFreeBytes: (bytes) => void (freeBytes = bytes),
    addLink: (path, target) => tree.put(path, { kind: 'link', target: resolvePath(dirname(path), target), mode: 0o777 }),
    addOther: (path) => tree.put(path, { kind: 'other', mode: 0o644 }),
    plant(path, content) {
      tree.makeFolder(dirname(path));
      tree.put(path, { kind: 'file', bytes: asBytes(content), mode: 0o644 });
      changed(path);
    },
    contents: (folder = '/') => tree.contents(folder),
  };
  return files;
}

/** A source that fails is a failure of the write, as on the real disk. */
async function wholeOf(content: FileContent, path: string): Promise<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return asBytes(content);
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(new Uint8Array(piece));
    return new Uint8Array(Buffer.concat(pieces));
  } catch (error) {
    throw asFileError(error, path);
  }
}

function asBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new Uint8Array(Buffer.from(content)) : new Uint8Array(content);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileError('EILSEQ', path);
  }
}

export function fileError(code: string, path: string): DiskFileError {
  return new DiskFileError(code, path, `${code}: '${path}'`);
}

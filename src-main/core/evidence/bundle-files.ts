// The entries of a bundle as files below a root that no disk has: what reads a repository reads a bundle too. This room only.
import path from 'node:path';
import type { FileError, Files, FileStat, JournalFile } from '../../ports.ts';
import type { CheckedFiles } from '../check/findings.ts';
import { bundleName, bundleRoot } from './bundle-place.ts';
import { readContent } from './zip-content.ts';
import type { ZipContainer, ZipEntry } from './zip-container.ts';

/** Nothing that is read whole is larger. */
const maxWholeBytes = 64 * 1024 * 1024;

export interface BundleFiles extends CheckedFiles {
  /** Names of the entries below a folder of the bundle, sorted. */
  namesBelow(folder: string): readonly string[];
  /** The content of one entry, piece by piece. */
  content(entry: ZipEntry): AsyncGenerator<Uint8Array>;
  entry(file: string): ZipEntry | null;
}

export function makeBundleFiles(files: Pick<Files, 'readSlice'>, container: ZipContainer): BundleFiles {
  const byName = new Map(container.entries.map((entry) => [entry.name, entry]));
  const entryOf = (file: string) => byName.get(bundleName(bundleRoot, file)) ?? null;

  async function readWhole(file: string, maxBytes = maxWholeBytes): Promise<Uint8Array> {
    const entry = entryOf(file);
    if (entry === null) throw fileError('ENOENT', file);
    if (entry.bytes > Math.min(maxBytes, maxWholeBytes)) throw fileError('ETOOBIG', file);
    const pieces: Uint8Array[] = [];
    for await (const piece of readContent(files, container, entry)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async function readText(file: string, maxBytes?: number): Promise<string> {
    const bytes = await readWhole(file, maxBytes);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw fileError('EILSEQ', file);
    }
  }

  return {
    readText: (file, options) => readText(file, options?.maxBytes),
    readBytes: (file, options) => readWhole(file, options?.maxBytes),
    stat: (file) => Promise.resolve(statOf(file)),
    readJournal: async (file) => (entryOf(file) === null ? { lines: [], tornTail: null, damage: null } : journalOf(await readText(file))),
    namesBelow: (folder) => [...byName.keys()].filter((name) => name.startsWith(`${bundleName(bundleRoot, folder)}/`)).sort(),
    content: (entry) => readContent(files, container, entry),
    entry: entryOf,
  };

  function statOf(file: string): FileStat | null {
    const entry = entryOf(file);
    const common = { modifiedMs: 0, identity: file, mode: 0o444 };
    if (entry !== null) return { kind: 'file', sizeBytes: entry.bytes, ...common };
    const isFolder = [...byName.keys()].some((name) => name.startsWith(`${bundleName(bundleRoot, file)}/`));
    return isFolder ? { kind: 'folder', sizeBytes: 0, ...common } : null;
  }
}

/** A journal in a bundle is whole: its last line ends in a newline, and there is nothing behind it. */
function journalOf(text: string): JournalFile {
  const lines: { number: number; text: string; value: unknown }[] = [];
  const parts = text.split('\n');
  const rest = parts.pop() ?? '';
  for (const [index, line] of parts.entries()) {
    try {
      lines.push({ number: index + 1, text: line, value: JSON.parse(line) });
    } catch {
      return { lines, tornTail: null, damage: { line: index + 1, reason: 'not JSON' } };
    }
  }
  return { lines, tornTail: null, damage: rest === '' ? null : { line: parts.length + 1, reason: 'cut off' } };
}

function fileError(code: string, file: string): FileError {
  const shown = bundleName(bundleRoot, file);
  return Object.assign(new Error(`${code}: '${shown}' in the bundle`), { code, path: path.basename(file) });
}

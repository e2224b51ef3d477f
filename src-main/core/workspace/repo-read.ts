// Reading files of the target repository, whose names and links nobody vouches for. Any room of the core may import it.
// Rule: docs/specs/files.md, F23. Comparing names is not enough (`root-evil`, links), so real paths are compared.
import path from 'node:path';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { FileError, Files, FileStat } from '../../ports.ts';

export const maxRepoPathLength = 4096;
const maxRepoBytes = 1_000_000;

type ReadingFiles = Pick<Files, 'realPath' | 'stat' | 'readText'>;

export interface RepoFile {
  /** Absolute, with every link resolved. */
  readonly path: string;
  readonly text: string;
  readonly sizeBytes: number;
}

/** Text of a regular file inside `root`. Throws RefusalError: bad_input (the path), not_found, invalid_file (no regular file, too large). */
export async function readRepoFile(files: ReadingFiles, root: string, relative: string, options: { readonly maxBytes?: number } = {}): Promise<RepoFile> {
  const found = await resolveRepoPath(files, root, relative);
  if (found.stat.kind !== 'file') refuse('invalid_file', `${shown(relative)} is no regular file.`);
  const maxBytes = options.maxBytes ?? maxRepoBytes;
  if (found.stat.sizeBytes > maxBytes) refuse('invalid_file', `${shown(relative)} has ${found.stat.sizeBytes} bytes; at most ${maxBytes} are read.`);
  const text = await attempt(relative, () => files.readText(found.path, { maxBytes }));
  const after = await files.stat(found.path);
  if (after?.identity !== found.stat.identity) refuse('invalid_file', `${shown(relative)} was replaced while it was read.`, { next: 'Run the command again.' });
  return { path: found.path, text, sizeBytes: found.stat.sizeBytes };
}

/** Where `relative` really lies. Throws RefusalError when it is no safe relative path, leads out of `root`, or does not exist. */
export async function resolveRepoPath(files: ReadingFiles, root: string, relative: string): Promise<{ readonly path: string; readonly stat: FileStat }> {
  const bad = whyUnsafe(relative);
  if (bad !== null) refuse('bad_input', `The path ${shown(relative)} ${bad}.`, { next: 'Give a path inside the repository, relative to its root.' });
  const realRoot = await attempt('.', () => files.realPath(root));
  const real = await attempt(relative, () => files.realPath(path.join(realRoot, relative)));
  if (isOutside(realRoot, real)) refuse('bad_input', `The path ${shown(relative)} leads out of the repository through a link.`, { next: 'Give a file that lies inside the repository.' });
  const stat = await files.stat(real);
  return stat === null ? refuse('not_found', `${shown(relative)} does not exist.`) : { path: real, stat };
}

/** What is wrong with a path before the disk is asked, completing "the path X ..."; null when nothing is. */
export function whyUnsafe(relative: string): string | null {
  if (relative === '') return 'is empty';
  if (relative.length > maxRepoPathLength) return `is longer than ${maxRepoPathLength} characters`;
  if (relative.includes('\0')) return 'holds a NUL character';
  if (path.posix.isAbsolute(relative) || path.win32.isAbsolute(relative) || /^[A-Za-z]:/.test(relative)) return 'is absolute';
  for (const part of relative.split(/[\\/]/)) {
    if (part === '..') return 'goes up with `..`';
    if (part.includes(':')) return 'holds a colon';
    if (part !== '.' && /[. ]$/.test(part)) return 'has a part that ends in a dot or a space';
    if (/^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i.test(part)) return 'names a device';
  }
  return null;
}

function isOutside(root: string, real: string): boolean {
  const way = path.relative(root, real);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
}

async function attempt<T>(relative: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = (error as Partial<FileError>).code;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('not_found', `${shown(relative)} does not exist.`);
    if (code === 'ELOOP') return refuse('invalid_file', `${shown(relative)} is a chain of links without end.`);
    if (code === 'EILSEQ') return refuse('invalid_file', `${shown(relative)} is not UTF-8 text.`);
    return refuse('invalid_file', `${shown(relative)} cannot be read (${code}).`);
  }
}

/** A hostile name must not write over the terminal. */
function shown(relative: string): string {
  return JSON.stringify(relative.length > 200 ? `${relative.slice(0, 197)}...` : relative);
}

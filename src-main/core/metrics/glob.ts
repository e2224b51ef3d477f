// Finds the files below a folder that a glob of adapter.yaml names. Rooms from metrics leftwards may import it.
// `*` and `?` stay within one name, `**` spans any number of folders. Matching takes time linear in name and pattern.
import path from 'node:path';
import type { FileStat, Files } from '../../ports.ts';

export interface FoundFile {
  readonly path: string;
  /** Below the folder that was searched, with forward slashes. */
  readonly relative: string;
  readonly stat: FileStat;
}

/** Folders deeper than this, and whatever comes after so many entries, are not looked at. */
const deepest = 10;
const mostEntries = 20_000;

/** Files and folders that match, sorted by path; links are never followed. Something that vanishes meanwhile is left out. */
export async function findMatches(files: Pick<Files, 'list' | 'stat'>, folder: string, globs: readonly string[]): Promise<readonly FoundFile[]> {
  return (await walkMatches(files, folder, globs)).found;
}

export interface Walk {
  readonly found: readonly FoundFile[];
  /** Every folder that was listed, the searched one first, as it was before that; null when it was missing. */
  readonly folders: readonly { readonly path: string; readonly stat: FileStat | null }[];
}

export async function walkMatches(files: Pick<Files, 'list' | 'stat'>, folder: string, globs: readonly string[]): Promise<Walk> {
  const patterns = globs.map(partsOf);
  const found: FoundFile[] = [];
  const folders: { readonly path: string; readonly stat: FileStat | null }[] = [];
  let entries = 0;

  async function visit(at: readonly string[], before: FileStat | null): Promise<void> {
    const here = path.join(folder, ...at);
    folders.push({ path: here, stat: before });
    for (const name of await files.list(here)) {
      entries += 1;
      if (entries > mostEntries) return;
      const below = [...at, name];
      const isMatch = patterns.some((pattern) => matches(pattern, below));
      const mayHold = below.length < deepest && patterns.some((pattern) => mayMatchBelow(pattern, below));
      if (!isMatch && !mayHold) continue;
      const absolute = path.join(folder, ...below);
      const stat = await files.stat(absolute);
      if (stat === null) continue;
      if (isMatch) found.push({ path: absolute, relative: below.join('/'), stat });
      if (mayHold && stat.kind === 'folder') await visit(below, stat);
    }
  }

  await visit([], await files.stat(folder));
  return { found, folders };
}

/** Whether any glob describes a file by its path below the folder, with forward slashes. */
export function matchesAny(globs: readonly string[], relative: string): boolean {
  return globs.some((glob) => matches(partsOf(glob), relative.split('/')));
}

function partsOf(glob: string): readonly string[] {
  return glob.split('/').filter((part) => part !== '' && part !== '.');
}

/** Whether the names, from the folder down, are what the pattern describes. */
export function matches(pattern: readonly string[], names: readonly string[]): boolean {
  return walk(pattern, names).has(pattern.length);
}

function mayMatchBelow(pattern: readonly string[], names: readonly string[]): boolean {
  for (const place of walk(pattern, names)) if (place < pattern.length) return true;
  return false;
}

/** Places in the pattern that can be reached by consuming all names. */
function walk(pattern: readonly string[], names: readonly string[]): ReadonlySet<number> {
  let places = withSpans(pattern, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const place of places) {
      const part = pattern[place];
      if (part === undefined) continue;
      if (part === '**') next.add(place);
      else if (matchesName(part, name)) next.add(place + 1);
    }
    places = withSpans(pattern, next);
  }
  return places;
}

/** `**` may also stand for no folder at all. */
function withSpans(pattern: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (pattern[place] === '**') places.add(place + 1);
  return places;
}

/** The usual two-pointer match: after a mismatch the last star takes one character more. */
function matchesName(part: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < name.length) {
    const wanted = part[at];
    if (wanted === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      resume += 1;
      index = resume;
      at = star + 1;
    } else return false;
  }
  while (part[at] === '*') at += 1;
  return at === part.length;
}

// Looks for the same files again and again, and lists a folder only when it may have changed (docs/specs/metrics.md, ME13).
// Rooms from metrics leftwards may import it.
import type { Clock, Files, FileStat } from '../../ports.ts';
import { walkMatches, type FoundFile } from './glob.ts';

export interface FolderSearch {
  /** The files that match now, each with its present size and time. */
  find(): Promise<readonly FoundFile[]>;
}

export interface FolderSearchOptions {
  readonly files: Pick<Files, 'list' | 'stat' | 'statEach'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly folder: string;
  readonly globs: readonly string[];
  /** Files that match and are not wanted cost nothing after the listing. */
  readonly isWanted: (found: FoundFile) => boolean;
}

/**
 * A folder's time counts in steps of up to 2 s on some disks: two changes within one step look like one. So for that long after a time
 * was first seen it proves nothing. Both moments are of our clock, so that a file server's may be wrong.
 */
const settleMs = 3_000;
/** Some disks keep no time of a folder at all. */
const longestMs = 5_000;

interface Known {
  readonly listedMs: number;
  readonly isSettled: boolean;
  readonly folders: readonly { readonly path: string; readonly version: string }[];
  readonly found: readonly FoundFile[];
}

export function makeFolderSearch(options: FolderSearchOptions): FolderSearch {
  const { files, clock } = options;
  const firstSeenMs = new Map<string, number>();
  let known: Known | null = null;

  async function listAll(): Promise<readonly FoundFile[]> {
    const nowMs = clock.monotonicMs();
    const { found, folders } = await walkMatches(files, options.folder, options.globs);
    const versions = folders.map(({ path, stat }) => ({ path, version: versionOf(stat) }));
    const keys = versions.map(({ path, version }) => `${path} ${version}`);
    for (const key of firstSeenMs.keys()) if (!keys.includes(key)) firstSeenMs.delete(key);
    for (const key of keys) if (!firstSeenMs.has(key)) firstSeenMs.set(key, nowMs);
    const isSettled = keys.every((key) => nowMs - (firstSeenMs.get(key) ?? nowMs) >= settleMs);
    known = { listedMs: nowMs, isSettled, folders: versions, found: found.filter(options.isWanted) };
    return known.found;
  }

  /** The files that were found, as they are now; null when a folder changed or a file went. */
  async function lookAgain({ folders, found }: Known): Promise<readonly FoundFile[] | null> {
    const stats = await files.statEach([...folders, ...found].map(({ path }) => path));
    if (folders.some(({ version }, index) => versionOf(stats[index] ?? null) !== version)) return null;
    const again = found.flatMap((one, index) => {
      const stat = stats[folders.length + index] ?? null;
      return stat?.kind === one.stat.kind ? [{ ...one, stat }] : [];
    });
    return again.length === found.length ? again : null;
  }

  return {
    async find() {
      const isTrusted = known !== null && known.isSettled && clock.monotonicMs() - known.listedMs < longestMs;
      return (isTrusted && known !== null ? await lookAgain(known) : null) ?? (await listAll());
    },
  };
}

function versionOf(stat: FileStat | null): string {
  return stat === null ? '' : `${stat.kind} ${stat.identity} ${stat.modifiedMs}`;
}

// Finds two writers that were alive in one folder at the same time; run-reader.ts imports it.
import type { WallTimes } from './event-reader.ts';
import { parseEventFileName } from './event-file-name.ts';

/** A file of the run and the wall times of its events, undefined while it has none. */
export interface WrittenFile {
  readonly name: string;
  readonly wallTimes: WallTimes | undefined;
}

/** Two writers wrote into one run during the same time: their points cannot be told apart, so the run must be refused. */
export interface SeveralWriters {
  readonly kind: 'several-writers';
  readonly files: readonly [string, string];
  /** The time both wrote in, in seconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/**
 * The first overlap in order of time, or undefined. A writer that begins after the other's last event is a restart.
 * Files of one process (same host and pid) may overlap; files without a pid count as a writer each.
 */
export function findSeveralWriters(files: readonly WrittenFile[]): SeveralWriters | undefined {
  if (files.length < 2) return undefined;
  const spans = files.flatMap(({ name, wallTimes }) => (wallTimes ? [{ name, writer: writerOf(name), ...wallTimes }] : []));
  spans.sort((a, b) => a.first - b.first);
  for (const [at, later] of spans.entries()) {
    for (const earlier of spans.slice(0, at)) {
      const until = Math.min(earlier.last, later.last);
      if (earlier.writer === later.writer || until <= later.first) continue;
      return { kind: 'several-writers', files: [earlier.name, later.name], from: later.first, until };
    }
  }
  return undefined;
}

function writerOf(name: string): string {
  const parsed = parseEventFileName(name);
  return parsed?.pid === undefined ? `file ${name}` : `process ${parsed.pid} on ${parsed.host}`;
}

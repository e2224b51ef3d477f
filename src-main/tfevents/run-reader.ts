// Reads the event files of one run side by side, with one numbering of tags; core and tests import it.
import { compareEventFiles } from './event-file-name.ts';
import { makeEventReader } from './event-reader.ts';
import type { EventReader } from './event-reader.ts';
import { TagTable } from './tag-table.ts';
import { findSeveralWriters } from './writer-overlap.ts';
import type { SeveralWriters } from './writer-overlap.ts';

export type { SeveralWriters } from './writer-overlap.ts';

export interface RunReader {
  /** Every scalar tag of the run; `tagIndex` of every batch points in here. It only grows. */
  readonly tags: readonly string[];
  /** Names of the files seen, in the order they were made. */
  readonly files: readonly string[];
  /** The reader of a file, at byte 0 when the name is new. */
  file(name: string): EventReader;
  /** The file was replaced or shrank: forgets its reader and gives a new one at byte 0. Tags keep their numbers. */
  reopen(name: string): EventReader;
  /** Whether two writers wrote at the same time, as far as the bytes pushed so far show. */
  severalWriters(): SeveralWriters | undefined;
}

export function makeRunReader(tags: TagTable = new TagTable()): RunReader {
  const readers = new Map<string, EventReader>();
  const reopen = (name: string): EventReader => {
    const reader = makeEventReader(tags);
    readers.set(name, reader);
    return reader;
  };
  return {
    tags: tags.names,
    get files() {
      return [...readers.keys()].sort(compareEventFiles);
    },
    file: (name) => readers.get(name) ?? reopen(name),
    reopen,
    severalWriters: () =>
      findSeveralWriters([...readers].map(([name, reader]) => ({ name, wallTimes: reader.wallTimes }))),
  };
}

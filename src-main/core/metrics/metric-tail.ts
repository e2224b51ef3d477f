// Follows the event files that a trial writes and gives every scalar point once (docs/specs/metrics.md). Rooms from metrics
// leftwards may import it. Whoever owns it decides when to read: on a hint from a watch, and at least every 250 ms.
import path from 'node:path';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { Clock, FileError, Files } from '../../ports.ts';
import { compareEventFiles, isEventFile } from '../../tfevents/event-file-name.ts';
import type { EventReader } from '../../tfevents/event-reader.ts';
import { makeRunReader, type RunReader } from '../../tfevents/run-reader.ts';
import { scalarPoints } from '../../tfevents/scalar-columns.ts';
import { makeFolderSearch } from './folder-search.ts';
import { findMatches, type FoundFile } from './glob.ts';
import type { MetricPoint } from './metric-point.ts';
import { makeTagMatch } from './tag-match.ts';

/** Something about the files that a person should know; it stops nothing. */
export interface TailFinding {
  readonly kind: 'damaged' | 'bad_records' | 'replaced' | 'several_writers' | 'unreadable';
  /** Below the trial's folder. */
  readonly file: string;
  readonly text: string;
}

export interface MetricTailOptions {
  readonly files: Pick<Files, 'list' | 'stat' | 'statEach' | 'readSlice'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The trial's folder. */
  readonly folder: string;
  readonly adapter: Pick<AdapterFile, 'metrics' | 'logs'>;
}

export interface MetricTail {
  /** Reads to the end of every file and hands each slice's points to `see`, in the order of the file. */
  read(see: (points: readonly MetricPoint[]) => void): Promise<void>;
  /** One finding per file and kind, in the order they were made. */
  readonly findings: readonly TailFinding[];
}

const sliceBytes = 1024 * 1024;

interface OpenFile {
  readonly run: RunReader;
  identity: string;
  /** Size and time at the last look, to read a tail of zeros again only after it changed. */
  looked: string;
}

export function makeMetricTail(options: MetricTailOptions): MetricTail {
  const { files, adapter } = options;
  const search = makeFolderSearch({ ...options, globs: adapter.logs, isWanted: isEventFileOf });
  const match = makeTagMatch(adapter.metrics);
  const runs = new Map<string, RunReader>();
  const open = new Map<string, OpenFile>();
  const findings = new Map<string, TailFinding>();
  const find = (kind: TailFinding['kind'], file: string, text: string): void => {
    if (!findings.has(`${kind} ${file}`)) findings.set(`${kind} ${file}`, { kind, file, text });
  };

  /** Files of one folder are one run: they share writers and restarts. */
  function openFile(found: FoundFile): OpenFile {
    const known = open.get(found.relative);
    if (known !== undefined) return known;
    const at = path.posix.dirname(found.relative);
    const run = runs.get(at) ?? makeRunReader();
    runs.set(at, run);
    const opened = { run, identity: found.stat.identity, looked: '' };
    open.set(found.relative, opened);
    return opened;
  }

  /** Whether there was anything to read. */
  async function readFile(found: FoundFile, see: (points: readonly MetricPoint[]) => void): Promise<boolean> {
    const file = openFile(found);
    const name = path.posix.basename(found.relative);
    let reader = file.run.file(name);
    if (found.stat.identity !== file.identity || found.stat.sizeBytes < reader.position) {
      reader = file.run.reopen(name);
      find('replaced', found.relative, 'the file was replaced or cut: it is read again from its start');
      Object.assign(file, { identity: found.stat.identity, looked: '' });
    }
    const looked = `${found.stat.sizeBytes} ${found.stat.modifiedMs}`;
    if (hasZeros(reader) && looked !== file.looked) reader.rewind();
    file.looked = looked;
    if (reader.position === found.stat.sizeBytes && reader.state.kind !== 'damaged') return false;
    // Damaged at the last look, and maybe only in the middle of a write: what still cannot be read now is passed over.
    if (reader.state.kind === 'damaged') reader.scanForward();
    for (;;) {
      const bytes = await files.readSlice(found.path, reader.position, sliceBytes);
      if (bytes.length === 0) break;
      const points = [...scalarPoints(reader.push(bytes).points)];
      if (points.length > 0) {
        see(points.map(({ tag, step, wallTime, value }) => ({ tag, mapped: match(tag), step, wallTimeS: wallTime, value })));
      }
      if (bytes.length < sliceBytes || reader.state.kind === 'damaged') break;
    }
    report(found.relative, reader);
    return true;
  }

  function report(relative: string, reader: EventReader): void {
    const { badRecords, skippedBytes } = reader.counts;
    if (badRecords > 0) find('bad_records', relative, 'a record with a wrong checksum was skipped');
    if (skippedBytes > 0) find('damaged', relative, 'part of the file is damaged and was passed over');
  }

  return {
    async read(see) {
      let hasRead = false;
      for (const found of inOrder(await search.find())) {
        try {
          if (await readFile(found, see)) hasRead = true;
        } catch (error) {
          const { code, message } = error as Partial<FileError>;
          if (code !== 'ENOENT') find('unreadable', found.relative, `the file cannot be read: ${message ?? String(error)}`);
        }
      }
      if (!hasRead) return;
      for (const [at, run] of runs) {
        const several = run.severalWriters();
        if (several === undefined) continue;
        const [first, second] = several.files;
        find('several_writers', path.posix.join(at, second), `two programs wrote at the same time: ${first} and ${second}`);
      }
    },
    get findings() {
      return [...findings.values()];
    },
  };
}

/** The event files of one trial, oldest first within each folder. */
export async function findEventFiles(files: Pick<Files, 'list' | 'stat'>, folder: string, globs: readonly string[]): Promise<readonly FoundFile[]> {
  return inOrder((await findMatches(files, folder, globs)).filter(isEventFileOf));
}

function isEventFileOf({ relative, stat }: FoundFile): boolean {
  return stat.kind === 'file' && isEventFile(path.posix.basename(relative));
}

function hasZeros({ state }: EventReader): boolean {
  return state.kind === 'waiting' && state.tail === 'zeros';
}

/** Folder by folder, in each the oldest first. */
function inOrder(found: readonly FoundFile[]): readonly FoundFile[] {
  const { dirname, basename } = path.posix;
  return [...found].sort((a, b) => compare(dirname(a.relative), dirname(b.relative)) || compareEventFiles(basename(a.relative), basename(b.relative)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

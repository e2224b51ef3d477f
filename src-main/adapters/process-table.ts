// What the system knows of its processes: start times, parents, sessions, our tags. Only the process and lock adapters import it.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { platform } from 'node:process';
import { makePsTable } from './process-table-ps.ts';
import { makeWindowsTable } from './process-table-windows.ts';

export interface ProcessRow {
  readonly pid: number;
  /** As the system counts it: clock ticks since boot on Linux. Never changes, also not at exec. */
  readonly startTime: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended already and only waiting for its parent to read the exit code. */
  readonly isZombie: boolean;
  /** Stopped by a signal or a debugger. */
  readonly isStopped: boolean;
}

export interface ProcessTable {
  /** Null when no such process exists. */
  row(pid: number): Promise<ProcessRow | null>;
  rows(): Promise<readonly ProcessRow[]>;
  /** The RLXP_TRIAL value of every process whose environment we may read; `among`: of these alone. */
  tags(among?: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** The environment variable by which strays of a launch are found. */
export const tagVariable = 'RLXP_TRIAL';

export function makeProcessTable(): ProcessTable {
  if (platform === 'win32') return makeWindowsTable();
  if (platform === 'darwin') return makePsTable();
  return makeProcTable('/proc');
}

/** Linux. Reads are synchronous: a row takes some 10 microseconds, and a signal must follow its check at once. */
export function makeProcTable(proc: string): ProcessTable {
  const pids = (): readonly number[] => readdirSync(proc).filter((name) => /^\d+$/.test(name)).map(Number);
  const row = (pid: number): ProcessRow | null => {
    const stat = readQuietly(`${proc}/${pid}/stat`);
    return stat === null ? null : parseStat(pid, stat.toString('latin1'));
  };
  return {
    row: (pid) => Promise.resolve(row(pid)),
    rows: () => Promise.resolve(pids().map(row).filter((found) => found !== null)),
    tags(among) {
      const tags = new Map<number, string>();
      for (const pid of among ?? pids()) {
        const environ = readQuietly(`${proc}/${pid}/environ`);
        const tag = environ === null ? null : tagIn(environ);
        if (tag !== null) tags.set(pid, tag);
      }
      return Promise.resolve(tags);
    },
  };
}

/** Fields of /proc/<pid>/stat. The name in brackets may hold spaces and brackets, so counting starts after the last `)`. */
export function parseStat(pid: number, stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const threads = fields[17];
  const startTime = fields[19];
  if (state === undefined || parent === undefined || group === undefined || session === undefined || startTime === undefined) return null;
  // A process whose first thread has ended reads Z while its other threads still run.
  const isZombie = state === 'X' || (state === 'Z' && Number(threads) <= 1);
  return { pid, startTime, parent: Number(parent), group: Number(group), session: Number(session), isZombie, isStopped: state === 'T' || state === 't' };
}

/** The value of our variable in a block of NUL-ended `NAME=value` strings. */
export function tagIn(environ: Buffer): string | null {
  const prefix = `${tagVariable}=`;
  let start = environ.indexOf(prefix);
  while (start > 0 && environ[start - 1] !== 0) start = environ.indexOf(prefix, start + 1);
  if (start < 0) return null;
  const end = environ.indexOf(0, start);
  return environ.toString('utf8', start + prefix.length, end < 0 ? environ.length : end);
}

/** What /proc shows has no size, and Node's own reading takes 64 KB of fresh memory for each such file: hundreds at the end of each trial. */
let scratch = Buffer.allocUnsafeSlow(16 * 1024);

/** Valid until the next call. Null when the process is gone or belongs to somebody else. */
function readQuietly(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    for (let total = 0; ; ) {
      const count = readSync(file, scratch, total, scratch.length - total, null);
      total += count;
      if (count === 0) return scratch.subarray(0, total);
      if (total === scratch.length) scratch = Buffer.concat([scratch], 2 * total);
    }
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

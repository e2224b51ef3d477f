// Names of event files: which belong to a run, what they say about their writer, and how ours are named. Anyone may import it.
// Forms: events.out.tfevents.<seconds>.<host>.<pid>.<count>[suffix] (TensorBoard, PyTorch, TensorFlow 2)
//        events.out.tfevents.<seconds>.<host> (tensorboardX, Ray, TensorFlow 1)

export interface EventFileName {
  /** Creation time in seconds since 1970. */
  readonly seconds: number;
  readonly host: string;
  /** Absent when the writer does not name it. */
  readonly pid?: number;
  /** How many files the process made before this one; present with `pid`. */
  readonly count?: number;
  /** What follows the count, such as ".v2"; usually empty. */
  readonly suffix: string;
}

/** Whether a file of this name holds events of the run whose folder it lies in. */
export function isEventFile(name: string): boolean {
  return name.includes('tfevents') && !name.endsWith('.profile-empty');
}

/** Reads a name from the right, as a host may hold dots; undefined when it has neither form. */
export function parseEventFileName(name: string): EventFileName | undefined {
  const [, digits, rest] = /tfevents\.(\d{10,12})\.(.+)$/s.exec(name) ?? [];
  if (digits === undefined || rest === undefined) return undefined;
  const seconds = Number(digits);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(rest)) return { seconds, host: rest, suffix: '' }; // an IPv4 address, not a pid
  const [, host, pid, count, suffix] = /^(.+)\.(\d+)\.(\d+)(\D.*)?$/s.exec(rest) ?? [];
  if (host === undefined) return { seconds, host: rest, suffix: '' };
  return { seconds, host, pid: Number(pid), count: Number(count), suffix: suffix ?? '' };
}

/** The name that TensorBoard would give; characters that no host name has become "-". */
export function eventFileName(parts: {
  readonly seconds: number;
  readonly host: string;
  readonly pid: number;
  readonly count: number;
}): string {
  const seconds = String(Math.floor(parts.seconds)).padStart(10, '0');
  const host = parts.host.replace(/[^A-Za-z0-9._-]/g, '-') || 'localhost';
  return `events.out.tfevents.${seconds}.${host}.${parts.pid}.${parts.count}`;
}

/** Order in which the files of a run were made: by seconds, then count, then name; unparsable names first. */
export function compareEventFiles(a: string, b: string): number {
  const left = parseEventFileName(a);
  const right = parseEventFileName(b);
  return (
    (left?.seconds ?? 0) - (right?.seconds ?? 0) ||
    (left?.count ?? 0) - (right?.count ?? 0) ||
    (a < b ? -1 : a > b ? 1 : 0)
  );
}

// Appends one line to a journal, all of it or nothing, repairing what a crash left. Anyone may import it; it needs nothing of ours.
import { basename, dirname, join } from 'node:path';
import { nodeDisk, openFlags, codeOf, writeFully, type Disk, type DiskHandle } from './disk.ts';
import { maxLineBytes, wholeLinesEnd } from './journal.ts';

export interface AppendOptions {
  readonly disk?: Disk;
  /** Names the side file of a torn tail. */
  readonly now?: () => Date;
}

/**
 * Appends `line` and a newline in one write and fsyncs it. On any failure the file is cut back to where it was and the system's error
 * is thrown. A torn tail found at the end is first moved to `<name>.torn-<time>`. One process writes a journal at a time; calls
 * within a process queue up by path.
 */
export function appendLine(path: string, line: string, options: AppendOptions = {}): Promise<void> {
  const bytes = Buffer.from(`${line}\n`);
  if (line.includes('\n')) return Promise.reject(invalid(`A journal line holds no newline, append '${path}'`, path));
  if (bytes.length - 1 > maxLineBytes) return Promise.reject(invalid(`A journal line has at most ${maxLineBytes} bytes, append '${path}'`, path));
  return inTurn(path, () => append(path, bytes, options));
}

function invalid(problem: string, path: string): Error {
  return Object.assign(new Error(`EINVAL: ${problem}`), { code: 'EINVAL', path });
}

async function append(path: string, bytes: Uint8Array, options: AppendOptions): Promise<void> {
  const disk = options.disk ?? nodeDisk;
  const { handle, isNew } = await openForAppend(disk, path);
  try {
    await moveTornTail(disk, handle, path, options.now ?? (() => new Date()));
    await appendOrCutBack(handle, bytes, path);
  } catch (error) {
    if (isNew && (await sizeOf(handle)) === 0) await disk.unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  if (isNew) await disk.syncFolder(dirname(path));
}

async function openForAppend(disk: Disk, path: string): Promise<{ readonly handle: DiskHandle; readonly isNew: boolean }> {
  try {
    return { handle: await disk.open(path, openFlags.appendNew, 0o666), isNew: true };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const handle = await disk.open(path, openFlags.append, 0o666);
  try {
    if (!(await handle.stat()).isFile) throw invalid(`Not a regular file, append '${path}'`, path);
    return { handle, isNew: false };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function appendOrCutBack(handle: DiskHandle, bytes: Uint8Array, path: string): Promise<void> {
  const before = (await handle.stat()).size;
  try {
    await writeFully(handle, bytes, path); // one write; a second one only tells why the first was short
    await handle.sync();
  } catch (error) {
    // Nothing of another writer is ever cut: only what can be this line's own bytes. A cut that fails leaves a torn tail to the next append.
    const size = await sizeOf(handle);
    if (size !== null && size > before && size <= before + bytes.length) await handle.truncate(before).catch(() => undefined);
    throw error;
  }
}

/** Null when it cannot be told: the error that led here is the one to report. */
async function sizeOf(handle: DiskHandle): Promise<number | null> {
  return handle.stat().then(
    (stat) => stat.size,
    () => null,
  );
}

/** The last line is looked at, whatever its length; the rest of the file is not read. */
async function moveTornTail(disk: Disk, handle: DiskHandle, path: string, now: () => Date): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const tail = await readTail(handle, size);
  const tornAt = wholeLinesEnd(tail);
  if (tornAt === tail.length) return;
  await keepAside(disk, path, tail.subarray(tornAt), now());
  await handle.truncate(size - tail.length + tornAt);
  await handle.sync();
}

/** The end of the file from the newline before its last line on, or all of it. */
async function readTail(handle: DiskHandle, size: number): Promise<Uint8Array> {
  for (let length = 4096; ; length *= 8) {
    const start = Math.max(0, size - length);
    const tail = new Uint8Array(size - start);
    let done = 0;
    while (done < tail.length) {
      const count = await handle.read(tail.subarray(done), start + done);
      if (count === 0) break;
      done += count;
    }
    const lastLine = tail.lastIndexOf(0x0a, tail.length - 2);
    if (start === 0 || lastLine >= 0) return tail;
  }
}

async function keepAside(disk: Disk, path: string, bytes: Uint8Array, now: Date): Promise<void> {
  const stamp = now.toISOString().replace(/[-:.]/g, '');
  for (let copy = 0; ; copy += 1) {
    const side = join(dirname(path), `${basename(path)}.torn-${stamp}${copy === 0 ? '' : `-${copy}`}`);
    let handle: DiskHandle;
    try {
      handle = await disk.open(side, openFlags.createNew, 0o600);
    } catch (error) {
      if (codeOf(error) === 'EEXIST' && copy < 100) continue;
      throw error;
    }
    try {
      await writeFully(handle, bytes, side);
      await handle.sync();
    } catch (error) {
      await disk.unlink(side).catch(() => undefined);
      throw error;
    } finally {
      await handle.close();
    }
    return disk.syncFolder(dirname(path));
  }
}

const turns = new Map<string, Promise<void>>();

/** Runs `work` after every earlier work on the same path, whatever became of it. */
function inTurn(path: string, work: () => Promise<void>): Promise<void> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => undefined);
  turns.set(path, settled);
  void settled.then(() => {
    if (turns.get(path) === settled) turns.delete(path);
  });
  return turn;
}

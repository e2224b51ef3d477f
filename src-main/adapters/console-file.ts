// A console file that gets every byte of a terminal in order, and remembers the end of it. Only adapters/pty-start imports it.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { DiskFileError } from './file-error.ts';

const tailBytes = 8 * 1024;
/** What is kept for later when the disk takes nothing; beyond it the oldest bytes are lost, and the file says so. */
const maxPendingBytes = 1024 * 1024;

/**
 * Writes are synchronous: they are ordered, nothing queues up in memory, and a slow disk slows the terminal instead of us losing bytes.
 * A failing write never throws: the bytes wait for the next one.
 */
export class ConsoleFile {
  private readonly file: number;
  private pending: Buffer = Buffer.alloc(0);
  private lostBytes = 0;
  /** The end of what was written, somewhere in here up to `recentEnd`; moved to the front when there is no room behind it. */
  private readonly recent = Buffer.allocUnsafeSlow(4 * tailBytes);
  private recentEnd = 0;

  /** Throws the system's error when the file cannot be opened. */
  constructor(path: string) {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    this.file = openSync(path, flags, 0o644);
    if (fstatSync(this.file).isFile()) return;
    closeSync(this.file);
    throw new DiskFileError('EINVAL', path, `EINVAL: not a regular file, open '${path}'`);
  }

  write(bytes: Buffer): void {
    this.remember(lastBytes(bytes, tailBytes));
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    this.flush();
    if (this.pending.length <= maxPendingBytes) return;
    this.lostBytes += this.pending.length - maxPendingBytes;
    this.pending = lastBytes(this.pending, maxPendingBytes);
  }

  /** The last at most 8 KB as text; a character cut in two at the start is left out. */
  tail(): string {
    const recent = lastBytes(this.recent.subarray(0, this.recentEnd), tailBytes);
    let start = 0;
    if (recent.length === tailBytes) while (start < 4 && ((recent[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return recent.toString('utf8', start);
  }

  private remember(bytes: Buffer): void {
    if (this.recentEnd + bytes.length > this.recent.length) {
      const kept = Math.min(this.recentEnd, tailBytes);
      this.recent.copyWithin(0, this.recentEnd - kept, this.recentEnd);
      this.recentEnd = kept;
    }
    this.recentEnd += bytes.copy(this.recent, this.recentEnd);
  }

  /** Never throws: an exit must be told whatever the disk says. */
  close(): void {
    this.flush();
    try {
      closeSync(this.file);
    } catch {
      // EIO of an earlier write: the bytes that could be written are written.
    }
  }

  private put(bytes: Buffer): number {
    return writeSync(this.file, bytes);
  }

  private flush(): void {
    try {
      if (this.lostBytes > 0 && this.pending.length > 0) {
        this.put(Buffer.from(`\r\n[rlxp: ${this.lostBytes} bytes of output were lost here, the disk took no more]\r\n`));
        this.lostBytes = 0;
      }
      while (this.pending.length > 0) this.pending = this.pending.subarray(this.put(this.pending));
    } catch {
      // Full disk: the terminal goes on, and the next chunk tries again.
      this.pending = Buffer.from(this.pending);
    }
  }
}

function lastBytes(bytes: Buffer, count: number): Buffer {
  return bytes.length <= count ? bytes : bytes.subarray(bytes.length - count);
}

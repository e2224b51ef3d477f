// Keeps a campaign from training into a full disk: nothing is launched without room, and a disk that refuses a write pauses the
// campaign until it takes one again. Imported by this room only. Rules: docs/specs/machine-trouble.md.
import { join } from 'node:path';
import type { FileError, Ports, Stop } from '../../ports.ts';
import { bytesText } from '../report/number-text.ts';
import type { Steering } from './steering.ts';

const beatMs = 2_000;
const megabyte = 1024 * 1024;
/** What is written to see whether a disk that refused takes bytes again: as much as the largest trial, within these. */
const leastProbeBytes = 64 * 1024;
const mostProbeBytes = 16 * megabyte;

export interface DiskGuard {
  /** Looks at the disk now: why nothing may be launched, or null. The campaign is paused with that reason meanwhile. */
  shortage(): Promise<string | null>;
  /** The disk refused a write, in the words of the failure; it is asked again until it takes one. */
  refused(why: string): void;
  /** The disk refused what a running trial needs: resolves to true once it takes more, to false when `signal` aborts. */
  untilRoom(why: string, signal: AbortSignal): Promise<boolean>;
  /** A trial is over: what its folder holds is what the next one needs. */
  measure(trialFolder: string): Promise<void>;
  /** Looks again and again while the campaign is paused for it, until stopped. */
  watch(): Stop;
}

export interface DiskGuardOptions {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'log'>;
  readonly steering: Pick<Steering, 'pause' | 'lift'>;
  /** The run's folder. */
  readonly folder: string;
  /** Bytes that must be free before a launch. */
  readonly floorBytes: number;
  readonly slots: number;
}

export function makeDiskGuard({ ports, steering, folder, floorBytes, slots }: DiskGuardOptions): DiskGuard {
  const { files, clock, log } = ports;
  let largestBytes = 0;
  let refusal: string | null = null;
  let isPaused = false;

  const find = async (): Promise<string | null> => {
    try {
      const free = await files.freeBytes(folder);
      const short = roomText({ free, floorBytes, trialBytes: largestBytes, slots });
      if (short !== null) return `${diskName(folder)} ${short}. Free some space: it goes on by itself when there is room`;
    } catch (error) {
      return `${diskName(folder)} cannot be asked for its room (${messageOf(error)}). It goes on by itself when it answers`;
    }
    if (refusal !== null) refusal = await probe(Math.min(mostProbeBytes, Math.max(leastProbeBytes, largestBytes)));
    return refusal;
  };
  const probe = async (sizeBytes: number): Promise<string | null> => {
    const path = join(folder, '.write-probe');
    try {
      await files.replaceFile(path, new Uint8Array(sizeBytes));
      await files.remove(path);
      return null;
    } catch (error) {
      return refusedText(folder, messageOf(error));
    }
  };
  const shortage = async (): Promise<string | null> => {
    const reason = await find();
    if (reason !== null) steering.pause(reason, 'disk');
    else if (isPaused) steering.lift('disk', 'the disk, which has room again');
    isPaused = reason !== null;
    return reason;
  };
  const refuse = (why: string): void => {
    refusal = refusedText(folder, why);
    isPaused = true;
    steering.pause(refusal, 'disk');
  };
  return {
    shortage,
    refused: refuse,
    async untilRoom(why, signal) {
      refuse(why);
      while (!signal.aborted) {
        if ((await shortage()) === null) return true;
        await clock.sleep(beatMs, signal).catch(() => undefined);
      }
      return false;
    },
    async measure(trialFolder) {
      try {
        largestBytes = Math.max(largestBytes, await sizeOf(files, trialFolder));
      } catch (error) {
        log.warn('the size of a trial could not be measured', { trialFolder, error: String(error) });
      }
    },
    watch: () => clock.every(beatMs, async () => void (isPaused && (await shortage()))),
  };
}

/** Failures that a disk gives and that room, quota or a mount mend. */
export function isDiskFailure(error: unknown): error is FileError {
  const code = (error as Partial<FileError> | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || code === 'EIO';
}

export interface RoomQuestion {
  readonly free: number;
  readonly floorBytes: number;
  /** What the largest trial so far wrote; 0 before any. */
  readonly trialBytes: number;
  readonly slots: number;
}

/** What is missing, as the end of a sentence about the disk; null when there is room. Every slot may write one more trial, and one stays free. */
export function roomText({ free, floorBytes, trialBytes, slots }: RoomQuestion): string | null {
  const neededBytes = Math.max(floorBytes, trialBytes === 0 ? 0 : (slots + 1) * trialBytes);
  if (free >= neededBytes) return null;
  const about = trialBytes === 0 ? '' : `; a trial needs about ${bytesText(trialBytes)}`;
  return `has ${bytesText(free)} left, and ${bytesText(neededBytes)} must be free before a launch${about}`;
}

export function diskName(folder: string): string {
  return `the disk holding ${folder}`;
}

function refusedText(folder: string, why: string): string {
  return `${diskName(folder)} takes no more (${why}). Free some space or raise the quota: it goes on by itself when there is room`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function sizeOf(files: Ports['files'], path: string): Promise<number> {
  const stat = await files.stat(path);
  if (stat === null) return 0;
  if (stat.kind !== 'folder') return stat.kind === 'file' ? stat.sizeBytes : 0;
  let sum = 0;
  for (const name of await files.list(path)) sum += await sizeOf(files, join(path, name));
  return sum;
}

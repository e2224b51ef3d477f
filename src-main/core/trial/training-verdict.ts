// Judges a training that has ended, by what it left behind first and by its exit second. Imported by this room only. Pure.
import type { ProcessExit } from '../../ports.ts';
import { stripTerminalCodes } from './console-progress.ts';
import { findDeviceLost, findDiskFull, findOutOfMemory } from './oom.ts';
import { failedBy, type Ending } from './trial-outcome.ts';

export interface TrainingEvidence {
  readonly isAtFinalStep: boolean;
  readonly hasCheckpoint: boolean;
  /** It went by itself, and nothing shows that its last step was logged and saved. */
  readonly isCutShort: boolean;
  readonly hasEvents: boolean;
  readonly lastStep: number;
  readonly timesteps: number;
  readonly exit: ProcessExit | null;
  readonly outOfMemory: string | null;
  readonly consoleTail: string;
}

/** Null when training finished: final step and a loadable checkpoint are there. */
export function judgeTraining(evidence: TrainingEvidence): Ending | null {
  const { exit, consoleTail } = evidence;
  // Killed between its last step and its last checkpoint, it would be judged by an older one, and another run of it by the last.
  const isKilled = evidence.isCutShort && isKilledFromOutside(exit);
  if (evidence.isAtFinalStep && evidence.hasCheckpoint && !isKilled) return null;
  const reached = reachedText(evidence);
  const ofMachine = judgeMachine({ exit, consoleTail, outOfMemory: evidence.outOfMemory, reached });
  if (ofMachine !== null) return ofMachine;
  if (!evidence.hasEvents && (exit?.exitCode === 126 || exit?.exitCode === 127)) {
    return failedBy('infrastructure', 'launch', `could not be started: ${lastLine(consoleTail)}`);
  }
  if (isBadExit(exit)) return failedBy('own', 'crashed', `${exitText(exit)} ${reached}: ${lastLine(consoleTail)}`);
  if (!evidence.hasCheckpoint) return failedBy('own', 'no_checkpoint', `exited with code 0 ${reached} and left no loadable checkpoint: ${lastLine(consoleTail)}`);
  return failedBy('own', 'crashed', `exited with code 0 ${reached}, before its final step: ${lastLine(consoleTail)}`);
}

export interface MachineEvidence {
  readonly exit: ProcessExit | null;
  readonly outOfMemory: string | null;
  readonly consoleTail: string;
  /** Where it was, for the text: `at step 3 of 8`. */
  readonly reached: string;
}

/** The ending when the machine, and not the candidate, made a process fail; null when nothing says so. */
export function judgeMachine({ exit, outOfMemory, consoleTail, reached }: MachineEvidence): Ending | null {
  if (!isBadExit(exit)) return null;
  const memory = outOfMemory ?? findOutOfMemory(consoleTail);
  if (memory !== null) return failedBy('infrastructure', 'oom', `ran out of memory ${reached}: ${memory}`, 'oom');
  if (exit?.signal === 'SIGKILL') {
    return failedBy('infrastructure', 'oom', `was killed by the system ${reached} (SIGKILL), most often because memory ran out; its last line: ${lastLine(consoleTail)}`, 'oom');
  }
  const disk = findDiskFull(consoleTail);
  if (disk !== null) return failedBy('infrastructure', 'disk', `the disk was full ${reached}: ${disk}`);
  const device = findDeviceLost(consoleTail);
  if (device !== null) return failedBy('infrastructure', 'crashed', `the device was lost ${reached}: ${device}`);
  if (isKilledFromOutside(exit)) {
    return failedBy('infrastructure', 'crashed', `was ended from outside ${reached} (${exit?.signal ?? 'unknown'}); its last line: ${lastLine(consoleTail)}`);
  }
  return null;
}

/** By one of the signals with which systems and people end processes, and which no program sends itself by a fault. */
function isKilledFromOutside(exit: ProcessExit | null): boolean {
  return ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'].includes(exit?.signal ?? '');
}

/** A missing exit (it would not go) is as bad as a wrong one. */
export function isBadExit(exit: ProcessExit | null): boolean {
  return exit === null || exit.signal !== null || exit.exitCode !== 0;
}

function exitText(exit: ProcessExit | null): string {
  if (exit === null) return 'did not go away';
  return exit.signal === null ? `exited with code ${exit.exitCode ?? '?'}` : `died of ${exit.signal}`;
}

function reachedText({ hasEvents, lastStep, timesteps }: TrainingEvidence): string {
  return hasEvents ? `at step ${lastStep} of ${timesteps}` : 'before its first mapped metric';
}

/** A frame of a JavaScript stack, or of what Python's faulthandler prints: it says where, and the line above the first of them says what. */
const stackFrame = /^(at (async |new )?(\S+ (\[as \S+\] )?\(.*\)|\S+:\d+:\d+)|File ".*", line \d+( in .*)?|(Current t|T)hread 0x[0-9a-f]+.*\(most recent call first\):|Extension modules: .*)$/;

/** Node's own last line after an error that nobody caught. */
const nodeVersion = /^Node\.js v\d+\.\d+\.\d+$/;

/** The last line of the console that says something. */
export function lastLine(consoleTail: string): string {
  const lines = stripTerminalCodes(consoleTail)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  return lines.filter((line) => line !== '' && !stackFrame.test(line) && !nodeVersion.test(line)).at(-1)?.slice(0, 300) ?? 'no output';
}

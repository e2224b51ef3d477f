// When a campaign whose process ended is started again, and when not: pure decisions, no clock and no process of its own.
// Imported by this room only. Rules BS1 to BS6 of docs/specs/campaign.md.
import { countText } from '../../../src-protocol/count-text.ts';
import type { ProcessExit } from '../../ports.ts';
import { campaignExit } from './campaign-exit.ts';

export const mostRestarts = 5;
export const windowMs = 10 * 60_000;
const firstDelayMs = 250;
const longestDelayMs = 4_000;

/** What a babysitter remembers. */
export interface Sitting {
  /** Moments of the monotonic clock at which it started the campaign again. */
  readonly restartsAtMs: readonly number[];
  /** Whether it was itself asked to end. */
  readonly isAskedToEnd: boolean;
}

export interface ExitFacts {
  /** Monotonic. */
  readonly nowMs: number;
  /** Who asked for a stop that is not carried out yet; null when nobody did. */
  readonly stopAskedBy: string | null;
}

export type Decision =
  /** It ended itself and said why: its exit code is ours. */
  | { readonly do: 'leave'; readonly exitCode: number }
  | { readonly do: 'restart'; readonly afterMs: number; readonly how: string; readonly sitting: Sitting }
  /** It died and is not started again: somebody has to say so in its place. */
  | { readonly do: 'close'; readonly status: 'stopped' | 'failed'; readonly how: string; readonly text: string };

export const noRestarts: Sitting = { restartsAtMs: [], isAskedToEnd: false };

export function afterExit(sitting: Sitting, exit: ProcessExit, facts: ExitFacts): Decision {
  const { exitCode } = exit;
  const hasRestarted = sitting.restartsAtMs.length > 0;
  // After a death somebody else may hold the lock for a moment (a repair): that is no end.
  const endsItself = exitCode !== null && isOwnEnd(exitCode) && !(exitCode === campaignExit.held && hasRestarted);
  if (endsItself) return { do: 'leave', exitCode };
  const how = howItDied(exit);
  if (sitting.isAskedToEnd) return { do: 'close', status: 'stopped', how, text: `the campaign was asked to end, and its process died first (${how})` };
  if (facts.stopAskedBy !== null) return stopInstead(facts.stopAskedBy, how);
  if (exit.signal === 'SIGTERM' || exit.signal === 'SIGINT') return { do: 'close', status: 'stopped', how, text: `the campaign process was asked to end with ${exit.signal} and did not get to end itself` };
  const recent = sitting.restartsAtMs.filter((at) => facts.nowMs - at < windowMs);
  if (recent.length >= mostRestarts) return giveUp(recent.length + 1, how);
  const afterMs = Math.min(longestDelayMs, firstDelayMs * 2 ** recent.length);
  return { do: 'restart', afterMs, how, sitting: { ...sitting, restartsAtMs: [...recent, facts.nowMs] } };
}

/** Asked again at the end of the wait before a restart. Null: go on and start it. */
export function beforeRestart(sitting: Sitting, how: string, stopAskedBy: string | null): Extract<Decision, { do: 'close' }> | null {
  if (sitting.isAskedToEnd) return { do: 'close', status: 'stopped', how, text: 'the campaign was asked to end while its process was down' };
  return stopAskedBy === null ? null : stopInstead(stopAskedBy, how);
}

/** `the process died (killed by SIGKILL); restarted 2 times` */
export function restartedText(how: string, restarts: number): string {
  return `the process died (${how}); restarted ${restarts === 1 ? 'once' : countText(restarts, 'time')}`;
}

function stopInstead(by: string, how: string): Extract<Decision, { do: 'close' }> {
  return { do: 'close', status: 'stopped', how, text: `stopped by ${by}; its process had died (${how}) and was not started again` };
}

function giveUp(deaths: number, how: string): Decision {
  return { do: 'close', status: 'failed', how, text: `its process died ${countText(deaths, 'time')} within ${windowMs / 60_000} minutes, the last time ${how}; it is not started again (process.log beside the run has what it said)` };
}

function isOwnEnd(exitCode: number): boolean {
  return exitCode === campaignExit.completed || exitCode === campaignExit.notCompleted || exitCode === campaignExit.refused || exitCode === campaignExit.usage || exitCode === campaignExit.held;
}

function howItDied({ exitCode, signal }: ProcessExit): string {
  if (signal !== null) return `killed by ${signal}`;
  if (exitCode === campaignExit.held) return 'another process held the repository';
  return exitCode === campaignExit.fault ? 'a fault of the program' : `exit code ${exitCode}`;
}

// Rules that a clock decides: `hung`, `linger`, `budget`, and `oom` while the process lives. Imported by the monitor only.
import type { MonitorRules } from '../../../../src-protocol/files/study.ts';
import type { MonitorDecision } from './decision.ts';

export interface MonitorTick {
  /** Monotonic milliseconds, on the scale of the monitor's `startMonoMs`. */
  readonly monoMs: number;
  /** How much of the monotonic time since the start the machine, or this program, stood still; never falls. */
  readonly suspendedMs: number;
  readonly isAlive: boolean;
  /** A console line changed and a number in it grew since the last tick. */
  readonly consoleProgress: boolean;
  /** Everything this process has to leave behind exists, and did so unchanged at the last tick. */
  readonly artifactsDone: boolean;
  /** The console line that says memory ran out; null or absent when there is none. */
  readonly outOfMemory?: string | null;
  /** Milliseconds of campaign budget left; absent: not limited. */
  readonly campaignLeftMs?: number;
}

export interface TimeRules {
  tick(tick: MonitorTick, seen: SeenPoints): MonitorDecision | null;
}

export interface SeenPoints {
  /** A point came since the last tick. */
  readonly isNew: boolean;
  readonly lastStep: number | null;
  /** How long the trainer took between the last two steps it logged; 0 when it is not known. */
  readonly stretchMs: number;
}

export interface TimeRuleOptions {
  readonly rules: Pick<MonitorRules, 'startup_s' | 'hang_s' | 'grace_s'>;
  readonly startMonoMs: number;
  readonly maxTrialMs: number;
}

/** Rules M5 (hung), M6 (linger), M8 (budget) and M9 (oom). Budgets count monotonic time, the others only time in which we ran. */
export function makeTimeRules(options: TimeRuleOptions): TimeRules {
  const { rules, startMonoMs, maxTrialMs } = options;
  const hangMs = rules.hang_s * 1000;
  let lastEventMs = startMonoMs;
  let hasEvent = false;
  let lastProgressMs: number | null = null;
  let doneSinceMs: number | null = null;
  let memoryGoneSinceMs: number | null = null;
  let survived: string | null = null;

  function hung(nowMs: number, lastStep: number | null): MonitorDecision | null {
    const quietMs = hasEvent ? hangMs : rules.startup_s * 1000;
    const extendedMs = Math.max(lastEventMs, lastProgressMs ?? lastEventMs) + quietMs;
    const limitMs = Math.min(extendedMs, lastEventMs + Math.max(quietMs, 3 * hangMs));
    if (nowMs < limitMs) return null;
    // The rule's own limit and not the clock's reading: equal runs give equal records.
    const text = hasEvent ? `no event for ${rules.hang_s} s` : `no first event within ${rules.startup_s} s`;
    return { rule: 'hung', text, step: lastStep, value: null };
  }

  /** An event after the message shows that the trainer caught it and went on: that message then means nothing any more. */
  function seeMemory(line: string | null, nowMs: number, isNew: boolean): void {
    if (isNew && memoryGoneSinceMs !== null) survived = line;
    memoryGoneSinceMs = line === null || line === survived ? null : (memoryGoneSinceMs ?? nowMs);
  }

  return {
    tick(tick, seen) {
      const nowMs = tick.monoMs - tick.suspendedMs;
      if (seen.isNew) {
        lastEventMs = nowMs;
        hasEvent = true;
      }
      if (tick.consoleProgress) lastProgressMs = nowMs;
      if (!tick.artifactsDone) doneSinceMs = null;
      else if (doneSinceMs === null || seen.isNew) doneSinceMs = nowMs;
      seeMemory(tick.outOfMemory ?? null, nowMs, seen.isNew);
      if (!tick.isAlive) return null;

      const step = seen.lastStep;
      if (doneSinceMs !== null) {
        // A trainer may update once more after its last step was logged, and save only then.
        if (nowMs - doneSinceMs < Math.max(rules.grace_s * 1000, Math.min(seen.stretchMs, hangMs))) return null;
        return { rule: 'linger', text: `lived on for ${rules.grace_s} s after its work`, step, value: null };
      }
      if (memoryGoneSinceMs !== null && nowMs - memoryGoneSinceMs >= Math.min(10_000, hangMs / 2)) {
        return { rule: 'oom', text: `ran out of memory: ${tick.outOfMemory ?? ''}`, step, value: null };
      }
      if (tick.monoMs - startMonoMs >= maxTrialMs) {
        return { rule: 'budget', text: `used up its ${Math.round(maxTrialMs / 1000)} s`, step, value: null };
      }
      if ((tick.campaignLeftMs ?? Infinity) <= 0) {
        return { rule: 'budget', text: 'the campaign has used up its budget', step, value: null, isCampaignBudget: true };
      }
      return hung(nowMs, step);
    },
  };
}

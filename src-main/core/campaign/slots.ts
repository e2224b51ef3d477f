// Runs a queue of jobs in a fixed number of slots and measures how long slots stood empty for no good reason.
// Imported by this room and the self-test.
import type { Clock } from '../../ports.ts';

export interface SlotJob {
  /** Runs in slot `slot` (0-based) and calls `busy` once its work is under way; never rejects: failures are data. */
  run(slot: number, busy: () => void): Promise<void>;
}

export interface SlotOptions {
  readonly clock: Clock;
  readonly slots: number;
  /** Seconds between two starts while the slots fill for the first time. */
  readonly staggerS: number;
  /** Called before each start; the next job, or null when none may start now (the queue is empty, paused, or stopping). */
  readonly take: () => SlotJob | null;
  /** Resolves when `take` may have a different answer: a job was added back, a pause ended, a stop was asked for. */
  readonly changed: () => Promise<void>;
  /** Whether anything may still come from `take` although it says null now (paused, or a running job may be put back). */
  readonly mayComeBack: () => boolean;
}

/** What the slots did, in milliseconds of the monotonic clock. */
export interface SlotUse {
  readonly slotMs: number;
  readonly idleMs: number;
}

/**
 * Runs jobs until the queue is empty and all slots are free. A freed slot takes the next job at once.
 * Idle time runs from the end of a job to the work of the next one, and only while one was there to be taken: stagger and
 * the end of a batch are not idle.
 */
export async function runInSlots(options: SlotOptions): Promise<SlotUse> {
  const { clock, slots } = options;
  const running = new Set<Promise<void>>();
  const free: number[] = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
  const freedAt = new Map<number, number>();
  const startedAt = clock.monotonicMs();
  let idleMs = 0;
  let starts = 0;
  let lastStart = -Infinity;

  for (;;) {
    const slot = free[free.length - 1];
    const earlyMs = starts < slots ? lastStart + options.staggerS * 1000 - clock.monotonicMs() : 0;
    if (slot !== undefined && earlyMs > 0 && (running.size > 0 || options.mayComeBack())) {
      // Nothing is taken before it may start: a pause or a stop in between must find it still waiting.
      freedAt.clear();
      await raceSleep(clock, earlyMs, [...running, options.changed()]);
      continue;
    }
    const job = slot === undefined ? null : options.take();
    if (slot !== undefined && job !== null) {
      free.pop();
      let freed = freedAt.get(slot);
      freedAt.delete(slot);
      const busy = () => {
        if (freed !== undefined) idleMs += clock.monotonicMs() - freed;
        freed = undefined;
      };
      lastStart = clock.monotonicMs();
      starts += 1;
      const done = job.run(slot, busy).finally(() => {
        busy();
        running.delete(done);
        freedAt.set(slot, clock.monotonicMs());
        free.push(slot);
      });
      running.add(done);
      continue;
    }
    if (running.size === 0 && !options.mayComeBack()) break;
    if (slot !== undefined) freedAt.clear();
    await Promise.race([...running, options.changed()]);
  }
  return { slotMs: (clock.monotonicMs() - startedAt) * slots, idleMs };
}

/** Resolves after `ms`, or as soon as one of `others` does. */
async function raceSleep(clock: Clock, ms: number, others: readonly Promise<void>[]): Promise<void> {
  const sleeping = new AbortController();
  await Promise.race([...others, clock.sleep(ms, sleeping.signal).catch(() => undefined)]);
  sleeping.abort();
}

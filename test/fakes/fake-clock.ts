// A Clock whose time passes only when a test says so.
import type { Clock, Stop } from '../../src-main/ports.ts';

export interface FakeClock extends Clock {
  /** Lets `ms` pass: timers fire in order, each followed by whatever it set in motion. */
  advance(ms: number): Promise<void>;
  /** The machine sleeps: the wall clock moves, the monotonic one does not, no timer fires. */
  suspend(ms: number): void;
  /** Advances until `promise` settles; rejects when nothing is left to wait for or `limitMs` have passed. */
  settle<T>(promise: Promise<T>, limitMs?: number): Promise<T>;
  readonly waiting: number;
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

export function makeFakeClock(startWallMs = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let wallOffsetMs = startWallMs;

  function after(ms: number, fire: () => void): Stop {
    const timer = { atMs: nowMs + Math.max(0, ms), fire };
    timers.add(timer);
    return () => void timers.delete(timer);
  }

  function nextDue(): Timer | null {
    let next: Timer | null = null;
    for (const timer of timers) if (next === null || timer.atMs < next.atMs) next = timer;
    return next;
  }

  async function advance(ms: number): Promise<void> {
    const endMs = nowMs + ms;
    await settled();
    for (let next = nextDue(); next !== null && next.atMs <= endMs; next = nextDue()) {
      nowMs = next.atMs;
      timers.delete(next);
      next.fire();
      await settled();
    }
    nowMs = endMs;
  }

  return {
    wallMs: () => wallOffsetMs + nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const abort = (): void => {
          stop();
          reject(signal?.reason);
        };
        const stop = after(ms, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
      }),
    every(ms, tick) {
      let isStopped = false;
      let stop = after(ms, run);
      function run(): void {
        const startedMs = nowMs;
        void (async () => {
          try {
            await tick();
          } catch {
            // As the real one: the next tick still comes.
          }
          if (!isStopped) stop = after(Math.max(0, ms - (nowMs - startedMs)), run);
        })();
      }
      return () => {
        isStopped = true;
        stop();
      };
    },
    advance,
    suspend: (ms) => void (wallOffsetMs += ms),
    async settle(promise, limitMs = 24 * 3600_000) {
      let isSettled = false;
      const mark = (): void => void (isSettled = true);
      promise.then(mark, mark);
      const endMs = nowMs + limitMs;
      for (let idleTurns = 0; ; ) {
        await settled();
        if (isSettled) return promise;
        const next = nextDue();
        // Real work (a disk, a process) may still be under way without a timer of ours.
        idleTurns = next === null ? idleTurns + 1 : 0;
        if (idleTurns > 200 || (next !== null && next.atMs > endMs)) throw new Error('The promise never settles: no timer is left that could do it.');
        if (next === null) await new Promise((resolve) => setTimeout(resolve, 5));
        else await advance(Math.max(0, next.atMs - nowMs));
      }
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** Everything that can run without time passing has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

// A clock that moves only when everybody waits, so that a smoke takes no time and is the same each time. This room only.
import type { Clock, Stop } from '../../ports.ts';

export function makePaperClock(): Clock {
  let nowMs = 0;
  let isMoving = false;
  const waiting: { readonly atMs: number; readonly wake: () => void }[] = [];

  /** Lets everything that can go on do so, then wakes the earliest sleeper. */
  function move(): void {
    if (isMoving) return;
    isMoving = true;
    setTimeout(() => {
      isMoving = false;
      waiting.sort((a, b) => a.atMs - b.atMs);
      const next = waiting.shift();
      if (next === undefined) return;
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
      if (waiting.length > 0) move();
    }, 0);
  }

  return {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        waiting.push(sleeper);
        signal?.addEventListener('abort', () => {
          const at = waiting.indexOf(sleeper);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        });
        move();
      }),
    every: (): Stop => {
      throw new Error('nothing on paper ticks');
    },
  };
}

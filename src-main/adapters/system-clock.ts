// The Clock port on the machine's clocks. Only composition files and tests import it.
import { performance } from 'node:perf_hooks';
import { platform } from 'node:process';
import type { Clock, Stop } from '../ports.ts';

export interface SystemClockOptions {
  /** Told when a tick of `every` throws; the next tick still comes. */
  readonly onFault?: (error: unknown) => void;
}

export function makeSystemClock(options: SystemClockOptions = {}): Clock {
  const monotonicMs = platform === 'linux' ? () => performance.now() : startSuspendFilter();
  return {
    wallMs: () => Date.now(),
    monotonicMs,
    sleep,
    every: (ms, tick) => every(ms, tick, options.onFault ?? (() => undefined)),
  };
}

/** A timer of Node holds 31 bits of milliseconds; longer ones would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    let leftMs = Math.max(0, ms);
    let timer: NodeJS.Timeout;
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const next = (): void => {
      if (leftMs <= 0) {
        signal?.removeEventListener('abort', stop);
        return resolve();
      }
      const partMs = Math.min(leftMs, longestTimerMs);
      leftMs -= partMs;
      timer = setTimeout(next, partMs);
    };
    signal?.addEventListener('abort', stop, { once: true });
    if (leftMs === 0) timer = setTimeout(next, 0);
    else next();
  });
}

/** The next tick starts `ms` after the last one started, or as soon as it has ended if it took longer. */
function every(ms: number, tick: () => void | Promise<void>, onFault: (error: unknown) => void): Stop {
  let isStopped = false;
  let timer = setTimeout(run, ms);

  function run(): void {
    const startedMs = performance.now();
    const again = (): void => {
      if (!isStopped) timer = setTimeout(run, Math.max(0, ms - (performance.now() - startedMs)));
    };
    try {
      const ticking = tick();
      if (ticking === undefined) again();
      else void ticking.catch(onFault).then(again);
    } catch (error) {
      onFault(error);
      again();
    }
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const beatMs = 5_000;
/** A beat that comes later than this after the last one means that the machine slept, not that we were busy. */
const gapMs = 30_000;

/**
 * On Linux the monotonic clock stops while the machine is suspended. On macOS and Windows Node's clock runs on, so gaps between beats
 * are taken out of it. Not run on those systems by our tests; the arithmetic is `removeGap`.
 */
function startSuspendFilter(): () => number {
  let state: SuspendState = { lastBeatMs: performance.now(), removedMs: 0 };
  const beat = (): void => {
    state = removeGap(state, performance.now());
  };
  setInterval(beat, beatMs).unref();
  return () => {
    beat();
    return state.lastBeatMs - state.removedMs;
  };
}

export interface SuspendState {
  readonly lastBeatMs: number;
  readonly removedMs: number;
}

/** The state after a beat at `nowMs`: a gap of more than 30 s since the last beat counts as one beat of 5 s. */
export function removeGap(state: SuspendState, nowMs: number): SuspendState {
  const sinceMs = nowMs - state.lastBeatMs;
  return { lastBeatMs: nowMs, removedMs: state.removedMs + (sinceMs > gapMs ? sinceMs - beatMs : 0) };
}

// Runs one process of a trial from its start to the proof that its tree is gone, looking at it all the while. Imported by this room only.
import type { EndReport, Ports, ProcessExit, ProcessIdentity, StartOptions } from '../../ports.ts';
import type { SuspendGap } from '../metrics/t90.ts';
import { makeConsoleProgress } from './console-progress.ts';
import { findOutOfMemory } from './oom.ts';
import { watchStalls } from './stall-watch.ts';

/** What one look sees of the process itself. */
export interface Look {
  readonly monoMs: number;
  readonly suspendedMs: number;
  readonly isAlive: boolean;
  readonly consoleProgress: boolean;
  readonly outOfMemory: string | null;
}

export interface SuperviseOptions<Decision> {
  readonly ports: Pick<Ports, 'files' | 'clock' | 'processes'>;
  readonly start: StartOptions;
  /** Folder whose changes ask for a look at once. */
  readonly folder: string;
  /**
   * Called after changes, within 250 ms of new output, at least every 250 ms until the system is known to tell of changes and every
   * 500 ms after that, and once more after the process has gone. The first decision ends the process.
   */
  readonly look: (look: Look) => Promise<Decision | null>;
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly onStarted?: (identity: ProcessIdentity) => void;
}

export interface Supervised<Decision> {
  readonly decision: Decision | null;
  readonly isAborted: boolean;
  /** Null when it would not go. */
  readonly exit: ProcessExit | null;
  /** It went before anybody ended it: `exit` is its own word. */
  readonly wentByItself: boolean;
  readonly end: EndReport;
  readonly outOfMemory: string | null;
  readonly consoleTail: string;
  readonly gaps: readonly SuspendGap[];
}

export const pollMs = 250;
/** Where changes are told of, looking is only for what the clock decides, and for a hint that got lost. */
const hintedPollMs = 500;
/** Console text that is searched for a message at each look. */
const searchedChars = 64 * 1024;

/** Rejects with what `Processes.start` or `look` throws; a started tree is ended first. */
export async function supervise<Decision>(options: SuperviseOptions<Decision>): Promise<Supervised<Decision>> {
  const { ports, signal } = options;
  const stalls = watchStalls(ports.clock);
  const running = await ports.processes.start(options.start);
  options.onStarted?.(running.identity);
  const progress = makeConsoleProgress();
  const wake = makeWake();
  let exit: ProcessExit | null = null;
  let fresh = '';
  let hasFresh = false;
  let isHinted = false;
  let lookedMs = -Infinity;
  let outOfMemory: string | null = null;
  const stops = [
    running.onOutput((text) => {
      progress.add(text);
      fresh = (fresh + text).slice(-searchedChars);
      hasFresh = true;
    }),
    // What it prints was heard already, and is looked at within 250 ms. A tick comes a little early or late: half a tick decides.
    ports.clock.every(pollMs, () => {
      if (hasFresh || !isHinted || ports.clock.monotonicMs() - lookedMs > hintedPollMs - pollMs / 2) wake.set();
    }),
    ports.files.watch(
      options.folder,
      () => {
        isHinted = true;
        wake.set();
      },
      { except: [options.start.consolePath] },
    ),
  ];
  void running.exit.then((ended) => {
    exit = ended;
    wake.set();
  });
  signal.addEventListener('abort', wake.set, { once: true });

  async function look(isAlive: boolean): Promise<Decision | null> {
    stalls.look();
    lookedMs = stalls.monoMs;
    if (hasFresh) outOfMemory ??= findOutOfMemory(fresh);
    hasFresh = false;
    // A message may have come in two parts.
    fresh = fresh.slice(-400);
    return options.look({ monoMs: stalls.monoMs, suspendedMs: stalls.suspendedMs, isAlive, consoleProgress: progress.take(), outOfMemory });
  }

  let decision: Decision | null = null;
  let wentByItself = false;
  let isAborted = false;
  let end: EndReport;
  try {
    for (;;) {
      decision = await look(true);
      wentByItself = exit !== null;
      isAborted = signal.aborted;
      if (decision !== null || wentByItself || isAborted) break;
      await wake.wait();
    }
  } finally {
    end = await ports.processes.end({ identity: running.identity, tag: options.start.tag }, { graceMs: options.graceMs });
    for (const stop of stops) stop();
    signal.removeEventListener('abort', wake.set);
  }
  await within(ports.clock, 2_000, running.exit);
  decision = (await look(false)) ?? decision;
  return { decision, isAborted: isAborted && !wentByItself, exit, wentByItself, end, outOfMemory, consoleTail: running.consoleTail(), gaps: stalls.gaps };
}

interface Wake {
  set(): void;
  /** Resolves when it is set, or at once when it was since the last wait. */
  wait(): Promise<void>;
}

function makeWake(): Wake {
  let isSet = false;
  let release: () => void = () => undefined;
  return {
    set() {
      isSet = true;
      release();
    },
    async wait() {
      if (!isSet) await new Promise<void>((resolve) => (release = resolve));
      isSet = false;
    },
  };
}

/** Waits for `event`, but no longer than `ms`; no timer stays behind that would hold the process up. */
async function within(clock: Ports['clock'], ms: number, event: Promise<unknown>): Promise<void> {
  const sleeping = new AbortController();
  await Promise.race([event, clock.sleep(ms, sleeping.signal).catch(() => undefined)]);
  sleeping.abort();
}

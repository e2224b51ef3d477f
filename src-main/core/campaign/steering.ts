// What people asked of a running campaign: pause, resume, stop, skip. Imported by this room only.

/** Why a running trial is being ended from outside. `stop` and `pause` run it again later; `skip` never. */
export type EndCause = 'stop' | 'pause' | 'skip';

export interface Steering {
  pausedBecause(): string | null;
  stoppedBecause(): string | null;
  pause(reason: string): void;
  /** Also ends what runs; it is run again after the pause. */
  pauseNow(reason: string): void;
  resume(by: string): void;
  /** Tells when a pause begins or ends, whatever asked for it. */
  listen(listener: PauseListener): void;
  stop(reason: string): void;
  /** Marks a trial (by the folder of any of its attempts) as not wanted; ends it when it runs. False when it is already marked. */
  skip(folder: string): boolean;
  isSkipped(folder: string): boolean;
  /** Registers a running trial so that it can be ended; call the result when it is over. */
  watch(folder: string, end: (cause: EndCause) => void): () => void;
  /** Resolves at the next change of anything above. */
  changed(): Promise<void>;
}

export interface PauseListener {
  paused(reason: string): void;
  resumed(by: string): void;
}

/** `onStop` is called once, when a stop is first asked for. */
export function makeSteering(onStop: () => void = () => undefined): Steering {
  let paused: string | null = null;
  let stopped: string | null = null;
  /** A pause that ends what runs also ends what was about to run. */
  let isEndingAll = false;
  const listeners: PauseListener[] = [];
  const skipped = new Set<string>();
  const running = new Map<string, (cause: EndCause) => void>();
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));

  const tell = () => {
    const before = wake;
    next = new Promise<void>((resolve) => (wake = resolve));
    before();
  };
  const begin = (reason: string) => {
    const isNew = paused === null;
    paused ??= reason;
    if (isNew) for (const listener of listeners) listener.paused(reason);
    tell();
  };
  const endAll = (cause: EndCause) => {
    for (const end of [...running.values()]) end(cause);
  };

  return {
    pausedBecause: () => paused,
    stoppedBecause: () => stopped,
    pause: begin,
    pauseNow(reason) {
      isEndingAll = true;
      endAll('pause');
      begin(reason);
    },
    resume(by) {
      const wasPaused = paused !== null;
      paused = null;
      isEndingAll = false;
      if (wasPaused) for (const listener of listeners) listener.resumed(by);
      tell();
    },
    listen: (listener) => void listeners.push(listener),
    stop(reason) {
      if (stopped === null) {
        stopped = reason;
        onStop();
      }
      endAll('stop');
      tell();
    },
    skip(folder) {
      const trial = withoutAttempt(folder);
      if (skipped.has(trial)) return false;
      skipped.add(trial);
      for (const [name, end] of [...running]) if (withoutAttempt(name) === trial) end('skip');
      tell();
      return true;
    },
    isSkipped: (folder) => skipped.has(withoutAttempt(folder)),
    watch(folder, end) {
      running.set(folder, end);
      if (stopped !== null) end('stop');
      else if (isEndingAll) end('pause');
      return () => running.delete(folder);
    },
    changed: () => next,
  };
}

/** `screen-a-s42-r1-a2` -> `screen-a-s42-r1`: the attempt is no part of which trial it is. */
function withoutAttempt(folder: string): string {
  return folder.replace(/(-s\d+(?:-r\d+)?)-a\d+$/, '$1');
}

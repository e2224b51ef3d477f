// What people asked of a running campaign: pause, resume, stop, skip. Imported by this room only.

/** Why a running trial is being ended from outside. `stop` and `pause` run it again later; `skip` never. */
export type EndCause = 'stop' | 'pause' | 'skip';

export interface Steering {
  pausedBecause(): string | null;
  stoppedBecause(): string | null;
  pause(reason: string): void;
  /** Also ends what runs; it is run again after the pause. */
  pauseNow(reason: string): void;
  resume(): void;
  stop(reason: string): void;
  /** Marks a trial (by folder name) as not wanted; ends it when it runs. False when it is already marked. */
  skip(folder: string): boolean;
  isSkipped(folder: string): boolean;
  /** Registers a running trial so that it can be ended; call the result when it is over. */
  watch(folder: string, end: (cause: EndCause) => void): () => void;
  /** Resolves at the next change of anything above. */
  changed(): Promise<void>;
}

/** `onStop` is called once, when a stop is first asked for. */
export function makeSteering(onStop: () => void = () => undefined): Steering {
  let paused: string | null = null;
  let stopped: string | null = null;
  const skipped = new Set<string>();
  const running = new Map<string, (cause: EndCause) => void>();
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));

  const tell = () => {
    const before = wake;
    next = new Promise<void>((resolve) => (wake = resolve));
    before();
  };
  const endAll = (cause: EndCause) => {
    for (const end of [...running.values()]) end(cause);
  };

  return {
    pausedBecause: () => paused,
    stoppedBecause: () => stopped,
    pause(reason) {
      paused ??= reason;
      tell();
    },
    pauseNow(reason) {
      paused ??= reason;
      endAll('pause');
      tell();
    },
    resume() {
      paused = null;
      tell();
    },
    stop(reason) {
      if (stopped === null) {
        stopped = reason;
        onStop();
      }
      endAll('stop');
      tell();
    },
    skip(folder) {
      if (skipped.has(folder)) return false;
      skipped.add(folder);
      running.get(folder)?.('skip');
      tell();
      return true;
    },
    isSkipped: (folder) => skipped.has(folder),
    watch(folder, end) {
      running.set(folder, end);
      if (stopped !== null) end('stop');
      return () => running.delete(folder);
    },
    changed: () => next,
  };
}

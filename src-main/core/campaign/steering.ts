// What people asked of a running campaign: pause, resume, stop, skip. Imported by this room only.

/** Why a running trial is being ended from outside. `stop` and `pause` run it again later; `skip` never. */
export type EndCause = 'stop' | 'pause' | 'skip';

/** What a pause waits for: a person, or something that the campaign itself sees come back: room on the disk, its journal, the write of a record. */
export type PauseCause = 'asked' | 'budget' | 'disk' | 'journal' | 'record';

export interface Steering {
  /** The reason that a person can do most about; null when nothing pauses it. */
  pausedBecause(): string | null;
  stoppedBecause(): string | null;
  /** The first reason of a cause stands; only the causes that the campaign watches itself take a newer wording. */
  pause(reason: string, cause?: PauseCause): void;
  /** Also ends what runs; it is run again after the pause. */
  pauseNow(reason: string): void;
  /** Ends every pause, whatever it waits for; what still stands in the way pauses it again. */
  resume(by: string): void;
  /** Ends the pause of one cause, and no other. */
  lift(cause: PauseCause, by: string): void;
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

/** What stands in the way comes before what was asked for. */
const pauseOrder: readonly PauseCause[] = ['journal', 'disk', 'record', 'budget', 'asked'];

/** `onStop` is called once, when a stop is first asked for. */
export function makeSteering(onStop: () => void = () => undefined): Steering {
  const pauses = new Map<PauseCause, string>();
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
  const begin = (reason: string, cause: PauseCause = 'asked') => {
    const isNew = !pauses.has(cause);
    if (isNew || cause !== 'asked') pauses.set(cause, reason);
    if (isNew) for (const listener of listeners) listener.paused(reason);
    tell();
  };
  const endPauses = (causes: readonly PauseCause[], by: string) => {
    const ended = causes.filter((cause) => pauses.delete(cause)).length;
    if (ended === 0) return;
    if (pauses.size === 0) for (const listener of listeners) listener.resumed(by);
    tell();
  };
  const endAll = (cause: EndCause) => {
    for (const end of [...running.values()]) end(cause);
  };

  return {
    pausedBecause: () => pauseOrder.map((cause) => pauses.get(cause)).find((reason) => reason !== undefined) ?? null,
    stoppedBecause: () => stopped,
    pause: begin,
    pauseNow(reason) {
      isEndingAll = true;
      endAll('pause');
      begin(reason);
    },
    resume(by) {
      isEndingAll = false;
      endPauses(pauseOrder, by);
    },
    lift: (cause, by) => endPauses([cause], by),
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

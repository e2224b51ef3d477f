// Runs one open feed: numbers its frames, ends it once, and never waits for a handler that ignores its signal. Imported by dispatch only.
import type { Frame } from '../../../src-protocol/frame.ts';
import type { Failure } from './failure.ts';

export interface FeedRun {
  /** Opens the feed; both values in wire form and parsed. Rejects like a handler. */
  open(): Promise<{ readonly snapshot: unknown; readonly changes: AsyncIterator<unknown> }>;
  /** Checks one change and puts it into wire form; throws when it is not what was declared. */
  encodeChange(change: unknown): unknown;
  toFailure(thrown: unknown): Failure;
  /** Called once, when the feed is over for whatever reason. */
  onEnd(failure: Failure | null): void;
  /** Aborts when the reader, the caller or the program ends the feed. */
  readonly controller: AbortController;
}

/** The frames of one feed. One reader; `next` is not called again before the last one resolved. */
export function feedFrames(run: FeedRun): AsyncIterableIterator<Frame> {
  const { signal } = run.controller;
  let seq = -1;
  let changes: AsyncIterator<unknown> | null = null;
  let isOver = false;

  function end(failure: Failure | null): IteratorResult<Frame> {
    isOver = true;
    const last: Frame = { kind: 'end', seq: seq + 1, ...reasonOf(failure) };
    run.onEnd(failure);
    close();
    return { done: false, value: last };
  }

  function close(): void {
    run.controller.abort();
    // A generator that is still waiting answers return() only after its wait; nobody waits for that here.
    changes?.return?.().then(undefined, () => undefined);
    changes = null;
  }

  /** Null when the handler has nothing more to tell. */
  async function advance(): Promise<Frame | null> {
    if (changes === null) {
      const opened = await run.open();
      if (signal.aborted) {
        // Closed while it was opening: nobody will pull, so the handler's iterator is let go here.
        opened.changes.return?.().then(undefined, () => undefined);
        return null;
      }
      changes = opened.changes;
      seq = 0;
      return { kind: 'snapshot', seq: 0, snapshot: opened.snapshot };
    }
    const next = await changes.next();
    if (next.done === true) return null;
    const change = run.encodeChange(next.value);
    seq += 1;
    return { kind: 'change', seq, change };
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isOver) return { done: true, value: undefined };
      try {
        signal.throwIfAborted();
        const frame = await untilAborted(advance(), signal);
        return frame === null ? end(null) : { done: false, value: frame };
      } catch (thrown) {
        return isOver ? { done: true, value: undefined } : end(run.toFailure(thrown));
      }
    },
    return() {
      if (!isOver) {
        isOver = true;
        run.onEnd(null);
        close();
      }
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

function reasonOf(failure: Failure | null): Pick<Extract<Frame, { kind: 'end' }>, 'refusal' | 'fault'> {
  if (failure === null) return {};
  return 'refusal' in failure ? { refusal: failure.refusal } : { fault: failure.fault };
}

/** Rejects as soon as the signal aborts, whatever the work is doing. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('the feed was closed'));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

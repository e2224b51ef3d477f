// The calls in flight and the open feeds of one page. Knows no Electron. Imported by ipc-door.ts and tests.
import type { Transport } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import { makeRefusal } from '../../src-protocol/refusal.ts';
import type { Refusal, Result } from '../../src-protocol/refusal.ts';
import type { DoorMessage } from './door-message.ts';

/** More than any screen needs; a page that loops cannot fill the process. */
const mostAtOnce = 64;

interface OpenFeed {
  readonly frames: AsyncIterator<Frame>;
  readonly controller: AbortController;
  isPulled: boolean;
}

export interface DoorSession {
  /** A result for `call`, a frame for `open` and `next`, nothing for `cancel`. Never rejects. */
  answer(message: DoorMessage): Promise<Result<unknown> | Frame | undefined>;
  /** The page is gone: everything of it is cancelled, and nobody is waited for. */
  close(): void;
}

export function makeDoorSession(transport: Transport): DoorSession {
  const calls = new Map<string, AbortController>();
  const feeds = new Map<string, OpenFeed>();

  async function answer(message: DoorMessage): Promise<Result<unknown> | Frame | undefined> {
    switch (message.do) {
      case 'call':
        return call(message);
      case 'open':
        return open(message);
      case 'next':
        return next(message.id);
      case 'cancel':
        cancel(message.id);
        return undefined;
    }
  }

  async function call({ id, name, input }: Extract<DoorMessage, { do: 'call' }>): Promise<Result<unknown>> {
    const refusal = takeId(id);
    if (refusal !== null) return { ok: false, refusal };
    const controller = new AbortController();
    calls.set(id, controller);
    try {
      return await transport.call(name, input, { signal: controller.signal });
    } finally {
      calls.delete(id);
    }
  }

  async function open({ id, name, input }: Extract<DoorMessage, { do: 'open' }>): Promise<Frame> {
    const refusal = takeId(id);
    if (refusal !== null) return { kind: 'end', seq: 0, refusal };
    const controller = new AbortController();
    const frames = transport.open(name, input, { signal: controller.signal })[Symbol.asyncIterator]();
    feeds.set(id, { frames, controller, isPulled: false });
    return next(id);
  }

  async function next(id: string): Promise<Frame> {
    const feed = feeds.get(id);
    if (feed === undefined) return { kind: 'end', seq: 0, refusal: makeRefusal('bad_input', 'no such feed is open') };
    if (feed.isPulled) return { kind: 'end', seq: 0, refusal: makeRefusal('bad_input', 'the next frame was already asked for') };
    feed.isPulled = true;
    const { done, value } = await feed.frames.next();
    feed.isPulled = false;
    if (done !== true && value.kind !== 'end') return value;
    feeds.delete(id);
    return done === true ? { kind: 'end', seq: 0 } : value;
  }

  /** A feed that is being pulled still gives its end frame to whoever pulls; another one is let go at once. */
  function cancel(id: string): void {
    calls.get(id)?.abort();
    const feed = feeds.get(id);
    feed?.controller.abort();
    if (feed?.isPulled === false) letGo(id, feed);
  }

  function letGo(id: string, feed: OpenFeed): void {
    feeds.delete(id);
    feed.frames.return?.().then(undefined, () => undefined);
  }

  function takeId(id: string): Refusal | null {
    if (calls.has(id) || feeds.has(id)) return makeRefusal('bad_input', 'this id is in use');
    if (calls.size + feeds.size >= mostAtOnce) return makeRefusal('bad_input', `more than ${mostAtOnce} calls and feeds at once`);
    return null;
  }

  return {
    answer,
    close() {
      for (const controller of calls.values()) controller.abort();
      for (const [id, feed] of feeds) {
        feed.controller.abort();
        letGo(id, feed);
      }
    },
  };
}

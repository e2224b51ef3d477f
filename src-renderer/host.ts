// The transport of the page: carries calls and feeds over whatever bridge its shell put there. Imported by main.tsx and tests.
import { z } from 'zod';
import type { CallOptions, Transport } from '../src-protocol/client.ts';
import { frame as frameSchema } from '../src-protocol/frame.ts';
import type { Frame } from '../src-protocol/frame.ts';
import { fault, makeRefusal, refusal } from '../src-protocol/refusal.ts';
import type { Fault, Refusal, Result } from '../src-protocol/refusal.ts';

/** What the preload script puts into the page as `rlxp`. Values are JSON; ids are ours; `take` says whether it wants another frame. */
export interface Bridge {
  call(id: string, name: string, input: unknown): Promise<unknown>;
  open(id: string, name: string, input: unknown, take: (frame: unknown) => Promise<boolean>): Promise<void>;
  cancel(id: string): Promise<void>;
}

const resultSchema = z.union([
  z.strictObject({ ok: z.literal(true), output: z.unknown() }),
  z.strictObject({ ok: z.literal(false), refusal }),
  z.strictObject({ ok: z.literal(false), fault }),
]);

export function makeHost(bridge: Bridge): Transport {
  let count = 0;
  const newId = (): string => `${(count += 1)}`;

  function whenAborted(id: string, signal: CallOptions['signal']): () => void {
    const onAbort = (): void => void bridge.cancel(id).catch(() => undefined);
    signal?.addEventListener('abort', onAbort, { once: true });
    return () => signal?.removeEventListener('abort', onAbort);
  }

  async function call(name: string, input: unknown, { signal }: CallOptions = {}): Promise<Result<unknown>> {
    if (signal?.aborted === true) return { ok: false, refusal: cancelled(name) };
    const id = newId();
    const unlink = whenAborted(id, signal);
    try {
      return resultSchema.parse(await bridge.call(id, name, input)) as Result<unknown>;
    } catch {
      return { ok: false, fault: unreachable };
    } finally {
      unlink();
    }
  }

  async function* open(name: string, input: unknown, { signal }: CallOptions = {}): AsyncGenerator<Frame> {
    const isCancelled = (): boolean => signal?.aborted === true;
    if (isCancelled()) return yield { kind: 'end', seq: 0, refusal: cancelled(name) };
    const id = newId();
    const unlink = whenAborted(id, signal);
    const slot = makeSlot();
    const over = bridge.open(id, name, input, slot.take).then(() => null, () => null);
    let seq = 0;
    try {
      for (;;) {
        const parsed = frameSchema.safeParse(await Promise.race([slot.arrival(), over]));
        if (!parsed.success) return yield { kind: 'end', seq, fault: unreachable };
        const received = parsed.data as Frame;
        yield received;
        if (received.kind === 'end') return;
        seq = received.seq + 1;
        // Cancelled while the reader had the frame: the other end has let go and will not tell.
        if (isCancelled()) return yield { kind: 'end', seq, refusal: cancelled(name) };
        slot.answer(true);
      }
    } finally {
      unlink();
      slot.answer(false);
    }
  }

  return { call, open };
}

/** Holds one frame until the reader asks for the next, so that the other end sends no more than one ahead. */
function makeSlot() {
  let arrive: (frame: unknown) => void = () => undefined;
  let arrived = new Promise<unknown>((resolve) => (arrive = resolve));
  let answer: (wantsMore: boolean) => void = () => undefined;
  return {
    take: (frame: unknown): Promise<boolean> =>
      new Promise((resolve) => {
        answer = resolve;
        arrive(frame);
      }),
    arrival: () => arrived,
    answer(wantsMore: boolean): void {
      arrived = new Promise((resolve) => (arrive = resolve));
      answer(wantsMore);
    },
  };
}

const unreachable: Fault = { id: 'window', message: 'the window and the program behind it do not understand each other; close the window and open it again' };

function cancelled(name: string): Refusal {
  return makeRefusal('cancelled', `${name} was cancelled`);
}

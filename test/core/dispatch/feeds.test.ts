import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src-protocol/caller.ts';
import { frame as frameSchema } from '../../../src-protocol/frame.ts';
import type { Frame } from '../../../src-protocol/frame.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { countTo, makeMadeUp } from './made-up.ts';
import type { MadeUp } from './made-up.ts';

const person: Caller = { kind: 'window', by: 'ada', typed: null };

describe('a feed', () => {
  it('T30: numbers its frames and ends once', async () => {
    const madeUp = makeMadeUp();
    const feed = madeUp.dispatch.open('watch_it', {}, person);
    const frames = await rest(feed);
    expect(frames).toEqual([
      { kind: 'snapshot', seq: 0, snapshot: 0 },
      { kind: 'change', seq: 1, change: { n: 1 } },
      { kind: 'change', seq: 2, change: { n: 2 } },
      { kind: 'change', seq: 3, change: { n: 3 } },
      { kind: 'end', seq: 4 },
    ]);
    expect(frames.map((one) => frameSchema.parse(one))).toEqual(frames);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
    expect(feedRecords(madeUp)).toMatchObject([{ outcome: 'ok' }]);
  });

  it('T31: an unknown feed, a refusal and a fault are its end', async () => {
    const madeUp = makeMadeUp();
    expect(await rest(madeUp.dispatch.open('watch_that', {}, person))).toMatchObject([{ kind: 'end', seq: 0, refusal: { code: 'unknown_tool' } }]);
    madeUp.feed = () => Promise.reject(new RefusalError(makeRefusal('not_found', 'no such study')));
    expect(await rest(madeUp.dispatch.open('watch_it', {}, person))).toMatchObject([{ kind: 'end', seq: 0, refusal: { code: 'not_found' } }]);
    madeUp.feed = () => Promise.reject(new RefusalError(makeRefusal('over_budget', 'undeclared')));
    expect(await rest(madeUp.dispatch.open('watch_it', {}, person))).toMatchObject([{ kind: 'end', seq: 0, fault: {} }]);
    expect(feedRecords(madeUp)).toHaveLength(3);
  });

  it('T34: a snapshot that was not declared is a fault', async () => {
    const madeUp = makeMadeUp();
    madeUp.feed = () => Promise.resolve({ snapshot: 'zero' as unknown as number, changes: countTo(1) });
    expect(await rest(madeUp.dispatch.open('watch_it', {}, person))).toMatchObject([{ kind: 'end', fault: {} }]);
  });

  it('T32: the handler is asked for one change at a time, and only when the reader took the last', async () => {
    const madeUp = makeMadeUp();
    let asked = 0;
    madeUp.feed = () => Promise.resolve({ snapshot: 0, changes: counting(() => (asked += 1)) });
    const feed = madeUp.dispatch.open('watch_it', {}, person);
    await feed.next();
    await tick();
    expect(asked).toBe(0);
    await feed.next();
    await feed.next();
    await tick();
    expect(asked).toBe(2);
    await feed.return?.(undefined);
  });

  it('T33: leaving the loop tells the handler and lets its generator clean up', async () => {
    const madeUp = makeMadeUp();
    const seen: string[] = [];
    madeUp.feed = ({ signal }) => {
      signal.addEventListener('abort', () => seen.push('told'));
      return Promise.resolve({ snapshot: 0, changes: cleaning(() => seen.push('cleaned')) });
    };
    for await (const one of madeUp.dispatch.open('watch_it', {}, person)) if (one.kind === 'change') break;
    await tick();
    expect(seen.sort()).toEqual(['cleaned', 'told']);
    expect(feedRecords(madeUp)).toHaveLength(1);
  });

  it('T33: shutdown ends it although the handler never answers', async () => {
    const madeUp = makeMadeUp();
    madeUp.feed = () => Promise.resolve({ snapshot: 0, changes: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) } });
    const feed = madeUp.dispatch.open('watch_it', {}, person);
    await feed.next();
    setTimeout(() => madeUp.shutdown(), 5);
    expect((await feed.next()).value).toMatchObject({ kind: 'end', seq: 1, refusal: { code: 'cancelled' } });
  });

  it('T33: a feed closed while it is opening lets go of what the handler opens afterwards', async () => {
    const madeUp = makeMadeUp();
    const seen: string[] = [];
    let open = (): void => undefined;
    madeUp.feed = async () => {
      await new Promise<void>((resolve) => (open = resolve));
      const changes = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined), return: () => Promise.resolve({ done: true as const, value: void seen.push('let go') }) }) };
      return { snapshot: 0, changes };
    };
    const controller = new AbortController();
    const feed = madeUp.dispatch.open('watch_it', {}, person, { signal: controller.signal });
    const first = feed.next();
    await tick();
    controller.abort();
    expect((await first).value).toMatchObject({ kind: 'end', seq: 0, refusal: { code: 'cancelled' } });
    open();
    await tick();
    expect(seen).toEqual(['let go']);
  });

  it('T33: a reader that is already gone opens nothing', async () => {
    const controller = new AbortController();
    controller.abort();
    const madeUp = makeMadeUp();
    madeUp.feed = () => Promise.reject(new Error('was opened'));
    const frames = await rest(madeUp.dispatch.open('watch_it', {}, person, { signal: controller.signal }));
    expect(madeUp.ports.log.lines.filter((line) => line.level === 'fault')).toEqual([]);
    expect(frames).toMatchObject([{ kind: 'end', refusal: { code: 'cancelled' } }]);
  });
});

async function rest(feed: AsyncIterable<Frame>): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const one of feed) frames.push(one);
  return frames;
}

function feedRecords(madeUp: MadeUp): readonly unknown[] {
  return madeUp.ports.log.lines.filter((line) => line.message === 'feed').map((line) => line.facts);
}

async function* counting(onAsked: () => void): AsyncGenerator<{ n: number }> {
  for (let n = 1; ; n += 1) {
    onAsked();
    yield { n };
  }
}

async function* cleaning(onCleaned: () => void): AsyncGenerator<{ n: number }> {
  try {
    for (let n = 1; ; n += 1) yield { n };
  } finally {
    onCleaned();
  }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

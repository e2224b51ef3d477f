import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src-protocol/frame.ts';
import { makeHost } from '../../src-renderer/host.ts';
import type { Bridge } from '../../src-renderer/host.ts';

const silent: Bridge = { call: () => Promise.resolve(), open: () => Promise.resolve(), cancel: () => Promise.resolve() };

async function framesOf(bridge: Partial<Bridge>, signal?: AbortSignal): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of makeHost({ ...silent, ...bridge }).open('campaign_watch', {}, signal === undefined ? {} : { signal })) frames.push(frame);
  return frames;
}

describe('calls', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('Error invoking remote method'))],
    ['answers nothing', () => Promise.resolve(undefined)],
    ['answers something else', () => Promise.resolve({ ok: 'yes' })],
    ['answers more than it should', () => Promise.resolve({ ok: true, output: 1, sneaked: 2 })],
  ])('W45: a bridge that %s is a fault', async (_what, call) => {
    expect(await makeHost({ ...silent, call }).call('repository_show', {})).toMatchObject({ ok: false, fault: { id: 'window' } });
  });

  it('T18: aborting tells the other end, and before the start nothing is sent', async () => {
    const cancelled: string[] = [];
    const controller = new AbortController();
    const host = makeHost({ ...silent, call: () => new Promise((resolve) => setTimeout(() => resolve({ ok: true, output: 1 }), 5)), cancel: async (id) => void cancelled.push(id) });
    const asked = host.call('repository_show', {}, { signal: controller.signal });
    controller.abort();
    await asked;
    expect(cancelled).toEqual(['1']);
    expect(await host.call('repository_show', {}, { signal: controller.signal })).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
    expect(cancelled).toEqual(['1']);
  });
});

describe('feeds', () => {
  it('T32: takes the next frame when the reader asks, and says so when it leaves', async () => {
    const answers: boolean[] = [];
    const bridge: Bridge = {
      ...silent,
      async open(_id, _name, _input, take) {
        for (let seq = 0; ; seq += 1) {
          const wantsMore = await take(seq === 0 ? { kind: 'snapshot', seq, snapshot: 1 } : { kind: 'change', seq, change: 1 });
          answers.push(wantsMore);
          if (!wantsMore) return;
        }
      },
    };
    for await (const frame of makeHost(bridge).open('campaign_watch', {})) {
      expect(answers).toEqual(Array.from({ length: frame.seq }, () => true));
      if (frame.seq === 3) break;
    }
    await Promise.resolve();
    expect(answers).toEqual([true, true, true, false]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('gone'))],
    ['ends without an end', () => Promise.resolve()],
  ])('T31: a bridge that %s ends the feed with a fault', async (_what, open) => {
    expect(await framesOf({ open })).toMatchObject([{ kind: 'end', seq: 0, fault: { id: 'window' } }]);
  });

  it('T31: what is no frame ends it with a fault', async () => {
    const frames = await framesOf({ open: async (_id, _name, _input, take) => void (await take({ kind: 'snapshot', seq: 5 })) });
    expect(frames).toMatchObject([{ kind: 'end', fault: { id: 'window' } }]);
  });

  it('T33: one that is cancelled before it opens is not opened', async () => {
    let opened = 0;
    expect(await framesOf({ open: async () => void (opened += 1) }, AbortSignal.abort())).toMatchObject([{ kind: 'end', refusal: { code: 'cancelled' } }]);
    expect(opened).toBe(0);
  });
});

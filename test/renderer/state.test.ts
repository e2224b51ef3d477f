import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeClient } from '../../src-protocol/client.ts';
import type { Transport } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import { makeRefusal } from '../../src-protocol/refusal.ts';
import { followFeed } from '../../src-renderer/state/follow-feed.ts';
import { makeStore } from '../../src-renderer/state/store.ts';
import { makeFixtureDoor, readRecorded } from './fixture.ts';

const running = readRecorded('running');
const { root } = running.shown;
const snapshot: Frame = { kind: 'snapshot', seq: 0, snapshot: running.snapshot };
const change = (seq: number): Frame => ({ kind: 'change', seq, change: running.changes?.[0] });

/** A transport whose nth opening gives the nth list of frames. */
function replaying(...openings: readonly (readonly Frame[])[]): Transport & { readonly opened: number } {
  let opened = 0;
  return {
    get opened() {
      return opened;
    },
    call: () => Promise.reject(new Error('no calls here')),
    async *open() {
      yield* openings[opened++] ?? [];
    },
  };
}

async function follow(transport: Transport) {
  const kinds: string[] = [];
  const waits: number[] = [];
  const controller = new AbortController();
  await followFeed({
    client: makeClient(transport),
    name: 'campaign_watch',
    input: { root, study: 'quick' },
    signal: controller.signal,
    onFrame: (frame) => void kinds.push(`${frame.kind} ${frame.seq}`),
    onBroken(waitMs) {
      waits.push(waitMs);
      if (waits.length === 4) controller.abort();
    },
  });
  return { kinds, waits };
}

describe('following a feed', () => {
  it('W43: stops at its end', async () => {
    const transport = replaying([snapshot, change(1), { kind: 'end', seq: 2 }]);
    expect(await follow(transport)).toEqual({ kinds: ['snapshot 0', 'change 1', 'end 2'], waits: [] });
  });

  it('W43: stops at a refusal', async () => {
    const transport = replaying([{ kind: 'end', seq: 0, refusal: makeRefusal('nothing_running', 'never ran') }]);
    expect(await follow(transport)).toEqual({ kinds: ['end 0'], waits: [] });
    expect(transport.opened).toBe(1);
  });

  it.each([
    ['a gap', [snapshot, change(2)]],
    ['a snapshot in the middle', [snapshot, snapshot]],
    ['a fault', [snapshot, { kind: 'end', seq: 1, fault: { id: 'f', message: 'm' } }]],
    ['a change that is none', [snapshot, { kind: 'change', seq: 1, change: { kind: 'nonsense' } }]],
    ['an ending without an end', [snapshot]],
  ] as const)('W43: opens it again after %s', async (_what, frames) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const over = follow(replaying(frames as readonly Frame[], [snapshot, { kind: 'end', seq: 1 }]));
    await vi.runAllTimersAsync();
    expect(await over).toEqual({ kinds: ['snapshot 0', 'snapshot 0', 'end 1'], waits: [500] });
  });

  it('W43: waits longer each time it does not open at all', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const over = follow(replaying());
    await vi.runAllTimersAsync();
    expect((await over).waits).toEqual([500, 1000, 2000, 4000]);
  });
});

describe('the repository', () => {
  it('W42: is what repository_show tells', async () => {
    const store = makeStore(makeClient(makeFixtureDoor(running)));
    await store.getState().openRepository(root);
    expect(store.getState()).toMatchObject({ root, repository: { project: 'CartPole, balanced' }, repositoryTrouble: null, isAsking: false });
  });

  it('W46: stays while it is asked for again, and when that fails', async () => {
    const door = makeFixtureDoor(running);
    const store = makeStore(makeClient(door));
    await store.getState().openRepository(root);
    door.next.push({ ok: false, fault: { id: 'F1', message: 'something went wrong' } });
    const again = store.getState().refreshRepository();
    expect(store.getState()).toMatchObject({ isAsking: true, repository: { project: 'CartPole, balanced' } });
    await again;
    expect(store.getState()).toMatchObject({ repository: { project: 'CartPole, balanced' }, repositoryTrouble: { is: 'fault', fault: { id: 'F1' } } });
    await store.getState().refreshRepository();
    expect(store.getState().repositoryTrouble).toBeNull();
  });

  it('W46: another folder takes what was shown away, and its answer alone counts', async () => {
    const store = makeStore(makeClient(makeFixtureDoor(running)));
    await store.getState().openRepository(root);
    const first = store.getState().openRepository('/nothing');
    expect(store.getState()).toMatchObject({ root: '/nothing', repository: null });
    const second = store.getState().openRepository(root);
    await Promise.all([first, second]);
    expect(store.getState()).toMatchObject({ root, repositoryTrouble: null, repository: { root } });
  });

  it('W45: an answer of another version is a trouble, not a crash', async () => {
    const door = makeFixtureDoor(running);
    door.next.push({ ok: true, output: { root, gates: 'eight' } });
    const store = makeStore(makeClient(door));
    await store.getState().openRepository(root);
    expect(store.getState().repositoryTrouble).toMatchObject({ is: 'fault' });
  });
});

describe('the campaign', () => {
  it('W43: is followed from snapshot to end, and says when it is over', async () => {
    const door = makeFixtureDoor(running);
    const store = makeStore(makeClient(door));
    let over = 0;
    const stop = store.getState().watchCampaign({ root, study: 'quick' }, () => (over += 1));
    expect(store.getState().campaign).toMatchObject({ feed: 'opening', status: null });
    await vi.waitFor(() => expect(store.getState().campaign).toMatchObject({ feed: 'live', status: { trials_done: 8 } }));
    for (const one of running.changes ?? []) door.tell(one);
    await vi.waitFor(() => expect(store.getState().campaign?.events).toHaveLength(running.snapshot.events.length + 1));
    expect(store.getState().campaign?.status?.running[0]).toMatchObject({ step: 18432 });
    door.tell(null);
    await vi.waitFor(() => expect(over).toBe(1));
    expect(store.getState().campaign).toMatchObject({ feed: 'over', trouble: null });
    stop();
  });

  it('W43: a watch that was stopped writes nothing any more', async () => {
    const door = makeFixtureDoor(running);
    const store = makeStore(makeClient(door));
    store.getState().watchCampaign({ root, study: 'quick' })();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(store.getState().campaign).toMatchObject({ feed: 'opening', status: null });
  });

  it('W43: keeps the last 200 events', async () => {
    const door = makeFixtureDoor(running);
    const store = makeStore(makeClient(door));
    const stop = store.getState().watchCampaign({ root, study: 'quick' });
    for (let count = 0; count < 300; count += 1) door.tell(running.changes?.[1]);
    await vi.waitFor(() => expect(store.getState().campaign?.events).toHaveLength(200));
    stop();
  });
});

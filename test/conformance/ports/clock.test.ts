// What every Clock, Entropy and Secrets port must do, asked of the machine's and of the fakes.
import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { makeKeyFile } from '../../../src-main/adapters/key-file.ts';
import { makeSystemClock } from '../../../src-main/adapters/system-clock.ts';
import { makeSystemEntropy } from '../../../src-main/adapters/system-entropy.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeEntropy, makeFakeSecrets } from '../../fakes/fake-small-ports.ts';

const faults: unknown[] = [];
const fake = makeFakeClock();
const kits = [
  ['machine', { clock: makeSystemClock({ onFault: (error) => faults.push(error) }), pass: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) }],
  ['fake', { clock: fake, pass: (ms: number) => fake.advance(ms) }],
] as const;

describe.each(kits)('%s', (_name, { clock, pass }) => {
  test('P40 the monotonic clock counts what passes, the wall clock tells the date', async () => {
    const before = clock.monotonicMs();
    await pass(30);
    const passedMs = clock.monotonicMs() - before;
    expect(passedMs).toBeGreaterThanOrEqual(28);
    expect(passedMs).toBeLessThan(2_000);
    expect(clock.wallMs()).toBeGreaterThan(Date.UTC(2025, 0, 1));
  });

  test('P41 a sleep ends in time, or with the reason of its signal', async () => {
    let isOver = false;
    const slept = clock.sleep(40).then(() => (isOver = true));
    await pass(10);
    expect(isOver).toBe(false);
    await pass(60);
    await slept;
    const controller = new AbortController();
    const aborted = clock.sleep(60_000, controller.signal);
    const reason = { why: 'stop' };
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await expect(clock.sleep(1, controller.signal)).rejects.toBe(reason);
    const none = clock.sleep(0);
    await pass(5);
    await none;
  });

  test('P42 ticks come again and again, never two at once, also after one that threw, until they are stopped', async () => {
    let running = 0;
    let most = 0;
    let ticks = 0;
    const stop = clock.every(10, async () => {
      running += 1;
      most = Math.max(most, running);
      ticks += 1;
      await clock.sleep(15);
      running -= 1;
      if (ticks === 1) throw new Error('a tick failed');
    });
    await pass(150);
    stop();
    stop();
    await pass(30);
    expect(most).toBe(1);
    expect(ticks).toBeGreaterThanOrEqual(3);
    const after = ticks;
    await pass(50);
    expect(ticks).toBe(after);
  });
});

test('P42 the fault of a tick is told', () => {
  expect(faults.length).toBe(1);
});

test('P41 a sleep of more than a timer can hold does not end at once', async () => {
  const controller = new AbortController();
  let isOver = false;
  const slept = makeSystemClock().sleep(2 ** 32, controller.signal).then(() => (isOver = true), () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isOver).toBe(false);
  controller.abort(new Error('enough'));
  await slept;
});

describe.each([['machine', makeSystemEntropy()], ['fake', makeFakeEntropy(3)]] as const)('%s', (_name, entropy) => {
  test('P43 bytes come in the number asked for and do not repeat; a uuid is one of version 4', () => {
    expect([entropy.bytes(0).length, entropy.bytes(33).length]).toEqual([0, 33]);
    expect(entropy.bytes(16)).not.toEqual(entropy.bytes(16));
    const uuids = new Set(Array.from({ length: 200 }, () => entropy.uuid()));
    expect(uuids.size).toBe(200);
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

test('P43 the fake gives the same bytes for the same seed', () => {
  expect(makeFakeEntropy(5).bytes(64)).toEqual(makeFakeEntropy(5).bytes(64));
  expect(makeFakeEntropy(5).bytes(64)).not.toEqual(makeFakeEntropy(6).bytes(64));
});

const folder = mkdtempSync('/tmp/rlxp-t-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([['key file', makeKeyFile({ folder: () => folder, uid: process.getuid?.() ?? null })], ['fake', makeFakeSecrets()]] as const)('%s', (_name, secrets) => {
  test('D22 the machine key has 32 bytes and stays the same', async () => {
    const key = await secrets.machineKey();
    expect(key.length).toBe(32);
    expect(await secrets.machineKey()).toEqual(key);
  });
});

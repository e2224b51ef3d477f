import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { makeMetricTail, type MetricTail } from '../../../src-main/core/metrics/metric-tail.ts';
import type { MetricPoint } from '../../../src-main/core/metrics/metric-point.ts';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { makeSystemClock } from '../../../src-main/adapters/system-clock.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';
import { eventRecords, joined, type Row } from './event-files.ts';

const name = (seconds: number, pid = 7) => `events.out.tfevents.${seconds}.host.${pid}.0`;
const adapter = adapterFile.parse({ framework: 'command', metrics: { reward: { meaning: 'reward' } } });

// Real files: a file that grows keeps its identity, one that is replaced does not.
const place = mkdtempSync(join(tmpdir(), 'rlxp-tail-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));
let folder = '';
let first = '';
beforeEach(() => makePlace());

function makePlace(): void {
  folder = mkdtempSync(join(place, 'trial-'));
  first = join(folder, 'logs', name(1_700_000_000));
  mkdirSync(dirname(first));
}

function write(path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

function setUp(change: Partial<typeof adapter> = {}): MetricTail {
  return makeMetricTail({ files: makeDiskFiles(), clock: makeSystemClock(), folder, adapter: { ...adapter, ...change } });
}

async function read(tail: MetricTail): Promise<readonly MetricPoint[]> {
  const points: MetricPoint[] = [];
  await tail.read((some) => points.push(...some));
  return points;
}

const short = (points: readonly MetricPoint[]) => points.map(({ tag, step, value }) => [tag, step, value]);
const rows = (from: number, to: number): readonly Row[] => Array.from({ length: to - from }, (_, index) => [from + index, { reward: (from + index) / 8 }]);

describe('metric tail', () => {
  it('ME8 gives every point once, with its meaning', async () => {
    const tail = setUp();
    expect(await read(tail)).toEqual([]);
    const records = eventRecords([[1, { reward: 0.5, other: NaN }], [2, { Reward: -1 }], [3, { reward: 2 }]]);
    write(first, joined(records.slice(0, 3)));
    expect(await read(tail)).toEqual([
      { tag: 'reward', mapped: { key: 'reward', meaning: 'reward', axis: 'step', isRegular: true }, step: 1, wallTimeS: 1000, value: 0.5 },
      { tag: 'other', mapped: null, step: 1, wallTimeS: 1000, value: NaN },
      { tag: 'Reward', mapped: { key: 'reward', meaning: 'reward', axis: 'step', isRegular: true }, step: 2, wallTimeS: 1001, value: -1 },
    ]);
    expect(await read(tail)).toEqual([]);
    appendFileSync(first, records[3]!);
    expect(short(await read(tail))).toEqual([['reward', 3, 2]]);
    expect(tail.findings).toEqual([]);
  });

  it('ME8 samples nothing in a file of many slices', async () => {
    const tail = setUp();
    const count = 60_000;
    write(first, joined(eventRecords(rows(0, count))));
    let batches = 0;
    let next = 0;
    await tail.read((points) => {
      batches += 1;
      for (const { step } of points) {
        expect(step === next).toBe(true);
        next += 1;
      }
    });
    expect(next).toBe(count);
    expect(batches).toBeGreaterThan(2);
  });

  it('ME8 finds files and folders that appear later, in the order they were made', async () => {
    const tail = setUp();
    write(first, '');
    expect(await read(tail)).toEqual([]);
    write(`${folder}/logs/${name(1_700_000_100)}`, joined(eventRecords(rows(10, 12), 2000)));
    write(`${folder}/logs/${name(1_700_000_050)}`, joined(eventRecords(rows(5, 6), 1500)));
    write(`${folder}/logs/deep/er/${name(1_700_000_000)}`, joined(eventRecords(rows(1, 2), 500)));
    write(`${folder}/logs/notes.txt`, 'no events');
    write(`${folder}/elsewhere/${name(1)}`, joined(eventRecords(rows(99, 100))));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([5, 10, 11, 1]);
    expect(tail.findings).toEqual([]);
  });

  it('ME8 ME12 gives the same points however the file grows', async () => {
    const records = joined(eventRecords(rows(0, 12)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: records.length }), { maxLength: 12 }), async (cuts) => {
        makePlace();
        const tail = setUp();
        const points: MetricPoint[] = [];
        let size = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), records.length]) {
          appendFileSync(first, records.slice(size, cut));
          size = cut;
          points.push(...(await read(tail)));
        }
        expect(short(points)).toEqual(rows(0, 12).map(([step, values]) => ['reward', step, values['reward']]));
        expect(tail.findings).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('ME9 starts again at 0 when a file shrinks or is replaced', async () => {
    const tail = setUp();
    write(first, joined(eventRecords(rows(0, 5))));
    expect(await read(tail)).toHaveLength(5);
    truncateSync(first, 0);
    expect(await read(tail)).toEqual([]);
    rmSync(first);
    write(first, joined(eventRecords(rows(50, 52))));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([50, 51]);
    expect(tail.findings).toEqual([{ kind: 'replaced', file: `logs/${name(1_700_000_000)}`, text: expect.any(String) as string }]);
  });

  it('ME10 skips a record with a wrong checksum and says so', async () => {
    const tail = setUp();
    const records = eventRecords(rows(0, 5)).map((record) => record.slice());
    records[3]![20]! ^= 1;
    write(first, joined(records));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([0, 1, 3, 4]);
    expect(tail.findings).toMatchObject([{ kind: 'bad_records' }]);
  });

  it('ME10 passes over a damaged place at the second look, and reads the other files all the while', async () => {
    const tail = setUp();
    const records = eventRecords(rows(0, 5)).map((record) => record.slice());
    records[3]![0]! ^= 1;
    write(first, joined(records));
    write(`${folder}/logs/sub/${name(1_700_000_000)}`, joined(eventRecords(rows(20, 21))));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([0, 1, 20]);
    expect(tail.findings).toEqual([]);
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([3, 4]);
    expect(tail.findings).toMatchObject([{ kind: 'damaged', file: `logs/${name(1_700_000_000)}` }]);
  });

  it('ME10 says nothing about a place that was only half written at the first look', async () => {
    const tail = setUp();
    const records = eventRecords(rows(0, 3));
    const torn = records.map((record) => record.slice());
    torn[2]!.fill(0xff, 0, 12);
    write(first, joined(torn));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([0]);
    write(first, joined(records));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([1, 2]);
    expect(tail.findings).toEqual([]);
  });

  it('ME11 finds two programs that write into one folder at the same time', async () => {
    const tail = setUp();
    write(first, joined(eventRecords(rows(0, 5), 1000)));
    write(`${folder}/logs/${name(1_700_000_001, 8)}`, joined(eventRecords(rows(0, 5), 1002)));
    await read(tail);
    expect(tail.findings).toMatchObject([{ kind: 'several_writers', text: expect.stringContaining(name(1_700_000_001, 8)) as string }]);
  });

  it('ME11 takes a restart, and writers in folders of their own, for what they are', async () => {
    const tail = setUp();
    write(first, joined(eventRecords(rows(0, 5), 1000)));
    write(`${folder}/logs/${name(1_700_000_001, 8)}`, joined(eventRecords(rows(0, 5), 1010)));
    write(`${folder}/logs/eval/${name(1_700_000_001, 9)}`, joined(eventRecords(rows(0, 5), 1001)));
    await read(tail);
    expect(tail.findings).toEqual([]);
  });

  it('ME12 sees records that are written over a tail of zeros', async () => {
    const tail = setUp();
    const whole = joined(eventRecords(rows(0, 4)));
    const half = joined(eventRecords(rows(0, 2)));
    write(first, Buffer.concat([half, new Uint8Array(whole.length - half.length + 4096)]));
    expect(await read(tail)).toHaveLength(2);
    write(first, Buffer.concat([whole, new Uint8Array(4096 + 10)]));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([2, 3]);
    expect(tail.findings).toEqual([]);
  });

  it('ME8 goes on when a file cannot be read', async () => {
    const files = makeFakeFiles();
    const tail = makeMetricTail({ files, clock: makeFakeClock(), folder, adapter });
    files.plant(first, joined(eventRecords(rows(0, 2))));
    files.plant(`${folder}/logs/${name(1_700_000_009)}`, joined(eventRecords(rows(2, 3))));
    files.failNth('readSlice', 1, 'EACCES');
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([2]);
    expect(tail.findings).toMatchObject([{ kind: 'unreadable' }]);
    expect(await read(tail)).toHaveLength(2);
  });

  it('ME8 follows the globs of the adapter', async () => {
    const tail = setUp({ logs: ['logs/*/summaries/**', 'tb/*.0'] });
    write(`${folder}/logs/run/summaries/${name(1_700_000_000)}`, joined(eventRecords(rows(0, 1))));
    write(`${folder}/logs/${name(1_700_000_000)}`, joined(eventRecords(rows(1, 2))));
    write(`${folder}/tb/${name(1_700_000_000)}`, joined(eventRecords(rows(2, 3))));
    expect(short(await read(tail)).map(([, step]) => step)).toEqual([0, 2]);
  });
});

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { makeFolderSearch } from '../../../src-main/core/metrics/folder-search.ts';
import { makeMetricTail } from '../../../src-main/core/metrics/metric-tail.ts';
import type { Files } from '../../../src-main/ports.ts';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeFiles, type FakeFiles } from '../../fakes/fake-files.ts';
import { eventRecords, joined } from './event-files.ts';

const calls = ['list', 'stat', 'statEach', 'readSlice'] as const;
type Counts = Record<(typeof calls)[number], number>;

function counted(files: Files, counts: Counts): Files {
  return {
    ...files,
    list: (path) => ((counts.list += 1), files.list(path)),
    stat: (path) => ((counts.stat += 1), files.stat(path)),
    statEach: (paths) => ((counts.statEach += 1), files.statEach(paths)),
    readSlice: (path, offset, length) => ((counts.readSlice += 1), files.readSlice(path, offset, length)),
  };
}

function countCalls(files: Files) {
  const counts: Counts = { list: 0, stat: 0, statEach: 0, readSlice: 0 };
  /** What `work` called. */
  const during = async (work: () => Promise<unknown>): Promise<Partial<Counts>> => {
    const before = { ...counts };
    await work();
    return Object.fromEntries(calls.filter((call) => counts[call] > before[call]).map((call) => [call, counts[call] - before[call]]));
  };
  return { seen: counted(files, counts), during };
}

function setUp() {
  const clock = makeFakeClock();
  const files = makeFakeFiles({ wallMs: clock.wallMs });
  return { clock, files, ...countCalls(files) };
}

describe('folder search', () => {
  const search = () => {
    const scene = setUp();
    scene.files.plant('/t/logs/a', '1');
    scene.files.plant('/t/logs/other', '1');
    scene.files.plant('/t/logs/sub/b', '1');
    const { find } = makeFolderSearch({ files: scene.seen, clock: scene.clock, folder: '/t', globs: ['logs/**'], isWanted: ({ relative, stat }) => stat.kind === 'file' && !relative.endsWith('other') });
    const names = async () => (await find()).map(({ relative, stat }) => `${relative} ${stat.sizeBytes}`);
    return { ...scene, names };
  };
  const settle = async ({ clock, names }: ReturnType<typeof search>) => {
    await names();
    await clock.advance(3_000);
    expect(await names()).toEqual(['logs/a 1', 'logs/sub/b 1']);
  };

  it('CO1: lists nothing while no folder changed, and still tells how files grew', async () => {
    const scene = search();
    await settle(scene);
    await scene.files.appendText('/t/logs/a', '23');
    expect(await scene.during(async () => expect(await scene.names()).toEqual(['logs/a 3', 'logs/sub/b 1']))).toEqual({ statEach: 1 });
  });

  it('CO1: sees a file, a folder, a file gone and one replaced at the next look', async () => {
    const scene = search();
    await settle(scene);
    await scene.clock.advance(10);
    scene.files.plant('/t/logs/sub/deep/c', '1');
    expect(await scene.names()).toEqual(['logs/a 1', 'logs/sub/b 1', 'logs/sub/deep/c 1']);
    await scene.clock.advance(4_000);
    await scene.names();
    await scene.files.remove('/t/logs/sub/b');
    expect(await scene.names()).toEqual(['logs/a 1', 'logs/sub/deep/c 1']);
    await scene.files.replaceFile('/t/logs/a', 'four');
    expect(await scene.names()).toEqual(['logs/a 4', 'logs/sub/deep/c 1']);
    await scene.files.remove('/t/logs');
    expect(await scene.names()).toEqual([]);
  });

  it('CO1: does not believe a time until it is 3 s old: a second change within its step looks like none', async () => {
    const scene = search();
    // A disk that counts time in steps of 2 s.
    const coarse = { ...scene.seen, stat: coarsely(scene.seen.stat), statEach: async (paths: readonly string[]) => Promise.all(paths.map(coarsely(scene.files.stat))) };
    const { find } = makeFolderSearch({ files: coarse, clock: scene.clock, folder: '/t', globs: ['logs/*'], isWanted: ({ stat }) => stat.kind === 'file' });
    await scene.clock.advance(100_000);
    for (const late of [0, 700, 1_300]) {
      await scene.clock.advance(late);
      scene.files.plant(`/t/logs/late-${late}`, '');
      expect((await find()).map(({ relative }) => relative)).toContain(`logs/late-${late}`);
    }
  });

  it('CO1: lists every 5 s whatever the times say', async () => {
    const scene = search();
    const timeless = { ...scene.seen, stat: withoutTime(scene.seen.stat), statEach: async (paths: readonly string[]) => Promise.all(paths.map(withoutTime(scene.files.stat))) };
    const { find } = makeFolderSearch({ files: timeless, clock: scene.clock, folder: '/t', globs: ['logs/*'], isWanted: ({ stat }) => stat.kind === 'file' });
    await find();
    await scene.clock.advance(3_000);
    await find();
    scene.files.plant('/t/logs/new', '');
    expect(await find()).toHaveLength(2);
    await scene.clock.advance(5_000);
    expect(await find()).toHaveLength(3);
  });

  it('CO1: finds nothing in a folder that is missing, and all of it once it is there', async () => {
    const { files, seen, clock } = setUp();
    const { find } = makeFolderSearch({ files: seen, clock, folder: '/t', globs: ['**'], isWanted: ({ stat }) => stat.kind === 'file' });
    expect(await find()).toEqual([]);
    await clock.advance(4_000);
    expect(await find()).toEqual([]);
    files.plant('/t/a', '');
    expect(await find()).toHaveLength(1);
  });
});

type Stat = FakeFiles['stat'];
const coarsely = (stat: Stat): Stat => async (path) => {
  const found = await stat(path);
  return found === null ? null : { ...found, modifiedMs: Math.floor(found.modifiedMs / 2_000) * 2_000 };
};
const withoutTime = (stat: Stat): Stat => async (path) => {
  const found = await stat(path);
  return found === null ? null : { ...found, modifiedMs: 0 };
};

describe('metric tail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rlxp-search-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('CO1: reads nothing when nothing was written, and only what was written then', async () => {
    const clock = makeFakeClock();
    // Real files: a file that grows keeps its identity.
    const { seen, during } = countCalls(makeDiskFiles());
    const event = join(folder, 'logs', 'events.out.tfevents.1700000000.host.7.0');
    const tail = makeMetricTail({ files: seen, clock, folder, adapter: adapterFile.parse({ framework: 'command', metrics: { reward: { meaning: 'reward' } } }) });
    const records = eventRecords([[1, { reward: 1 }], [2, { reward: 2 }]]);
    const steps: number[] = [];
    const look = () => tail.read((points) => void steps.push(...points.map(({ step }) => step)));
    mkdirSync(join(folder, 'logs'));
    writeFileSync(event, joined(records.slice(0, 2)));
    await look();
    await clock.advance(3_000);
    expect(await during(look)).toEqual({ list: 2, stat: 3 });
    for (let again = 0; again < 5; again += 1) expect(await during(look)).toEqual({ statEach: 1 });
    // Half a record is read once and held.
    for (const part of [records[2]!.slice(0, 9), records[2]!.slice(9)]) {
      appendFileSync(event, part);
      expect(await during(look)).toEqual({ statEach: 1, readSlice: 1 });
      expect(await during(look)).toEqual({ statEach: 1 });
    }
    expect(steps).toEqual([1, 2]);
  });
});

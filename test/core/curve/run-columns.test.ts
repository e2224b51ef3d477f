// The column store against the plain curves of src-main/tfevents, on seeded runs. A failing case is named by its seed.
import { describe, expect, it } from 'vitest';
import { POINTS_PER_PIXEL } from '../../../src-main/core/curve/curve-query.ts';
import type { CurveView } from '../../../src-main/core/curve/curve-query.ts';
import { RunColumns } from '../../../src-main/core/curve/run-columns.ts';
import type { EventBatch } from '../../../src-main/tfevents/event-reader.ts';
import { makeRunCurves } from '../../../src-main/tfevents/run-curves.ts';
import type { RunCurves } from '../../../src-main/tfevents/run-curves.ts';
import { makeRandom } from '../../tfevents/event-bytes.ts';

type Random = (limit: number) => number;

const tags = ['a', 'b'];
const everything = { from: -Infinity, to: Infinity, pixels: 1e6 };

describe('run columns', () => {
  it('CU1, CU5: gives the points of the plain curves, bit for bit, whatever the batches, restarts and files', () => {
    for (let seed = 0; seed < 150; seed += 1) {
      const { columns, plain } = makeRuns(makeRandom(seed), 400);
      for (const tag of tags) {
        const { steps, wallTimes, values, segmentStarts, purgedPoints } = plain.curve(tag);
        const view = columns.query(tag, everything);
        const expected = { steps, wallTimes, values, segmentStarts, isExact: true, pointsInRange: steps.length, purgedPoints };
        if (text(view) !== text(expected)) throw new Error(`case ${seed}, tag ${tag} differs`);
      }
    }
  });

  it('CU2: a range gives exactly its points while they are few', () => {
    for (let seed = 0; seed < 150; seed += 1) {
      const random = makeRandom(seed);
      const { columns, plain } = makeRuns(random, 300);
      const from = random(200) - 20;
      const to = from + random(200);
      const { steps, values } = plain.curve('a');
      const rows = [...steps.keys()].filter((row) => steps[row]! >= from && steps[row]! <= to);
      const view = columns.query('a', { from, to, pixels: 1000 });
      if (text([view.steps, view.values]) !== text([rows.map((row) => steps[row]!), rows.map((row) => values[row]!)].map((list) => Float64Array.from(list)))) throw new Error(`case ${seed} differs`);
    }
  });

  it('CU3, CU4: many points are drawn by points that were written, with the first, last, extremes and what is not finite of every pixel', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = makeRandom(seed);
      const columns = new RunColumns();
      const count = 2000 + random(30_000);
      const values = Float64Array.from({ length: count }, () => oneValue(random));
      for (let at = 0; at < count; ) {
        const size = 1 + random(3000);
        columns.add('events.out.tfevents.1700000000.h.1.0', batchOf([...values.subarray(at, at + size)].map((value, row) => ['a', at + row, value] as const)));
        at += size;
      }
      const from = random(count >> 1);
      const to = from + 1000 + random(count >> 1);
      const pixels = 1 + random(100);
      const last = Math.min(to, count - 1);
      const view = columns.query('a', { from, to, pixels });
      expect(view.isExact).toBe(view.pointsInRange <= POINTS_PER_PIXEL * pixels);
      if (view.isExact) continue;
      const drawn = new Set(view.steps);
      for (const [at, step] of view.steps.entries()) if (!Object.is(view.values[at], values[step])) throw new Error(`case ${seed} made a point up`);
      const width = (last - from) / pixels;
      for (let pixel = 0; pixel < pixels; pixel += 1) {
        const first = Math.ceil(from + pixel * width);
        const end = pixel === pixels - 1 ? last + 1 : Math.ceil(from + (pixel + 1) * width);
        const missing = plainDraw(values, first, end).filter((row) => !drawn.has(row));
        if (missing.length > 0) throw new Error(`case ${seed}, pixel ${pixel}: rows ${missing.join()} are missing`);
      }
      expect(view.steps.length).toBeLessThanOrEqual(7 * pixels);
    }
  });

  it('CU6: whole steps and float32 values take at most 17 bytes a point', () => {
    const columns = new RunColumns();
    columns.add('f', batchOf(Array.from({ length: 200_000 }, (_, at) => ['a', at, Math.fround(Math.sin(at))] as const)));
    expect(columns.bytes / 200_000).toBeLessThan(17);
  });
});

function makeRuns(random: Random, points: number): { readonly columns: RunColumns; readonly plain: RunCurves } {
  const columns = new RunColumns();
  const plain = makeRunCurves();
  const files = ['events.out.tfevents.1700000000.h.1.0', 'events.out.tfevents.1700000100.h.2.0'];
  let step = random(3) === 0 ? -10 : 0;
  for (let left = points; left > 0; ) {
    const size = 1 + random(80);
    left -= size;
    const rows = Array.from({ length: size }, () => {
      step += random(4);
      return [tags[random(2)]!, random(60) === 0 ? step * 1e9 : step, oneValue(random)] as const;
    });
    const starts = random(4) === 0 ? [{ step: (step = Math.max(0, step - random(60))), wallTime: 1, atPoint: random(size + 1) }] : [];
    if (random(5) === 0) step = Math.max(0, step - random(40));
    const batch = { ...batchOf(rows), starts };
    const file = files[random(2)]!;
    columns.add(file, batch);
    plain.add(file, batch);
    if (random(40) === 0) {
      columns.forget(file);
      plain.forget(file);
    }
  }
  return { columns, plain };
}

function oneValue(random: Random): number {
  return [NaN, Infinity, -Infinity, -0, 0.1, Math.fround(0.1)][random(60)] ?? Math.fround(random(1000) - 500);
}

function batchOf(rows: readonly (readonly [string, number, number])[]): EventBatch {
  const column = (pick: (row: readonly [string, number, number], at: number) => number): Float64Array => Float64Array.from(rows, pick);
  return {
    starts: [],
    points: { length: rows.length, tags, tagIndex: Int32Array.from(rows, ([tag]) => tags.indexOf(tag)), steps: column(([, step]) => step), wallTimes: column((_, at) => 1.7e9 + at / 3), values: column(([, , value]) => value) },
  };
}

/** First, last, lowest, highest, first NaN and infinities of rows `from` to `end`, looked at one by one. */
function plainDraw(values: Float64Array, from: number, end: number): readonly number[] {
  const rows = Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
  const finite = rows.filter((row) => Number.isFinite(values[row]));
  const best = (isBetter: (a: number, b: number) => boolean): readonly number[] => finite.slice(0, 1).map((first) => finite.reduce((kept, row) => (isBetter(values[row]!, values[kept]!) ? row : kept), first));
  const kinds = [NaN, Infinity, -Infinity].flatMap((kind) => rows.filter((row) => Object.is(values[row], kind)).slice(0, 1));
  return [...rows.slice(0, 1), ...rows.slice(-1), ...best((a, b) => a < b), ...best((a, b) => a > b), ...kinds];
}

function text(value: CurveView | object): string {
  return JSON.stringify(value, (_key, item: unknown) => (item instanceof Float64Array ? Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString('hex') : item));
}

// Event messages built by hand: odd orders, foreign plugins, broken protobuf.
import { describe, expect, it } from 'vitest';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import type { WireBuilder } from '../../src-main/tfevents/wire-builder.ts';
import { concat, hex, message, readAll, scalarRecord, valueRecord } from './event-bytes.ts';

const scalar = (tag: string, value: number) => message().text(1, tag).float(2, value);
const summary = (tag: string, value: number) => message().message(1, scalar(tag, value));
const plugin = (name: string) => message().message(1, message().text(1, name));
const floatTensor = (value: number) => message().int64(1, 1).float(5, value);

describe('events', () => {
  it('TF10: reads an absent step as 0, and steps of both signs', () => {
    const absent = frameRecord(message().double(1, 100).message(5, summary('a', 1)).finish());
    const steps = [-1, -20_000_000_000, 20_000_000_000, Number.MAX_SAFE_INTEGER];
    const { points } = readAll(concat(absent, ...steps.map((step) => scalarRecord('a', step, 1))));
    expect(points.map((point) => point.step)).toEqual([0, ...steps]);
  });

  it('TF10: gives the nearest double of a step beyond 2^53', () => {
    const event = concat(hex('10ffffffffffffffff7f'), message().message(5, summary('a', 1)).finish());
    expect(readAll(frameRecord(event)).points[0]?.step).toBe(2 ** 63);
  });

  it.each([
    ['0000c03f', 1.5],
    ['0000c07f', NaN],
    ['0000807f', Infinity],
    ['000080ff', -Infinity],
    ['00000080', -0],
    ['01000000', 2 ** -149],
    ['cdcccc3d', 0.10000000149011612],
  ])('TF11: keeps the simple value %s', (bytes, value) => {
    const event = message().message(5, message().bytes(1, concat(hex('0a016115'), hex(bytes))));
    expect(readAll(frameRecord(event.finish())).points[0]?.value).toBe(value);
  });

  it('TF14: takes fields in any order and skips unknown ones', () => {
    const value = message().int64(99, 5).float(2, 1.5).double(50, 1).text(7, 'node').text(1, 'a').float(60, 1);
    const event = message().text(30, 'x').message(5, message().text(9, '?').message(1, value)).int64(2, 7).double(1, 100);
    expect(readAll(frameRecord(event.finish())).points).toEqual([{ tag: 'a', step: 7, wallTime: 100, value: 1.5 }]);
  });

  it('TF14: skips a known field of another wire type', () => {
    const event = message().int64(1, 5).double(2, 3).message(5, summary('a', 1).int64(1, 4)).int64(5, 1);
    expect(readAll(frameRecord(event.finish())).points).toEqual([{ tag: 'a', step: 0, wallTime: 0, value: 1 }]);
  });

  it('TF14: joins several summaries of one event', () => {
    const event = message().message(5, summary('a', 1)).message(5, summary('b', 2)).message(5, summary('a', 3));
    expect(readAll(frameRecord(event.finish())).points.map(({ value }) => value)).toEqual([1, 2, 3]);
  });

  it('TF14: takes the last of several kinds of value', () => {
    const read = (value: WireBuilder) => readAll(valueRecord(value)).points.map((point) => point.value);
    expect(read(scalar('a', 1).message(8, floatTensor(2)))).toEqual([2]);
    expect(read(message().text(1, 'a').message(8, floatTensor(2)).float(2, 1))).toEqual([1]);
    expect(read(scalar('a', 1).text(5, ''))).toEqual([]);
  });

  it('TF13: counts images, histograms and empty values', () => {
    const { reader } = readAll(concat(...[4, 5, 6, 7].map((field) => valueRecord(message().text(1, 'a').text(field, '')))));
    expect(reader.counts).toMatchObject({ records: 4, points: 0, otherValues: 4, malformedRecords: 0 });
  });

  it('TF13: remembers that a tag belongs to another plugin', () => {
    const bytes = concat(
      valueRecord(message().text(1, 'x').message(8, floatTensor(1)).message(9, plugin('hparams'))),
      valueRecord(message().text(1, 'x').message(8, floatTensor(2))),
      valueRecord(message().text(1, 'y').message(8, floatTensor(3)).message(9, plugin('scalars'))),
      valueRecord(message().text(1, 'y').message(8, floatTensor(4))),
      valueRecord(message().text(1, 'z').message(8, floatTensor(5))),
      valueRecord(message().text(1, 'z').message(9, plugin('')).message(8, floatTensor(6))),
    );
    const { points, reader } = readAll(bytes);
    expect(points.map(({ value }) => value)).toEqual([3, 4, 5, 6]);
    expect(reader.counts.otherValues).toBe(2);
  });

  it('TF13: takes a simple value whatever its plugin', () => {
    expect(readAll(valueRecord(scalar('a', 1).message(9, plugin('custom')))).points).toHaveLength(1);
  });

  it('TF16: counts the values of refused tags and gives the others', () => {
    const { points, reader } = readAll(concat(scalarRecord('x'.repeat(1025), 1, 1), scalarRecord('y', 1, 2)));
    expect(points.map(({ tag }) => tag)).toEqual(['y']);
    expect(reader.counts).toMatchObject({ points: 1, refusedValues: 1 });
  });

  it('TF17: reports START between the points, and no other status', () => {
    const status = (value: number) =>
      frameRecord(message().double(1, 5).int64(2, 9).message(7, message().int64(1, value)).finish());
    const bytes = concat(scalarRecord('a', 1, 1), status(1), scalarRecord('a', 1, 1), status(2), status(3), status(1));
    expect(readAll(bytes).starts).toEqual([
      { step: 9, wallTime: 5, atPoint: 1 },
      { step: 9, wallTime: 5, atPoint: 2 },
    ]);
  });

  const valued = (value: WireBuilder) => message().message(5, message().message(1, value)).finish();
  const sound = valued(scalar('a', 1));
  it.each([
    ['text', new TextEncoder().encode('not a message at all')],
    ['a cut value', sound.slice(0, -1)],
    ['a sound value and a cut one', concat(sound, hex('2a7f'))],
    ['a tag longer than its value', message().message(5, message().bytes(1, hex('0a7f61'))).finish()],
    ['a cut tensor', valued(message().text(1, 'a').bytes(8, hex('08012a')))],
    ['a packed field of broken varints', valued(message().bytes(8, hex('08033a02ffff')))],
    ['a cut shape', valued(message().bytes(8, hex('080112021208')))],
    ['cut metadata', valued(scalar('a', 1).bytes(9, hex('0a0a0a')))],
    ['a cut session log', message().bytes(7, hex('08')).finish()],
    ['a group', concat(sound, hex('0b0c'))],
  ])('TF15: counts a record with %s, and goes on', (_name, data) => {
    const { points, starts, reader } = readAll(concat(scalarRecord('a', 1, 1), frameRecord(data), scalarRecord('a', 2, 2)));
    expect(points.map(({ step }) => step)).toEqual([1, 2]);
    expect(starts).toEqual([]);
    expect(reader.counts).toMatchObject({ records: 3, malformedRecords: 1, points: 2, otherValues: 0, refusedValues: 0 });
    expect(reader.fileVersion).toBe(undefined);
  });

  it('TF15: takes an empty record as an event without content', () => {
    expect(readAll(frameRecord(new Uint8Array(0))).reader.counts).toMatchObject({ records: 1, malformedRecords: 0 });
  });
});

// The short way against the general way, on events of every kind and on broken ones. A failing case is named by its seed.
import { describe, expect, it } from 'vitest';
import { EventDecoder } from '../../src-main/tfevents/event-decoder.ts';
import { BAD_LENGTH_CRC, readLength } from '../../src-main/tfevents/framing.ts';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { maskedCrc32c } from '../../src-main/tfevents/crc32c.ts';
import { SimpleEvent } from '../../src-main/tfevents/simple-event.ts';
import { ColumnBuilder, scalarPoints } from '../../src-main/tfevents/scalar-columns.ts';
import { TagTable } from '../../src-main/tfevents/tag-table.ts';
import type { WireBuilder } from '../../src-main/tfevents/wire-builder.ts';
import { concat, makeRandom, message } from './event-bytes.ts';

type Random = (limit: number) => number;

describe('the short way', () => {
  it('TF26: gives what the general way gives, for 4,000 events of every kind, half of them broken', () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const random = makeRandom(seed);
      const events = Array.from({ length: 10 }, () => (random(2) === 0 ? broken(event(random), random) : event(random)));
      const tags = 1 + random(8);
      if (JSON.stringify(decode(events, tags, 'short')) !== JSON.stringify(decode(events, tags, 'general'))) throw new Error(`case ${seed} differs`);
    }
  });

  it('TF26: cut anywhere, an event gives what the general way gives', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const whole = event(makeRandom(seed));
      const cuts = Array.from({ length: Math.min(whole.length, 120) }, (_, at) => whole.subarray(0, at));
      if (JSON.stringify(decode(cuts, 8, 'short')) !== JSON.stringify(decode(cuts, 8, 'general'))) throw new Error(`case ${seed} differs`);
    }
  });

  it.each([
    ['a value without a step', message().double(1, 5).message(5, value('a', 1)), true],
    ['an empty tag', message().double(1, 5).message(5, value('', 1)), true],
    ['ten values', message().double(1, 5).int64(2, 2 ** 40).message(5, values(10)), true],
    ['a step of 2^49 - 1', message().double(1, 5).int64(2, 2 ** 49 - 1).message(5, value('a', 1)), true],
    ['a step of 2^49', message().double(1, 5).int64(2, 2 ** 49).message(5, value('a', 1)), false],
    ['a negative step', message().double(1, 5).int64(2, -1).message(5, value('a', 1)), false],
    ['fields in another order', message().message(5, value('a', 1)).double(1, 5), false],
    ['a tag of 121 bytes', message().double(1, 5).message(5, value('t'.repeat(121), 1)), false],
    ['a tensor', message().double(1, 5).message(5, message().message(1, message().text(1, 'a').message(8, message().int64(1, 1).float(5, 1)))), false],
  ])('TF26: takes what writers write, and leaves the rest: %s', (_name, built, isTaken) => {
    const tags = new TagTable();
    const rows = new ColumnBuilder(tags.names);
    const bytes = concat(built.finish(), new Uint8Array(4));
    expect(new SimpleEvent(rows, tags).take(viewOf(bytes), 0, bytes.length - 4)).toBe(isTaken);
    expect(rows.length > 0).toBe(isTaken);
  });

  it('TF26: a looked-up length is believed exactly when its CRC is right', () => {
    const view = new DataView(new ArrayBuffer(12));
    for (let length = 0; length < 5000; length += 1) {
      view.setUint32(0, length, true);
      view.setUint32(8, maskedCrc32c(view, 0, 8), true);
      const sound = readLength(view, 0);
      view.setUint8(8 + (length % 4), view.getUint8(8 + (length % 4)) ^ (1 << (length % 8)));
      if (sound !== length || readLength(view, 0) !== BAD_LENGTH_CRC) throw new Error(`length ${length}`);
    }
  });

  it('TF26: tags in any order get the numbers that a map would give', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = makeRandom(seed);
      const table = new TagTable(20);
      const expected = new Map<string, number>();
      for (let round = 0; round < 300; round += 1) {
        const tag = random(3) === 0 ? `t${random(30)}` : `t${round % 7}`;
        if (!expected.has(tag)) expected.set(tag, expected.size < 20 ? expected.size : -1);
        const bytes = new TextEncoder().encode(tag);
        if (table.index(viewOf(bytes), 0, bytes.length) !== expected.get(tag)) throw new Error(`case ${seed}, tag ${tag}`);
        if (expected.get(tag) === -1) expected.delete(tag);
      }
    }
  });
});

/** Everything that one decoder tells after these events; NaN and -0 by their bits. */
function decode(events: readonly Uint8Array[], tagLimit: number, way: 'short' | 'general'): unknown {
  const tags = new TagTable(tagLimit);
  const decoder = new EventDecoder(tags);
  for (const one of events) {
    // What stands behind the data in a file: its CRC. Nothing may depend on it.
    const bytes = concat(one, new Uint8Array(4).fill(way === 'short' ? 0x2a : 0));
    if (way === 'short') decoder.decode(bytes, viewOf(bytes), 0, one.length);
    else decoder.decodeAny(bytes, viewOf(bytes), 0, one.length);
  }
  const { otherValues, refusedValues, rows } = decoder.summaries;
  const points = [...scalarPoints(rows.take())].map(({ tag, step, wallTime, value: number }) => [tag, ...[step, wallTime, number].map(bits)]);
  const { starts, malformedRecords, fileVersion, firstWallTime, lastWallTime } = decoder;
  return { points, starts, malformedRecords, fileVersion, wallTimes: [firstWallTime, lastWallTime].map(bits), otherValues, refusedValues, names: tags.names };
}

function bits(value: number): string {
  return String(new BigUint64Array(Float64Array.of(value).buffer)[0]);
}

function event(random: Random): Uint8Array {
  const built = message();
  if (random(10) > 0) built.double(1, [100, 0, NaN, -1, Infinity, random(1e9)][random(6)]!);
  if (random(4) > 0) built.int64(2, [0, 1, 127, 128, 2 ** 28, 2 ** 49 - 1, 2 ** 49, -5, random(1e9)][random(9)]!);
  const kind = random(12);
  if (kind === 0) return built.text(3, 'brain.Event:2').finish();
  if (kind === 1) return built.message(7, message().int64(1, 1)).finish();
  const summary = message();
  for (let left = random(5); left >= 0; left -= 1) summary.message(1, anyValue(random));
  built.message(5, summary);
  if (kind === 2) built.message(5, summary);
  if (kind === 3) built.int64(12, 7);
  return built.finish();
}

function anyValue(random: Random): WireBuilder {
  const tag = ['a', 'b', '', 'train/reward', 't'.repeat(120), 't'.repeat(121), 'long '.repeat(300), '日本', 'x', 'y', 'z'][random(11)]!;
  const kind = random(10);
  if (kind === 0) return message().text(1, tag).message(8, message().int64(1, 1).float(5, 2));
  if (kind === 1) return message().text(1, tag).message(8, message().int64(1, 1).float(5, 2)).message(9, message().message(1, message().text(1, 'text')));
  if (kind === 2) return message().float(2, 1).text(1, tag);
  if (kind === 3) return message().text(1, tag).message(4, message());
  return message().text(1, tag).float(2, [0, -0, NaN, Infinity, -Infinity, 1.5, 1e-40][random(7)]!);
}

function broken(whole: Uint8Array, random: Random): Uint8Array {
  const bytes = whole.slice();
  for (let left = random(3); left >= 0 && bytes.length > 0; left -= 1) bytes[random(bytes.length)] = random(256);
  return random(3) === 0 ? bytes.slice(0, random(bytes.length + 1)) : bytes;
}

function value(tag: string, number: number): WireBuilder {
  return message().message(1, message().text(1, tag).float(2, number));
}

function values(count: number): WireBuilder {
  const summary = message();
  for (let at = 0; at < count; at += 1) summary.message(1, message().text(1, `tag ${at}`).float(2, at));
  return summary;
}

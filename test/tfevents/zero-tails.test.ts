// Files that end in zeros, and zeros in the middle of files.
import { describe, expect, it } from 'vitest';
import { makeEventReader } from '../../src-main/tfevents/event-reader.ts';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { concat, message, readAll, scalarRecord } from './event-bytes.ts';

const records = Array.from({ length: 24 }, (_, at) => scalarRecord(`tag ${at % 3}`, at, at / 2));
const kilobyte = concat(...records);
const zeros = (count: number): Uint8Array => new Uint8Array(count);
const steps = (bytes: Uint8Array): number[] => readAll(bytes).points.map((point) => point.step);

describe('zeros', () => {
  it('TF8: waits before any number of zeros, in pushes of any size', () => {
    for (const count of [1, 7, 8, 11, 12, 13, 100, 5000]) {
      for (const chunk of [1, 3, 12, 1000, 10_000]) {
        const { reader, points } = readAll(concat(kilobyte, zeros(count)), chunk);
        expect(points).toHaveLength(24);
        expect(reader.state).toEqual({ kind: 'waiting', tail: 'zeros' });
        expect(reader).toMatchObject({ offset: kilobyte.length, position: kilobyte.length + count });
      }
    }
  });

  it('TF8: sees what was written over the zeros after a rewind', () => {
    const { reader } = readAll(concat(...records.slice(0, 5), zeros(4096)), 1000);
    reader.rewind();
    expect(reader.position).toBe(reader.offset);
    expect(readAll(concat(kilobyte, zeros(3000)), 1000, reader).points.map(({ step }) => step)).toEqual(steps(kilobyte).slice(5));
    expect(reader.state).toEqual({ kind: 'waiting', tail: 'zeros' });
  });

  it('TF8: calls zeros before data damage, and TF7 reads on behind them', () => {
    for (const count of [12, 13, 30, 5000]) {
      for (const chunk of [1, 9, 4096]) {
        const bytes = concat(...records.slice(0, 5), zeros(count), ...records.slice(5));
        const first = readAll(bytes, chunk);
        const atByte = first.reader.offset;
        expect(first.reader.state).toEqual({ kind: 'damaged', atByte, records: 5, reason: 'zeros-before-data' });
        expect(first.reader.position).toBe(atByte);
        first.reader.scanForward();
        expect(readAll(bytes, chunk, first.reader).points).toHaveLength(19);
        expect(first.reader.counts).toMatchObject({ damages: 1, skippedBytes: count });
      }
    }
  });

  it('TF8: finds a header that begins with a zero behind zeros', () => {
    const long = frameRecord(message().text(30, 'x'.repeat(256 - 4)).finish());
    expect(long[0]).toBe(0);
    for (const chunk of [1, 20, 4096]) {
      const reader = makeEventReader();
      reader.scanForward();
      readAll(concat(records[0]!, zeros(100), long, records[1]!), chunk, reader);
      expect(reader.counts).toMatchObject({ records: 3, skippedBytes: 100, damages: 1 });
    }
  });

  it('TF8: takes an ordinary record whose length begins with a zero', () => {
    const long = frameRecord(message().text(30, 'x'.repeat(256 - 4)).finish());
    expect(readAll(concat(long, records[1]!), 1).reader.counts).toMatchObject({ records: 2, damages: 0 });
  });
});

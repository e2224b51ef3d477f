// Every truncation, split and damage of a small file; memory on large ones.
import { describe, expect, it } from 'vitest';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import { makeEventReader } from '../../src-main/tfevents/event-reader.ts';
import { maskedCrc32c } from '../../src-main/tfevents/crc32c.ts';
import { concat, fixture, message, readAll, scalarRecord } from './event-bytes.ts';

const records = Array.from({ length: 24 }, (_, at) => scalarRecord(`tag ${at % 3}`, at, at / 2));
const kilobyte = concat(...records);
const zeros = (count: number): Uint8Array => new Uint8Array(count);

/** A header whose length CRC is right. */
function header(low: number, high = 0): Uint8Array {
  const view = new DataView(new ArrayBuffer(12));
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  view.setUint32(8, maskedCrc32c(view, 0, 8), true);
  return new Uint8Array(view.buffer);
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, bytes[at]! ^ 0x10);
}

describe('splits and truncations', () => {
  const ends = records.map((_, at) => concat(...records.slice(0, at + 1)).length);
  /** What a reader must say after the first `length` bytes. */
  const expectedAfter = (length: number) => {
    const whole = ends.filter((end) => end <= length).length;
    const offset = ends[whole - 1] ?? 0;
    return { points: whole, offset, position: length, tail: length === offset ? 'none' : 'partial' };
  };

  it('TF3: gives each record with its last byte when fed byte by byte', () => {
    const reader = makeEventReader();
    let points = 0;
    for (let length = 1; length <= kilobyte.length; length += 1) {
      points += reader.push(kilobyte.subarray(length - 1, length)).points.length;
      const { offset, position, state } = reader;
      expect({ points, offset, position, ...state }).toEqual({ kind: 'waiting', ...expectedAfter(length) });
    }
  });

  it.each([2, 3, 7, 11, 12, 13, 64, 4096])('TF3: gives the whole records of every truncation, in pushes of %i bytes', (chunk) => {
    const wrong: number[] = [];
    for (let length = 0; length <= kilobyte.length; length += 1) {
      const reader = makeEventReader();
      let points = 0;
      for (let at = 0; at < length; at += chunk) {
        points += reader.push(kilobyte.subarray(at, Math.min(length, at + chunk))).points.length;
      }
      const expected = expectedAfter(length);
      const { offset, position, state } = reader;
      const isRight = points === expected.points && offset === expected.offset && position === length;
      if (!isRight || state.kind !== 'waiting' || state.tail !== expected.tail) wrong.push(length);
    }
    expect(wrong).toEqual([]);
  });

  it('TF3: goes on after any truncation as if nothing had happened', () => {
    const whole = readAll(kilobyte).points;
    for (let length = 0; length <= kilobyte.length; length += 1) {
      const before = readAll(kilobyte.subarray(0, length));
      const rewound = length % 2 === 0;
      if (rewound) before.reader.rewind();
      if (before.reader.position !== (rewound ? before.reader.offset : length)) throw new Error(`wrong at ${length}`);
      expect([...before.points, ...readAll(kilobyte, 5000, before.reader).points]).toEqual(whole);
    }
  });

  it('TF3: does not keep the pushed array', () => {
    const reader = makeEventReader();
    const buffer = new Uint8Array(10);
    let points = 0;
    for (let at = 0; at < kilobyte.length; at += 10) {
      const part = kilobyte.subarray(at, at + 10);
      buffer.set(part);
      points += reader.push(buffer.subarray(0, part.length)).points.length;
      buffer.fill(255);
    }
    expect(points).toBe(24);
  });

  it('TF3: reads a view into a larger array', () => {
    const padded = concat(zeros(5), kilobyte, zeros(5));
    expect(makeEventReader().push(padded.subarray(5, 5 + kilobyte.length)).points.length).toBe(24);
  });
});

describe('damage', () => {
  const length = records[0]!.length;
  const damagedAt = 10 * length;
  const [low, middle, high] = [records.slice(0, 10), records[10]!, records.slice(11)];
  const around = (record: Uint8Array): Uint8Array => concat(...low, record, ...high);
  const others = [...low.keys(), ...high.map((_, at) => at + 11)];

  it('TF2: has records of one length in this test', () => {
    expect(new Set(records.slice(1).map((record) => record.length))).toEqual(new Set([length]));
  });

  it('TF5: skips a record whose data or data CRC is bad', () => {
    for (let at = 12; at < length; at += 1) {
      const { points, reader } = readAll(around(flipped(middle, at)), 100);
      expect(points.map(({ step }) => step)).toEqual(others);
      expect(reader.counts).toMatchObject({ records: 23, badRecords: 1, damages: 0, skippedBytes: 0 });
    }
  });

  it('TF6: stops at a header with any flipped bit', () => {
    for (let at = 0; at < 12; at += 1) {
      const { points, reader } = readAll(around(flipped(middle, at)), 100);
      expect(points).toHaveLength(10);
      expect(reader.state).toEqual({ kind: 'damaged', atByte: damagedAt, records: 10, reason: 'length-crc' });
      expect(reader).toMatchObject({ offset: damagedAt, position: damagedAt });
    }
  });

  it.each([1, 50, 4096])('TF7: reads on behind a flipped header, in pushes of %i bytes', (chunk) => {
    for (let at = 0; at < 12; at += 1) {
      const bytes = around(flipped(middle, at));
      const first = readAll(bytes, chunk);
      first.reader.scanForward();
      const second = readAll(bytes, chunk, first.reader);
      expect([...first.points, ...second.points].map(({ step }) => step)).toEqual(others);
      expect(second.reader.counts).toMatchObject({ damages: 1, skippedBytes: length, points: 23 });
      expect(second.reader.state.kind).toBe('waiting');
    }
  });

  it('TF7: passes over all later damage by itself', () => {
    const broken = records.map((record, at) => (at % 4 === 1 ? flipped(record, 3) : record));
    const bytes = concat(...broken, records[0]!.subarray(0, 20));
    const reader = makeEventReader();
    reader.scanForward();
    const { points } = readAll(bytes, 31, reader);
    expect(points).toHaveLength(18);
    expect(reader.counts).toMatchObject({ damages: 6, skippedBytes: 6 * length });
    expect(reader.state).toEqual({ kind: 'waiting', tail: 'partial' });
  });

  it('TF7: does not trust a header whose data is not its own', () => {
    const bytes = concat(flipped(records[0]!, 0), header(3 * length), ...low); // other records stand where its data should be
    const reader = makeEventReader();
    reader.scanForward();
    expect(readAll(bytes, 7, reader).points.map(({ step }) => step)).toEqual([...low.keys()]);
    expect(reader.counts).toMatchObject({ damages: 1, skippedBytes: records[0]!.length + 12 });
  });

  it('TF7: waits for the data of a candidate', () => {
    const reader = makeEventReader();
    reader.scanForward();
    const bytes = concat(new Uint8Array(40).fill(77), records[5]!);
    expect(readAll(bytes.subarray(0, -1), 9, reader).points).toEqual([]);
    expect(reader.state).toEqual({ kind: 'scanning', atByte: 0 });
    expect(reader.offset).toBe(40);
    expect(readAll(bytes, 9, reader).points.map(({ step }) => step)).toEqual([5]);
  });

  it('TF6: refuses a length over 64 MiB whose CRC is right, and allocates nothing', () => {
    for (const claim of [header(64 * 1024 * 1024 + 1), header(0, 1), header(0, 0x80000000)]) {
      expect(readAll(concat(records[0]!, claim, kilobyte)).reader.state).toEqual({
        kind: 'damaged',
        atByte: records[0]!.length,
        records: 1,
        reason: 'too-long',
      });
    }
  });

  it.each([
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])],
    ['text', new TextEncoder().encode('Wall time,Step,Value\n1,2,3\n')],
    ['big endian', concat(records[0]!.slice(0, 8).reverse(), records[0]!.slice(8))],
  ])('TF6: a file that is %s is damaged at byte 0', (_name, bytes) => {
    expect(readAll(bytes, 5).reader.state).toEqual({ kind: 'damaged', atByte: 0, records: 0, reason: 'length-crc' });
  });
});

describe('memory', () => {
  it('TF4: holds a long record without quadratic copying', () => {
    const long = frameRecord(message().text(30, 'x'.repeat(8 * 1024 * 1024)).finish());
    const started = performance.now();
    const { reader, points } = readAll(concat(long, kilobyte), 500);
    expect(reader.counts.records).toBe(25);
    expect(points).toHaveLength(24);
    expect(performance.now() - started).toBeLessThan(6000); // 16,000 pushes; copying all each time would be 64 GB
  });

  it('TF4: allocates for the bytes that came, not for the length that was claimed', () => {
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 50 }, () => readAll(concat(header(64 * 1024 * 1024), zeros(100))).reader);
    expect(readers[0]!.state).toEqual({ kind: 'waiting', tail: 'partial' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it('TF4: gives the memory of a long record back', () => {
    const reader = readAll(concat(frameRecord(zeros(4_000_000)), records[0]!), 100_000).reader;
    expect(reader.counts.records).toBe(2);
    expect(reader.position).toBe(reader.offset);
  });

  it('TF7: keeps a scan over hostile headers short', () => {
    const headers = Array.from({ length: 2000 }, () => header(1_000_000));
    const claims = concat(...headers, new Uint8Array(3_000_000).fill(1), ...records);
    const reader = makeEventReader();
    reader.scanForward();
    const started = performance.now();
    readAll(concat(new Uint8Array([9]), claims), 1 << 20, reader);
    expect(performance.now() - started).toBeLessThan(6000); // checking all candidates would be 2 GB of checksums
    expect(reader.counts.records + reader.counts.badRecords).toBeGreaterThan(0);
  });

  it('TF3: reads an empty push', () => {
    expect(makeEventReader().push(zeros(0)).points.length).toBe(0);
    expect(fixture('empty')).toHaveLength(0);
  });
});

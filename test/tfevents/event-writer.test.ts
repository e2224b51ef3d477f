// The writer against recorded bytes, and read back by our reader. TensorBoard was checked by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEventWriter } from '../../src-main/tfevents/event-writer.ts';
import type { ScalarValue } from '../../src-main/tfevents/event-writer.ts';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { concat, fixture, hex, readAll, toHex } from './event-bytes.ts';

const AT = 1764500000;

function makeSink() {
  const records: Uint8Array[] = [];
  return { records, take: (record: Uint8Array) => void records.push(record), bytes: () => concat(...records) };
}

describe('event writer', () => {
  it('TF24: begins with the file version, byte for byte as the real writers did', () => {
    const sink = makeSink();
    makeEventWriter(sink.take, viewOf(hex('0000803899d6d741')).getFloat64(0, true));
    const data = '090000803899d6d7411a0d627261696e2e4576656e743a32';
    expect(sink.records.map(toHex)).toEqual([`1800000000000000a37f4b22${data}124b36ab`]);
  });

  it('TF24: writes simple values exactly as PyTorch did', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    const recorded = readAll(fixture('simple')).points;
    for (const { tag, step, wallTime, value } of recorded) writer.scalars({ step, wallTime }, [{ tag, value }]);
    const behindVersion = fixture('simple').subarray(88); // PyTorch's first record also names its source
    expect(toHex(concat(...sink.records.slice(1)))).toBe(toHex(behindVersion));
  });

  it('TF24: writes the special values exactly as PyTorch did', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    const recorded = readAll(fixture('nonfinite')).points;
    for (const { tag, step, wallTime, value } of recorded) writer.scalars({ step, wallTime }, [{ tag, value }]);
    expect(toHex(concat(...sink.records.slice(1)))).toBe(toHex(fixture('nonfinite').subarray(88)));
  });

  it('TF24: writes tensors as the Python helper does, with metadata on the first value of a tag', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    const value: ScalarValue = { tag: 't', value: 1.5, form: 'float' };
    writer.scalars({ step: 0, wallTime: AT }, [value, value]);
    writer.scalars({ step: 1, wallTime: AT }, [value, { ...value, tag: 'u' }]);
    const [, first, second] = sink.records.map(toHex);
    const metadata = '4a0b0a090a077363616c617273';
    const bare = '0a0174420a080112002a040000c03f';
    expect(first).toContain(`2a2f0a1c${bare}${metadata}0a0f${bare}`);
    expect(second).toContain(`10012a2f0a0f${bare}0a1c${bare.replace('74', '75')}${metadata}`);
  });

  it('TF24: leaves out a step of 0 and writes negative ones in ten bytes', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    for (const step of [0, -0, -1]) writer.scalars({ step, wallTime: AT }, [{ tag: 'a', value: 1 }]);
    const [, zero, negativeZero, negative] = sink.records.map(toHex);
    expect(zero).toBe(negativeZero);
    expect(negative).toContain('10ffffffffffffffffff012a');
    expect(readAll(sink.bytes()).points.map(({ step }) => step)).toEqual([0, 0, -1]);
  });

  it('TF24: refuses a step that is no safe integer, and writes nothing then', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    for (const step of [0.5, NaN, Infinity, 2 ** 53]) {
      expect(() => writer.scalars({ step, wallTime: AT }, [{ tag: 'a', value: 1 }])).toThrow(RangeError);
    }
    expect(sink.records).toHaveLength(1);
  });

  it('TF24: writes the metadata again when the sink failed', () => {
    const sink = makeSink();
    let isFull = false;
    const writer = makeEventWriter((record) => {
      if (isFull) throw new Error('disk full');
      sink.take(record);
    }, AT);
    const write = (): void => writer.scalars({ step: 1, wallTime: AT }, [{ tag: 'a', value: 1, form: 'double' }]);
    isFull = true;
    expect(write).toThrow('disk full');
    isFull = false;
    write();
    expect(toHex(sink.records[1]!)).toContain('7363616c617273');
  });

  it('TF17: writes a session start that the reader reports', () => {
    const sink = makeSink();
    const writer = makeEventWriter(sink.take, AT);
    writer.sessionStart({ step: 6, wallTime: AT + 1 });
    expect(toHex(sink.records[1]!)).toContain('10063a020801');
    expect(readAll(sink.bytes()).starts).toEqual([{ step: 6, wallTime: AT + 1, atPoint: 0 }]);
  });

  it('TF25: reads back whatever it wrote, however it is split', () => {
    const scalar = fc.record({
      tag: fc.string({ maxLength: 30, unit: 'grapheme' }),
      value: fc.double(),
      form: fc.constantFrom('simple', 'float', 'double'),
    });
    const event = fc.record({
      step: fc.maxSafeInteger(),
      wallTime: fc.double({ noNaN: true }),
      values: fc.array(scalar, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), fc.integer({ min: 1, max: 200 }), (events, chunk) => {
        const sink = makeSink();
        const writer = makeEventWriter(sink.take, AT);
        for (const { step, wallTime, values } of events) writer.scalars({ step, wallTime }, values);
        const { points, reader } = readAll(sink.bytes(), chunk);
        expect(points).toEqual(
          events.flatMap(({ step, wallTime, values }) =>
            values.map(({ tag, value, form }) => ({
              tag,
              step: step + 0,
              wallTime,
              value: form === 'double' ? value : Math.fround(value),
            })),
          ),
        );
        expect(reader.counts).toMatchObject({ records: events.length + 1, badRecords: 0, malformedRecords: 0, otherValues: 0 });
        expect(reader.fileVersion).toBe('brain.Event:2');
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});

// Tensors of every number type, as TensorBoard wrote them and by hand.
import { describe, expect, it } from 'vitest';
import { frameRecord } from '../../src-main/tfevents/framing.ts';
import type { WireBuilder } from '../../src-main/tfevents/wire-builder.ts';
import { byTag, expectedIn, fixture, hex, message, readAll, valueRecord } from './event-bytes.ts';

/** What the reader makes of this TensorProto: the value, or undefined when it is no scalar. */
function read(tensor: WireBuilder): number | undefined {
  const { points, reader } = readAll(valueRecord(message().text(1, 't').message(8, tensor)));
  expect(reader.counts).toMatchObject({ malformedRecords: 0, otherValues: points.length === 0 ? 1 : 0 });
  return points[0]?.value;
}

const dimension = (size: number): WireBuilder => message().message(2, message().int64(1, size));

describe('tensor scalars', () => {
  it('TF12: reads every number type in both encodings as TensorBoard wrote them', () => {
    const { points, reader } = readAll(fixture('tensors'));
    expect(byTag(points)).toEqual(expectedIn('tensors.json'));
    expect(reader.counts).toMatchObject({ points: 82, otherValues: 0, malformedRecords: 0 });
  });

  it.each([
    ['float_val', '0801 1200 2d 0000c03f', 1.5],
    ['double_val', '0802 31 555555555555d53f', 1 / 3],
    ['int_val', '0803 38 f9ffffffffffffffff01', -7],
    ['int64_val', '0809 50 80c8afa025', 10_000_000_000],
    ['bool_val', '080a 58 01', 1],
    ['half_val, float16', '0813 68 807c', 1.5],
    ['half_val, float16 NaN', '0813 68 80fc01', NaN],
    ['half_val, float16 -0', '0813 68 808002', -0],
    ['half_val, bfloat16', '080e 68 c07f', 1.5],
    ['uint32_val', '0816 8001 ffffffff0f', 4294967295],
    ['uint64_val', '0817 8801 ffffffffffffffffff01', 2 ** 64],
  ])('TF12: reads an unpacked %s', (_name, bytes, value) => {
    const { points } = readAll(valueRecord(message().text(1, 't').bytes(8, hex(bytes))));
    expect(points[0]?.value).toBe(value);
  });

  it('TF12: reads the bytes that the Python helper wrote', () => {
    const value = hex('0a0174 420a080112002a040000c03f'); // tag "t", then the tensor
    const summary = message().bytes(1, value);
    const { points } = readAll(frameRecord(message().double(1, 100).message(5, summary).finish()));
    expect(points).toEqual([{ tag: 't', step: 0, wallTime: 100, value: 1.5 }]);
  });

  it('TF12: does not mind a dtype behind the values', () => {
    expect(read(message().float(5, 2.5).bytes(2, new Uint8Array(0)).int64(1, 1))).toBe(2.5);
  });

  it('TF12: takes dimensions of size 1', () => {
    const shape = message().message(2, message().int64(1, 1)).message(2, message().int64(1, 1).text(2, 'name'));
    expect(read(message().int64(1, 1).message(2, shape).float(5, 2.5))).toBe(2.5);
  });

  it.each([
    ['two values', message().int64(1, 1).float(5, 1).float(5, 2)],
    ['two packed values', message().int64(1, 1).bytes(5, new Uint8Array(8))],
    ['no value', message().int64(1, 1)],
    ['three elements from one value', message().int64(1, 1).message(2, dimension(3)).float(5, 1)],
    ['no element', message().int64(1, 1).message(2, dimension(0)).float(5, 1)],
    ['an unknown rank', message().int64(1, 1).message(2, message().int64(3, 1)).float(5, 1)],
    ['content of two values', message().int64(1, 2).bytes(4, new Uint8Array(16))],
    ['content of half a value', message().int64(1, 2).bytes(4, new Uint8Array(4))],
    ['a text', message().int64(1, 7).text(8, 'hello')],
    ['a value of another type', message().int64(1, 2).float(5, 1)],
    ['a type that does not exist', message().int64(1, 99).float(5, 1)],
    ['no type', message().float(5, 1)],
  ])('TF12: does not take %s', (_name, tensor) => {
    expect(read(tensor)).toBe(undefined);
  });
});

// Sixteen-bit floats at the edges of their range.
import { describe, expect, it } from 'vitest';
import { fromBfloat16, fromHalf } from '../../src-main/tfevents/half-float.ts';

describe('half floats', () => {
  it.each([
    [0x3c00, 1],
    [0x3e00, 1.5],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x0001, 2 ** -24],
    [0x83ff, -(2 ** -14 - 2 ** -24)],
    [0x0000, 0],
    [0x8000, -0],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
    [0x7e00, NaN],
  ])('TF12: reads float16 %i as %d', (bits, value) => {
    expect(fromHalf(bits)).toBe(value);
  });

  it.each([
    [0x3f80, 1],
    [0x3fc0, 1.5],
    [0xc000, -2],
    [0x477f, 65280],
    [0x0001, 2 ** -133],
    [0x8000, -0],
    [0x7f80, Infinity],
    [0xff80, -Infinity],
    [0x7fc0, NaN],
  ])('TF12: reads bfloat16 %i as %d', (bits, value) => {
    expect(fromBfloat16(bits)).toBe(value);
  });
});

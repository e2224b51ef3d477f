// Records byte for byte.
import { describe, expect, it } from 'vitest';
import {
  BAD_LENGTH_CRC,
  MAX_RECORD_BYTES,
  TOO_LONG,
  frameRecord,
  isDataSound,
  readLength,
} from '../../src-main/tfevents/framing.ts';
import { maskedCrc32c } from '../../src-main/tfevents/crc32c.ts';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { hex, toHex } from './event-bytes.ts';

const VERSION = '090000803899d6d7411a0d627261696e2e4576656e743a32';

describe('framing', () => {
  it('TF2: frames the file version as the real writers do', () => {
    expect(toHex(frameRecord(hex(VERSION)))).toBe(`1800000000000000a37f4b22${VERSION}124b36ab`);
  });

  it('TF2: frames empty data', () => {
    expect(toHex(frameRecord(new Uint8Array(0)))).toBe('000000000000000029039807d8ea82a2');
  });

  it('TF2: reads length and data back', () => {
    const view = viewOf(frameRecord(hex(VERSION)));
    expect(readLength(view, 0)).toBe(24);
    expect(isDataSound(view, 12, 36)).toBe(true);
    view.setUint8(20, view.getUint8(20) ^ 1);
    expect(isDataSound(view, 12, 36)).toBe(false);
  });

  it.each([
    ['the longest', MAX_RECORD_BYTES, 0, MAX_RECORD_BYTES],
    ['one more', MAX_RECORD_BYTES + 1, 0, TOO_LONG],
    ['2^32', 0, 1, TOO_LONG],
    ['2^63', 0, 0x80000000, TOO_LONG],
  ])('TF6: bounds a length whose CRC is right: %s', (_name, low, high, expected) => {
    const view = new DataView(new ArrayBuffer(12));
    view.setUint32(0, low, true);
    view.setUint32(4, high, true);
    view.setUint32(8, maskedCrc32c(view, 0, 8), true);
    expect(readLength(view, 0)).toBe(expected);
    view.setUint8(8, view.getUint8(8) ^ 1);
    expect(readLength(view, 0)).toBe(BAD_LENGTH_CRC);
  });

  it('TF6: does not write what could not be read', () => {
    expect(() => frameRecord(new Uint8Array(MAX_RECORD_BYTES + 1))).toThrow(RangeError);
  });
});

// Varints and the ends of messages.
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { WireCursor } from '../../src-main/tfevents/wire-cursor.ts';
import { hex, message } from './event-bytes.ts';

function cursorOn(bytes: Uint8Array): WireCursor {
  const cursor = new WireCursor();
  cursor.open(bytes, viewOf(bytes), 0, bytes.length);
  return cursor;
}

describe('wire cursor', () => {
  it.each([
    ['00', 0],
    ['7f', 127],
    ['8001', 128],
    ['ffffffff0f', 2 ** 32 - 1],
    ['8080808010', 2 ** 32],
    ['ffffffffffffff0f', 2 ** 53 - 1],
    ['ffffffffffffffff7f', 2 ** 63],
    ['ffffffffffffffffff01', -1],
    ['80808080808080808001', -(2 ** 63)],
    ['8000', 0],
  ])('TF10: reads the varint %s as int64 %d', (text, value) => {
    const cursor = cursorOn(hex(text));
    expect(cursor.int64()).toBe(value);
    expect(cursor.at).toBe(text.length / 2);
    expect(cursor.isFailed).toBe(false);
  });

  it('TF12: reads a varint as uint64', () => {
    expect(cursorOn(hex('ffffffffffffffffff01')).uint64()).toBe(2 ** 64);
    expect(cursorOn(hex('80808080808080808001')).uint64()).toBe(2 ** 63);
  });

  it.each([0, 1, -1, 127, 128, 2 ** 31, 2 ** 32, 2 ** 35 - 1, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'TF25: reads back the int64 %d',
    (value) => {
      const cursor = cursorOn(message().int64(2, value).finish());
      expect(cursor.key()).toBe(16);
      expect(cursor.int64()).toBe(value);
      expect(cursor.at).toBe(cursor.end);
    },
  );

  it.each([
    ['a varint without an end', 'ffff', (c: WireCursor) => c.int64()],
    ['a varint of eleven bytes', 'ffffffffffffffffffff01', (c: WireCursor) => c.int64()],
    ['nothing at all', '', (c: WireCursor) => c.key()],
    ['field number 0', '05', (c: WireCursor) => c.key()],
    ['a key over 31 bits', 'ffffffff0f', (c: WireCursor) => c.key()],
    ['a block longer than the message', '0501', (c: WireCursor) => c.block()],
    ['a block of 2^35 bytes', '808080808001', (c: WireCursor) => c.block()],
    ['half a double', '00000000', (c: WireCursor) => c.double()],
    ['half a float', '0000', (c: WireCursor) => c.float()],
    ['a group', '00', (c: WireCursor) => c.skip(3)],
    ['wire type 7', '00', (c: WireCursor) => c.skip(7)],
  ])('TF15: fails, and ends every loop, on %s', (_name, text, read) => {
    const cursor = cursorOn(hex(text));
    read(cursor);
    expect(cursor.isFailed).toBe(true);
    expect(cursor.at).toBe(text.length / 2);
  });
});

// Checksums against published vectors, what real writers wrote, and one bit at a time.
import { describe, expect, it } from 'vitest';
import { crc32c, maskedCrc32c } from '../../src-main/tfevents/crc32c.ts';
import { viewOf } from '../../src-main/tfevents/held-bytes.ts';
import { hex, makeRandom } from './event-bytes.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const crc = (bytes: Uint8Array): number => crc32c(viewOf(bytes), 0, bytes.length);
const masked = (bytes: Uint8Array): number => maskedCrc32c(viewOf(bytes), 0, bytes.length);

describe('crc32c', () => {
  it('TF1: gives the check value of CRC-32C', () => {
    expect(crc(ascii('123456789'))).toBe(0xe3069283);
  });

  it('TF1: gives the vectors of RFC 3720', () => {
    expect(crc(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
    expect(crc(Uint8Array.from({ length: 32 }, (_, at) => at))).toBe(0x46dd794e);
  });

  it('TF1: gives the masked values that the real writers wrote', () => {
    expect(masked(hex('1800000000000000'))).toBe(0x224b7fa3);
    expect(masked(hex('090000803899d6d7411a0d627261696e2e4576656e743a32'))).toBe(0xab364b12);
    expect(masked(new Uint8Array([0x1a, 0x11, ...ascii('CRC test, one two')]))).toBe(0x5794d08a);
    expect(masked(new Uint8Array(8))).toBe(0x07980329);
    expect(masked(new Uint8Array(0))).toBe(0xa282ead8);
  });

  it('TF1: agrees with one bit at a time at every length and alignment', () => {
    const random = makeRandom(1);
    const bytes = Uint8Array.from({ length: 64 }, () => random(256));
    for (let start = 0; start < 9; start += 1) {
      for (let end = start; end <= bytes.length; end += 1) {
        expect(crc32c(viewOf(bytes), start, end)).toBe(plainCrc(bytes.subarray(start, end)));
      }
    }
  });
});

function plainCrc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  }
  return ~value >>> 0;
}

// CRC-32C (Castagnoli) as TFRecord frames use it, plain and masked; only files of this folder import it.
// Slicing by 8: eight table rows let one step take eight bytes. Calling into a native addon costs more than this loop
// saves on records of about 40 bytes.

const POLYNOMIAL = 0x82f63b78; // reflected; RFC 3720, appendix B.4
const MASK_DELTA = 0xa282ead8; // tensorflow/core/lib/hash/crc32c.h

// Row k (256 entries from 256 * k) holds the CRC of a byte followed by k zero bytes.
const TABLE = makeTable();

/** CRC-32C of bytes `start` (included) to `end` (not included) of `view`, as an unsigned 32-bit number. */
export function crc32c(view: DataView, start: number, end: number): number {
  const table = TABLE;
  let crc = -1;
  let at = start;
  for (const last = end - 8; at <= last; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      table[1792 + (low & 0xff)]! ^
      table[1536 + ((low >>> 8) & 0xff)]! ^
      table[1280 + ((low >>> 16) & 0xff)]! ^
      table[1024 + (low >>> 24)]! ^
      table[768 + (high & 0xff)]! ^
      table[512 + ((high >>> 8) & 0xff)]! ^
      table[256 + ((high >>> 16) & 0xff)]! ^
      table[high >>> 24]!;
  }
  if (at + 4 <= end) {
    const word = crc ^ view.getInt32(at, true);
    crc = table[768 + (word & 0xff)]! ^ table[512 + ((word >>> 8) & 0xff)]! ^ table[256 + ((word >>> 16) & 0xff)]! ^ table[word >>> 24]!;
    at += 4;
  }
  for (; at < end; at += 1) {
    crc = (crc >>> 8) ^ table[(crc ^ view.getUint8(at)) & 0xff]!;
  }
  return ~crc >>> 0;
}

/** The masked CRC that a TFRecord stores: rotated right by 15 bits, plus a constant, modulo 2^32. */
export function maskedCrc32c(view: DataView, start: number, end: number): number {
  const crc = crc32c(view, start, end);
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

function makeTable(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let at = 256; at < table.length; at += 1) {
    const shorter = table[at - 256]!;
    table[at] = (shorter >>> 8) ^ table[shorter & 0xff]!;
  }
  return table;
}

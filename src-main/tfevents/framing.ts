// The TFRecord frame: u64 length, masked CRC of the length, data, masked CRC of the data; only this folder imports it.
// Specification: tensorflow/core/lib/io/record_writer.cc. All numbers are little endian.
import { maskedCrc32c } from './crc32c.ts';

export const HEADER_BYTES = 12;
export const FRAME_BYTES = 16;
/** Longest data that is believed; a longer length is treated as damage before anything is allocated. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** Answers of `readLength` that are not a length. */
export const BAD_LENGTH_CRC = -1;
export const TOO_LONG = -2;

// Nearly every record is short: the masked CRC of its length field is looked up.
const SHORT_BYTES = 4096;
const SHORT_CRCS = makeShortCrcs();

/** Data length of the record whose 12-byte header is at `at`, or BAD_LENGTH_CRC, or TOO_LONG. */
export function readLength(view: DataView, at: number): number {
  const short = view.getUint32(at, true);
  if (short < SHORT_BYTES && view.getInt32(at + 4, true) === 0) return view.getInt32(at + 8, true) === SHORT_CRCS[short] ? short : BAD_LENGTH_CRC;
  if (maskedCrc32c(view, at, at + 8) !== view.getUint32(at + 8, true)) return BAD_LENGTH_CRC;
  const length = view.getUint32(at, true);
  return view.getUint32(at + 4, true) !== 0 || length > MAX_RECORD_BYTES ? TOO_LONG : length;
}

/** Whether the data from `start` to `end` matches the CRC stored right after it. */
export function isDataSound(view: DataView, start: number, end: number): boolean {
  return maskedCrc32c(view, start, end) === view.getUint32(end, true);
}

/** One whole record around `data`. Throws RangeError when the data is longer than a reader would believe. */
export function frameRecord(data: Uint8Array): Uint8Array {
  if (data.length > MAX_RECORD_BYTES) throw new RangeError(`a record of ${data.length} bytes is too long`);
  const record = new Uint8Array(FRAME_BYTES + data.length);
  const view = new DataView(record.buffer);
  const dataEnd = HEADER_BYTES + data.length;
  view.setUint32(0, data.length, true);
  view.setUint32(8, maskedCrc32c(view, 0, 8), true);
  record.set(data, HEADER_BYTES);
  view.setUint32(dataEnd, maskedCrc32c(view, HEADER_BYTES, dataEnd), true);
  return record;
}

function makeShortCrcs(): Int32Array {
  const view = new DataView(new ArrayBuffer(8));
  return Int32Array.from({ length: SHORT_BYTES }, (_, length) => {
    view.setUint32(0, length, true);
    return maskedCrc32c(view, 0, 8);
  });
}

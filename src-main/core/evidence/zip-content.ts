// The content of one entry of an evidence zip, a piece at a time, held against its length and checksum. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { Inflate } from 'fflate';
import type { Files } from '../../ports.ts';
import { shown, spoiled, type ZipContainer, type ZipEntry } from './zip-container.ts';

/** One byte inflates to at most 1,032: a piece of this size never fills the memory. */
const pieceBytes = 16 * 1024;

/** Throws RefusalError `damaged` when it inflates to something else than its length and checksum say. */
export async function* readContent(files: Pick<Files, 'readSlice'>, { path }: Pick<ZipContainer, 'path'>, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  const inflate = new Inflate((piece) => void out.push(piece));
  let done = 0;
  let crc = crcStart;
  for (let at = 0; at < entry.packedBytes; at += pieceBytes) {
    const packed = await files.readSlice(path, entry.offset + at, Math.min(pieceBytes, entry.packedBytes - at));
    try {
      inflate.push(packed, at + pieceBytes >= entry.packedBytes);
    } catch (error) {
      spoiled(`${shown(entry.name)} cannot be unpacked (${error instanceof Error ? error.message : String(error)})`);
    }
    const pieces = out;
    out = [];
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      done += piece.length;
      if (done > entry.bytes) spoiled(`${shown(entry.name)} unpacks to more than the ${entry.bytes} bytes it claims`);
      crc = addCrc(crc, piece);
      yield piece;
    }
  }
  if (done !== entry.bytes) spoiled(`${shown(entry.name)} unpacks to ${countText(done, 'byte')} and claims ${entry.bytes}`);
  if ((crc ^ crcStart) >>> 0 !== entry.crc32) spoiled(`${shown(entry.name)} was changed: its checksum is another`);
}

const crcStart = 0xffffffff;
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as zip counts it. */
function addCrc(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return crc;
}

// Reads the container of an evidence zip as strictly as it was written: whatever this program did not write is refused. This room only.
// The layout is that of fflate's streaming Zip: local header, deflated data, descriptor, for each entry; then the central directory.
import { countText } from '../../../src-protocol/count-text.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { whyUnsafe } from '../workspace/repo-read.ts';

export interface ZipEntry {
  readonly name: string;
  /** Where its deflated bytes lie in the file. */
  readonly offset: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc32: number;
}

export interface ZipContainer {
  readonly path: string;
  readonly sizeBytes: number;
  /** In the order of the file. */
  readonly entries: readonly ZipEntry[];
}

export const zipLimits = {
  /** The format counts entries in two bytes. */
  entries: 60_000,
  nameBytes: 1024,
  /** Offsets have four bytes; far below that nothing can wrap around. */
  bytes: 4_000_000_000,
  directoryBytes: 64 * 1024 * 1024,
};

const localMark = 0x04034b50;
const descriptorMark = 0x08074b50;
const centralMark = 0x02014b50;
const endMark = 0x06054b50;
const localBytes = 30;
const descriptorBytes = 16;
const centralBytes = 46;
const endBytes = 22;
/** 1 January 1980, noon: the same for every entry, so that the same content gives the same bytes. */
export const zipTime = new Date(1980, 0, 1, 12);
const zipTimeBits = (1 << 21) | (1 << 16) | (12 << 11);
const streamedFlag = 0x0008;
const utf8Flag = 0x0800;
const deflated = 8;
const zipVersion = 20;

/** Throws RefusalError `damaged` with what is wrong and where, `not_found`, `invalid_file` for what is no zip at all. */
export async function readContainer(files: Pick<Files, 'stat' | 'readSlice'>, path: string): Promise<ZipContainer> {
  const stat = await files.stat(path);
  if (stat === null) return refuse('not_found', `${path} does not exist.`, { next: 'Check the name of the file.' });
  if (stat.kind !== 'file') return refuse('invalid_file', `${path} is a ${stat.kind}, not a file.`, { next: 'Name the zip itself.' });
  const { sizeBytes } = stat;
  if (sizeBytes > zipLimits.bytes) return spoiled(`it has ${countText(sizeBytes, 'byte')}, more than any evidence`);
  const start = view(await files.readSlice(path, 0, 4));
  if (sizeBytes < endBytes || start.byteLength < 4 || start.getUint32(0, true) !== localMark) return refuse('invalid_file', `${path} is no zip that \`rlxp evidence\` wrote.`, { next: 'Name a file that `rlxp evidence <study>` wrote, unchanged.' });
  const end = view(await exactly(files, { path, offset: sizeBytes - endBytes, length: endBytes }));
  const count = end.getUint16(8, true);
  const directoryBytes = end.getUint32(12, true);
  const directoryAt = end.getUint32(16, true);
  const isWhole = end.getUint32(0, true) === endMark && end.getUint32(4, true) === 0 && end.getUint16(10, true) === count && end.getUint16(20, true) === 0;
  if (!isWhole || directoryAt + directoryBytes + endBytes !== sizeBytes) return spoiled('its end is not as it was written: bytes are missing, added or changed');
  if (count > zipLimits.entries || directoryBytes > zipLimits.directoryBytes) return spoiled('its directory is larger than any evidence needs');
  const directory = view(await exactly(files, { path, offset: directoryAt, length: directoryBytes }));
  const entries = readDirectory(directory, { count, directoryAt });
  for (const entry of entries) await checkLocal(files, path, entry);
  return { path, sizeBytes, entries };
}

/** Entries must lie one behind the other from byte 0 to the directory, so that no byte belongs to none or to two. */
function readDirectory(directory: DataView, { count, directoryAt }: { readonly count: number; readonly directoryAt: number }): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let at = 0;
  let nextLocal = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + centralBytes > directory.byteLength) return spoiled('its directory ends too early');
    const nameBytes = directory.getUint16(at + 28, true);
    if (at + centralBytes + nameBytes > directory.byteLength || nameBytes > zipLimits.nameBytes) return spoiled('its directory ends too early');
    const name = decodeName(new Uint8Array(directory.buffer, directory.byteOffset + at + centralBytes, nameBytes));
    const [packedBytes, bytes] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true)];
    const flags = directory.getUint16(at + 8, true);
    const attributes = directory.getUint32(at + 38, true);
    if (attributes !== 0) return spoiled(`${shown(name)} is no plain file${(attributes >>> 28) === 0xa ? ' but a link' : ''}`);
    const bad = whyUnsafe(name);
    if (bad !== null || name.includes('\\') || /[\u0000-\u001f\u007f]/.test(name)) return spoiled(`the name ${shown(name)} ${bad ?? 'holds a character that no name of ours holds'}`);
    if (names.has(name.toLowerCase())) return spoiled(`the name ${shown(name)} is there twice`);
    const isPlain =
      directory.getUint32(at, true) === centralMark &&
      directory.getUint16(at + 4, true) === zipVersion &&
      directory.getUint16(at + 6, true) === zipVersion &&
      flags === flagsOf(name) &&
      directory.getUint16(at + 10, true) === deflated &&
      directory.getUint32(at + 12, true) === zipTimeBits &&
      directory.getUint32(at + 30, true) === 0 &&
      directory.getUint32(at + 34, true) === 0 &&
      directory.getUint32(at + 42, true) === nextLocal;
    if (!isPlain) return spoiled(`the directory's row of ${shown(name)} is not as it was written`);
    names.add(name.toLowerCase());
    const offset = nextLocal + localBytes + nameBytes;
    entries.push({ name, offset, packedBytes, bytes, crc32: directory.getUint32(at + 16, true) });
    nextLocal = offset + packedBytes + descriptorBytes;
    at += centralBytes + nameBytes;
  }
  if (at !== directory.byteLength) return spoiled('its directory holds bytes that belong to no entry');
  if (nextLocal !== directoryAt) return spoiled('between its entries lie bytes that belong to none');
  const total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (total > zipLimits.bytes) return spoiled(`it claims to unpack to ${total} bytes, more than any evidence`);
  return entries;
}

async function checkLocal(files: Pick<Files, 'readSlice'>, path: string, entry: ZipEntry): Promise<void> {
  const name = new TextEncoder().encode(entry.name);
  const length = localBytes + name.length;
  const local = view(await exactly(files, { path, offset: entry.offset - length, length }));
  const isPlain =
    local.getUint32(0, true) === localMark &&
    local.getUint16(4, true) === zipVersion &&
    local.getUint16(6, true) === flagsOf(entry.name) &&
    local.getUint16(8, true) === deflated &&
    local.getUint32(10, true) === zipTimeBits &&
    local.getUint32(14, true) === 0 &&
    local.getUint32(18, true) === 0 &&
    local.getUint32(22, true) === 0 &&
    local.getUint16(26, true) === name.length &&
    local.getUint16(28, true) === 0 &&
    name.every((byte, index) => local.getUint8(localBytes + index) === byte);
  const descriptor = view(await exactly(files, { path, offset: entry.offset + entry.packedBytes, length: descriptorBytes }));
  const isSame =
    descriptor.getUint32(0, true) === descriptorMark &&
    descriptor.getUint32(4, true) === entry.crc32 &&
    descriptor.getUint32(8, true) === entry.packedBytes &&
    descriptor.getUint32(12, true) === entry.bytes;
  if (!isPlain || !isSame) spoiled(`${shown(entry.name)} does not stand in the file as the directory says`);
}

function flagsOf(name: string): number {
  return streamedFlag | (/^[\u0000-\u007f]*$/.test(name) ? 0 : utf8Flag);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeName(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return spoiled('a name in its directory is not UTF-8 text');
  }
}

async function exactly(files: Pick<Files, 'readSlice'>, { path, offset, length }: { readonly path: string; readonly offset: number; readonly length: number }): Promise<Uint8Array> {
  const bytes = offset < 0 ? new Uint8Array() : await files.readSlice(path, offset, length);
  return bytes.length === length ? bytes : spoiled('it is shorter than its directory says');
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A hostile name must not write over the terminal. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 197)}...` : name);
}

export function spoiled(what: string): never {
  return refuse('damaged', `This is not the zip that was packed: ${what}.`, { next: 'Get the file again from where it was packed, unchanged; nothing in it can be trusted.' });
}

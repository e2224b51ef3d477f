// Reads and writes the safetensors format: named arrays as data only, nothing that runs. Imported by harness/checkpoint.ts.
// Source: the format's specification (huggingface/safetensors, README "Format"): u64 header length, JSON header, bytes.

const LENGTH_BYTES = 8;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
const METADATA = '__metadata__';
const kinds = { F32: Float32Array, F64: Float64Array, I64: BigInt64Array } as const;
type Dtype = keyof typeof kinds;

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array | BigInt64Array;
}
export interface TensorFile {
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** The bytes are not a safetensors file that this reader accepts; the message says where. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

/** Little-endian, tensors in the order given, header padded with spaces to a multiple of 8. */
export function writeSafetensors({ tensors, metadata }: TensorFile): Uint8Array {
  const header: Record<string, unknown> = {};
  if (metadata.size > 0) header[METADATA] = Object.fromEntries(metadata);
  let end = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: dtypeOf(data), shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(LENGTH_BYTES + headerBytes + end).fill(0x20, LENGTH_BYTES, LENGTH_BYTES + headerBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerBytes), true);
  bytes.set(json, LENGTH_BYTES);
  let at = LENGTH_BYTES + headerBytes;
  for (const { data } of tensors.values()) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** Throws SafetensorsError on anything malformed: a header past the file or over 16 MiB, tensors that overlap, leave holes or end elsewhere. */
export function readSafetensors(bytes: Uint8Array): TensorFile {
  if (bytes.length < LENGTH_BYTES) throw new SafetensorsError(`the file has ${bytes.length} bytes, fewer than its length field`);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > BigInt(MAX_HEADER_BYTES)) throw new SafetensorsError(`a header of ${length} bytes is over the limit of ${MAX_HEADER_BYTES}`);
  const start = LENGTH_BYTES + Number(length);
  if (start > bytes.length) throw new SafetensorsError(`the header ends at ${start}, the file at ${bytes.length}`);
  const header = parseHeader(bytes.subarray(LENGTH_BYTES, start));
  const metadata = new Map<string, string>();
  const entries: Entry[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === METADATA) readMetadata(value, metadata);
    else entries.push(readEntry(name, value));
  }
  checkTiling(entries, bytes.length - start);
  return { tensors: new Map(entries.map((entry) => [entry.name, tensorOf(entry, bytes, start)])), metadata };
}

interface Entry {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

function dtypeOf(data: Tensor['data']): Dtype {
  return data instanceof Float32Array ? 'F32' : data instanceof Float64Array ? 'F64' : 'I64';
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new SafetensorsError('the header is not JSON in UTF-8');
  }
  if (!isRecord(header)) throw new SafetensorsError('the header is not an object');
  return header;
}

function readMetadata(value: unknown, into: Map<string, string>): void {
  if (!isRecord(value)) throw new SafetensorsError(`${METADATA} is not an object`);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw new SafetensorsError(`${METADATA}.${key} is not a string`);
    into.set(key, text);
  }
}

function readEntry(name: string, value: unknown): Entry {
  const fail = (what: string): never => {
    throw new SafetensorsError(`tensor ${JSON.stringify(name)}: ${what}`);
  };
  if (!isRecord(value)) return fail('is not an object');
  const { dtype, shape, data_offsets: offsets } = value;
  if (typeof dtype !== 'string' || !Object.hasOwn(kinds, dtype)) return fail(`dtype ${JSON.stringify(dtype)} is not F32, F64 or I64`);
  if (!isCounts(shape)) return fail('shape is not a list of non-negative integers');
  if (!isCounts(offsets) || offsets.length !== 2) return fail('data_offsets is not a pair of non-negative integers');
  const [begin, end] = offsets as [number, number];
  const size = shape.reduce((product, n) => product * n, 1) * kinds[dtype as Dtype].BYTES_PER_ELEMENT;
  if (end - begin !== size) fail(`its shape needs ${size} bytes, its offsets span ${end - begin}`);
  return { name, dtype: dtype as Dtype, shape, begin, end };
}

/** In order of their offsets the tensors must fill the bytes after the header without overlap, hole or rest. */
function checkTiling(entries: readonly Entry[], available: number): void {
  let reached = 0;
  for (const { name, begin, end } of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== reached) throw new SafetensorsError(`tensor ${JSON.stringify(name)} begins at ${begin}, the one before ends at ${reached}`);
    if (end > available) throw new SafetensorsError(`tensor ${JSON.stringify(name)} ends at ${end}, the data at ${available}`);
    reached = end;
  }
  if (reached !== available) throw new SafetensorsError(`the tensors end at ${reached}, the data at ${available}`);
}

/** A copy, because the file's bytes need not be aligned (and a Buffer's `slice` would be no copy). */
function tensorOf({ dtype, shape, begin, end }: Entry, bytes: Uint8Array, start: number): Tensor {
  const copy = new Uint8Array(end - begin);
  copy.set(bytes.subarray(start + begin, start + end));
  return { shape, data: new kinds[dtype](copy.buffer) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && (n as number) >= 0);
}

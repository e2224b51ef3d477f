// Whether a .safetensors file is whole, from its header alone. Imported by artifacts.ts only.
// Format: u64 LE header length, JSON header {name: {dtype, shape, data_offsets}}, then the data (huggingface.co/docs/safetensors).
import { z } from 'zod';

const tensor = z.object({
  dtype: z.string(),
  shape: z.array(z.number().int().nonnegative()),
  data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
});
const header = z.record(z.string(), z.unknown());

const bytesOf: Readonly<Record<string, number>> = { F64: 8, I64: 8, U64: 8, F32: 4, I32: 4, U32: 4, F16: 2, BF16: 2, I16: 2, U16: 2, I8: 1, U8: 1, BOOL: 1 };
export const headerPrefixBytes = 8;
/** The format's own cap. */
export const mostHeaderBytes = 100_000_000;

/** Null when the prefix cannot be right for a file of this size. */
export function readHeaderLength(prefix: Uint8Array, fileBytes: number): number | null {
  if (prefix.length < headerPrefixBytes) return null;
  const length = Number(new DataView(prefix.buffer, prefix.byteOffset, headerPrefixBytes).getBigUint64(0, true));
  return length >= 2 && length <= mostHeaderBytes && headerPrefixBytes + length <= fileBytes ? length : null;
}

/** Null when the header describes exactly `dataBytes` of data; otherwise what is wrong. */
export function checkHeader(text: string, dataBytes: number): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'its header is not JSON';
  }
  const parsed = header.safeParse(value);
  if (!parsed.success) return 'its header is no map of tensors';
  let end = 0;
  for (const [name, entry] of Object.entries(parsed.data)) {
    if (name === '__metadata__') continue;
    const one = tensor.safeParse(entry);
    if (!one.success) return `tensor "${name}" has no valid entry`;
    const [from, to] = one.data.data_offsets;
    const width = bytesOf[one.data.dtype];
    const wanted = width === undefined ? to - from : one.data.shape.reduce((count, size) => count * size, width);
    if (to - from !== wanted || to > dataBytes) return `tensor "${name}" does not fit the file`;
    end = Math.max(end, to);
  }
  if (end === 0) return 'it holds no tensor';
  return end === dataBytes ? null : `it has ${dataBytes} bytes of data where ${end} are described`;
}

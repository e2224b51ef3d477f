// Reads the one number of a TensorProto that holds exactly one; only summary-decoder.ts imports it.
// Two encodings exist: a repeated typed field (the Python helper) and raw little-endian tensor_content (TensorFlow in C++).
// Field numbers: tensorflow/core/framework/tensor.proto and tensor_shape.proto.
import { NUMBER_TYPES } from './tensor-types.ts';
import { LENGTH_DELIMITED, VARINT } from './wire-cursor.ts';
import type { WireCursor } from './wire-cursor.ts';

const DTYPE = (1 << 3) | VARINT;
const SHAPE = (2 << 3) | LENGTH_DELIMITED;
const CONTENT = (4 << 3) | LENGTH_DELIMITED;
const DIM = (2 << 3) | LENGTH_DELIMITED;
const UNKNOWN_RANK = (3 << 3) | VARINT;
const DIM_SIZE = (1 << 3) | VARINT;

/** The number in the TensorProto that the cursor has entered, or undefined when it is not one single number. */
export function readTensorScalar(cursor: WireCursor): number | undefined {
  const end = cursor.end;
  const type = NUMBER_TYPES.get(findDtype(cursor));
  if (type === undefined) return undefined;
  const { number, wireType, read } = type.field;
  const one = (number << 3) | wireType;
  const packed = (number << 3) | LENGTH_DELIMITED;
  let isOneElement = true;
  let count = 0;
  let value = 0;
  while (cursor.at < end) {
    const key = cursor.key();
    if (key === one) {
      value = read(cursor);
      count += 1;
    } else if (key === packed) {
      cursor.end = cursor.block();
      for (; cursor.at < cursor.end; count += 1) value = read(cursor);
      cursor.end = end;
    } else if (key === CONTENT) {
      const stop = cursor.block();
      if (stop - cursor.at === type.contentBytes) value = type.readContent(cursor.view, cursor.at);
      count += (stop - cursor.at) / type.contentBytes;
      cursor.at = stop;
    } else if (key === SHAPE) {
      isOneElement = isShapeOfOne(cursor);
    } else cursor.skip(key & 7);
  }
  return isOneElement && count === 1 && !cursor.isFailed ? value : undefined;
}

/** The dtype may follow the values, so it is looked up first; the cursor goes back afterwards. */
function findDtype(cursor: WireCursor): number {
  const start = cursor.at;
  let dtype = 0;
  while (cursor.at < cursor.end) {
    const key = cursor.key();
    if (key !== DTYPE) {
      cursor.skip(key & 7);
      continue;
    }
    dtype = cursor.int64();
    if (cursor.at - start === 2) break; // in its usual place, first
  }
  if (!cursor.isFailed) cursor.at = start;
  return dtype;
}

/** A TensorShapeProto without dimensions, or with dimensions of size 1 only. */
function isShapeOfOne(cursor: WireCursor): boolean {
  const outer = cursor.end;
  let isOne = true;
  cursor.end = cursor.block();
  while (cursor.at < cursor.end) {
    const key = cursor.key();
    if (key === DIM) isOne = readDimension(cursor) === 1 && isOne;
    else if (key === UNKNOWN_RANK) isOne = cursor.int64() === 0 && isOne;
    else cursor.skip(key & 7);
  }
  cursor.end = outer;
  return isOne;
}

function readDimension(cursor: WireCursor): number {
  const outer = cursor.end;
  let size = 0;
  cursor.end = cursor.block();
  while (cursor.at < cursor.end) {
    const key = cursor.key();
    if (key === DIM_SIZE) size = cursor.int64();
    else cursor.skip(key & 7);
  }
  cursor.end = outer;
  return size;
}

// How a TensorProto writes a number of each type, in its typed field and in tensor_content; only tensor-scalar.ts imports it.
// Numbers: DataType of tensorflow/core/framework/types.proto, fields of tensor.proto.
import { fromBfloat16, fromHalf } from './half-float.ts';
import { FIXED32, FIXED64, VARINT } from './wire-cursor.ts';
import type { WireCursor } from './wire-cursor.ts';

/** The repeated field that holds the values, and how one of them is read there. */
interface Field {
  readonly number: number;
  readonly wireType: number;
  readonly read: (cursor: WireCursor) => number;
}

export interface NumberType {
  readonly field: Field;
  readonly contentBytes: number;
  /** Reads the raw little-endian form. */
  readonly readContent: (view: DataView, at: number) => number;
}

const float: Field = { number: 5, wireType: FIXED32, read: (cursor) => cursor.float() };
const double: Field = { number: 6, wireType: FIXED64, read: (cursor) => cursor.double() };
const int: Field = { number: 7, wireType: VARINT, read: (cursor) => cursor.int64() };
const int64: Field = { ...int, number: 10 };
const bool: Field = { number: 11, wireType: VARINT, read: (cursor) => Math.min(1, cursor.uint64()) };
const half: Field = { number: 13, wireType: VARINT, read: (cursor) => fromHalf(cursor.uint64()) };
const bfloat16: Field = { ...half, read: (cursor) => fromBfloat16(cursor.uint64()) };
const uint32: Field = { number: 16, wireType: VARINT, read: (cursor) => cursor.uint64() };
const uint64: Field = { ...uint32, number: 17 };

/**
 * By dtype: FLOAT 1, DOUBLE 2, INT32 3, UINT8 4, INT16 5, INT8 6, INT64 9, BOOL 10, BFLOAT16 14, UINT16 17, HALF 19,
 * UINT32 22, UINT64 23.
 */
export const NUMBER_TYPES: ReadonlyMap<number, NumberType> = new Map<number, NumberType>([
  [1, { field: float, contentBytes: 4, readContent: (view, at) => view.getFloat32(at, true) }],
  [2, { field: double, contentBytes: 8, readContent: (view, at) => view.getFloat64(at, true) }],
  [3, { field: int, contentBytes: 4, readContent: (view, at) => view.getInt32(at, true) }],
  [4, { field: int, contentBytes: 1, readContent: (view, at) => view.getUint8(at) }],
  [5, { field: int, contentBytes: 2, readContent: (view, at) => view.getInt16(at, true) }],
  [6, { field: int, contentBytes: 1, readContent: (view, at) => view.getInt8(at) }],
  [9, { field: int64, contentBytes: 8, readContent: (view, at) => Number(view.getBigInt64(at, true)) }],
  [10, { field: bool, contentBytes: 1, readContent: (view, at) => Math.min(1, view.getUint8(at)) }],
  [14, { field: bfloat16, contentBytes: 2, readContent: (view, at) => fromBfloat16(view.getUint16(at, true)) }],
  [17, { field: int, contentBytes: 2, readContent: (view, at) => view.getUint16(at, true) }],
  [19, { field: half, contentBytes: 2, readContent: (view, at) => fromHalf(view.getUint16(at, true)) }],
  [22, { field: uint32, contentBytes: 4, readContent: (view, at) => view.getUint32(at, true) }],
  [23, { field: uint64, contentBytes: 8, readContent: (view, at) => Number(view.getBigUint64(at, true)) }],
]);

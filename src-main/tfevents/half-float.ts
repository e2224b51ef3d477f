// The two 16-bit float formats of a TensorProto, widened to a number; only tensor-types.ts imports it.

const word = new DataView(new ArrayBuffer(4));

/** IEEE 754 binary16 (1 sign, 5 exponent, 10 fraction bits) given as its 16 bits. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** bfloat16 is the upper half of a float32. */
export function fromBfloat16(bits: number): number {
  word.setUint32(0, (bits & 0xffff) * 65536);
  return word.getFloat32(0);
}

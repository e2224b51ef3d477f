// The one operation in which the two kernel modules differ. Part of the kernel module; AssemblyScript.

/** a * b + c; in the relaxed module the engine may round once instead of twice.. */
// @ts-ignore: decorator
@inline
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

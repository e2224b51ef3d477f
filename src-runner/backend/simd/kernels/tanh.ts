// tanh of four floats. Part of the kernel module; AssemblyScript.
import { multiplyAdd } from './arithmetic';

/**
 * The limit, and the coefficients of numerator and denominator. They are read from memory because the engine would build each vector
 * constant anew from integer registers, which costs more than the arithmetic.
 */
const table: usize = memory.data<f32>([
  7.90531110763549805, -7.90531110763549805,
  -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-8, 1.48572235717979e-5, 6.37261928875436e-4, 4.89352455891786e-3,
  1.19825839466702e-6, 1.18534705686654e-4, 2.26843463243900e-3, 4.89352518554385e-3,
]);

/**
 * The rational approximation of backend/plain/tanh.ts (degree 13 over 6), in single precision: within a few units in the last place,
 * exact at 0, odd, +-1 beyond +-7.9; NaN stays NaN.
 */
// @ts-ignore: decorator
@inline
export function tanhOf(x: v128): v128 {
  // pmin and pmax give their first operand where the comparison with a NaN fails.
  const y = f32x4.pmax(f32x4.pmin(x, v128.load32_splat(table)), v128.load32_splat(table, 4));
  const s = f32x4.mul(y, y);
  let p = multiplyAdd(v128.load32_splat(table, 8), s, v128.load32_splat(table, 12));
  p = multiplyAdd(p, s, v128.load32_splat(table, 16));
  p = multiplyAdd(p, s, v128.load32_splat(table, 20));
  p = multiplyAdd(p, s, v128.load32_splat(table, 24));
  p = multiplyAdd(p, s, v128.load32_splat(table, 28));
  p = multiplyAdd(p, s, v128.load32_splat(table, 32));
  let q = multiplyAdd(v128.load32_splat(table, 36), s, v128.load32_splat(table, 40));
  q = multiplyAdd(q, s, v128.load32_splat(table, 44));
  q = multiplyAdd(q, s, v128.load32_splat(table, 48));
  return f32x4.div(f32x4.mul(y, p), q);
}

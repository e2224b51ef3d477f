// tanh of four floats. Part of the kernel module; AssemblyScript.
import { multiplyAdd } from './arithmetic';

/**
 * The rational approximation of backend/plain/tanh.ts (degree 13 over 6), in single precision: within a few units in the last place,
 * exact at 0, odd, +-1 beyond +-7.9; NaN stays NaN.
 */
// @ts-ignore: decorator
@inline
export function tanhOf(x: v128): v128 {
  const limit = f32x4.splat(7.90531110763549805);
  // pmin and pmax give their first operand where the comparison with a NaN fails.
  const y = f32x4.pmax(f32x4.pmin(x, limit), f32x4.neg(limit));
  const s = f32x4.mul(y, y);
  let p = f32x4.splat(-2.76076847742355e-16);
  p = multiplyAdd(p, s, f32x4.splat(2.00018790482477e-13));
  p = multiplyAdd(p, s, f32x4.splat(-8.60467152213735e-11));
  p = multiplyAdd(p, s, f32x4.splat(5.12229709037114e-8));
  p = multiplyAdd(p, s, f32x4.splat(1.48572235717979e-5));
  p = multiplyAdd(p, s, f32x4.splat(6.37261928875436e-4));
  p = multiplyAdd(p, s, f32x4.splat(4.89352455891786e-3));
  let q = f32x4.splat(1.19825839466702e-6);
  q = multiplyAdd(q, s, f32x4.splat(1.18534705686654e-4));
  q = multiplyAdd(q, s, f32x4.splat(2.26843463243900e-3));
  q = multiplyAdd(q, s, f32x4.splat(4.89352518554385e-3));
  return f32x4.div(f32x4.mul(y, p), q);
}

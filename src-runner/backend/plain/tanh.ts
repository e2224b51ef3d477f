// A fast tanh for float32 activations. Imported by backend/plain.

/**
 * In place over data[0..count). Rational approximation of degree 13 over 6 (the coefficients of Eigen's float kernel),
 * within 3 units in the last place of float32; exact at 0, odd, +-1 beyond +-7.9; NaN stays NaN.
 */
export function tanhInPlace(data: Float32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const x = data[i]!;
    const y = x > 7.90531110763549805 ? 7.90531110763549805 : x < -7.90531110763549805 ? -7.90531110763549805 : x;
    const s = y * y;
    let p = -2.76076847742355e-16;
    p = p * s + 2.00018790482477e-13;
    p = p * s - 8.60467152213735e-11;
    p = p * s + 5.12229709037114e-8;
    p = p * s + 1.48572235717979e-5;
    p = p * s + 6.37261928875436e-4;
    p = p * s + 4.89352455891786e-3;
    let q = 1.19825839466702e-6;
    q = q * s + 1.18534705686654e-4;
    q = q * s + 2.26843463243900e-3;
    q = q * s + 4.89352518554385e-3;
    data[i] = (y * p) / q;
  }
}

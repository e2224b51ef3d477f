// The regularised incomplete beta function and its inverse. Imported by the distributions and intervals of this folder.
import { logGamma } from './gamma.ts';
import { solveBracketed } from './solve.ts';

/** ln B(a, b) for a, b > 0. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * I_x(a, b) for a, b > 0 and 0 <= x <= 1; about 1e-14 relative.
 * `complement` is 1 - x; give it where the caller knows it without cancellation.
 * Source: continued fraction DLMF 8.17.22, evaluated by the modified Lentz method.
 */
export function incompleteBeta(a: number, b: number, x: number, complement: number = 1 - x): number {
  if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1)) {
    throw new RangeError(`incompleteBeta needs a, b > 0 and 0 <= x <= 1, got ${a}, ${b}, ${x}`);
  }
  if (x === 0) return 0;
  if (complement === 0) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log(complement) - logBeta(a, b));
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(a, b, x)) / a;
  return 1 - (front * fraction(b, a, complement)) / b;
}

/** The x with I_x(a, b) = probability; 0 and 1 at the ends. */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability is between 0 and 1, got ${probability}`);
  if (probability === 0 || probability === 1) return probability;
  return solveBracketed((x) => incompleteBeta(a, b, x) - probability, 0, 1);
}

function fraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let value = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

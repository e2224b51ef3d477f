// The gamma function's logarithm and the regularised incomplete gamma functions. Imported by the distributions of this folder.

/**
 * ln Gamma(x) for x > 0; about 1e-15 relative, away from its zeros at 1 and 2 (absolute there).
 * Source: Stirling's series (DLMF 5.11.1) after raising x to 10 or more by Gamma(x + 1) = x Gamma(x).
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma needs x > 0, got ${x}`);
  let raised = x;
  let product = 1;
  while (raised < 10) {
    product *= raised;
    raised += 1;
  }
  const inverse = 1 / raised;
  const square = inverse * inverse;
  let series = 0;
  for (const coefficient of STIRLING) series = series * square + coefficient;
  return (raised - 0.5) * Math.log(raised) - raised + HALF_LOG_TWO_PI + series * inverse - Math.log(product);
}

/** B_2k / (2k (2k - 1)), highest first. */
const STIRLING = [1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12];
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

export interface GammaTails {
  /** P(a, x): the probability at or below x. */
  readonly lower: number;
  /** Q(a, x) = 1 - P(a, x), computed without cancellation. */
  readonly upper: number;
}

/** Regularised incomplete gamma functions for a > 0, x >= 0. Source: DLMF 8.11.4 (series) and 8.9.2 (continued fraction). */
export function incompleteGamma(a: number, x: number): GammaTails {
  if (!(a > 0) || !(x >= 0)) throw new RangeError(`incompleteGamma needs a > 0 and x >= 0, got ${a}, ${x}`);
  if (x === 0) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    const lower = front * series(a, x);
    return { lower, upper: 1 - lower };
  }
  const upper = front * fraction(a, x);
  return { lower: 1 - upper, upper };
}

function series(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < 10_000; n += 1) {
    term *= x / (a + n);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return sum;
}

/** Modified Lentz evaluation of the continued fraction of Q(a, x) without its front factor. */
function fraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < 10_000; n += 1) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b || tiny);
    c = b + numerator / c || tiny;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

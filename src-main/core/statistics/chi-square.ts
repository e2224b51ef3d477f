// The chi-square distribution. Anyone in core may import it.
import { incompleteGamma } from './gamma.ts';
import { solveBracketed } from './solve.ts';

/** P(X <= x) with `degrees` > 0 degrees of freedom. */
export function chiSquareCdf(x: number, degrees: number): number {
  return x <= 0 ? 0 : incompleteGamma(degrees / 2, x / 2).lower;
}

/** The x with P(X <= x) = probability; 0 and Infinity at 0 and 1. */
export function chiSquareQuantile(probability: number, degrees: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability is between 0 and 1, got ${probability}`);
  if (probability === 0) return 0;
  if (probability === 1) return Infinity;
  let high = degrees + 10;
  while (chiSquareCdf(high, degrees) < probability) high *= 2;
  return solveBracketed((x) => chiSquareCdf(x, degrees) - probability, 0, high);
}

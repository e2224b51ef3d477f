// The standard normal distribution. Anyone in core may import it.
import { incompleteGamma } from './gamma.ts';
import { solveBracketed } from './solve.ts';

/** P(Z <= z); about 1e-14 relative in the lower tail. Source: DLMF 7.11.1, erfc as an incomplete gamma function. */
export function normalCdf(z: number): number {
  const { lower, upper } = incompleteGamma(0.5, (z * z) / 2);
  return z < 0 ? upper / 2 : 0.5 + lower / 2;
}

/** The z with P(Z <= z) = probability; -Infinity and Infinity at 0 and 1. */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability is between 0 and 1, got ${probability}`);
  if (probability === 0.5) return 0;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  if (probability === 0) return -Infinity;
  return solveBracketed((z) => Math.log(normalCdf(z) / probability), -40, 0);
}

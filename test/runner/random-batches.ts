// Seeded random numbers and minibatches, and the promised equality, for the tests of the compute backends.
import { expect } from 'vitest';
import type { PolicyBatch } from '../../src-runner/backend/compute.ts';
import type { Generator } from '../../src-runner/seeding/generator.ts';

export function floats(count: number, generator: Generator, scale = 1): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: count }, () => scale * generator.normal());
}

export function policyBatch(rows: number, count: number, generator: Generator): PolicyBatch {
  return {
    rows,
    actions: Int32Array.from({ length: rows }, () => generator.integerBelow(count)),
    oldLogProbabilities: Float32Array.from({ length: rows }, () => -Math.log(count) + 0.3 * generator.normal()),
    advantages: floats(rows, generator),
    clip: 0.2,
    entropyScale: 0.01,
  };
}

/** |a - b| <= 1e-5 * max(1, |b|), number by number. */
export function expectEqual(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-5): void {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < b.length; i++) expect(Math.abs(a[i]! - b[i]!), `at ${i}: ${a[i]} and ${b[i]}`).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(b[i]!)));
}

// Losses against published vectors and against finite differences.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { logSoftmax } from '../../src-runner/losses/categorical.ts';
import { meanEntropy } from '../../src-runner/losses/entropy.ts';
import { meanKl } from '../../src-runner/losses/kl.ts';
import { ppoSurrogate } from '../../src-runner/losses/ppo-surrogate.ts';
import { valueLoss } from '../../src-runner/losses/value.ts';

const toy = {
  logits: Float32Array.of(0.2, -0.1, 0.5, 1, 0, -1),
  old: Float32Array.of(0, 0, 0, 0.5, 0.5, -0.5),
  actions: Int32Array.of(2, 0),
  advantages: Float32Array.of(1, -0.5),
  values: Float32Array.of(0.3, 0.6),
  targets: Float32Array.of(1, 0.2),
};

describe('losses', () => {
  it('RU9: the published PPO toy: ratios, divergences, entropies and totals', () => {
    const now = logProbabilitiesOf(toy.logits, 3);
    const before = logProbabilitiesOf(toy.old, 3);
    const ratio = (row: number): number => Math.exp(now[row * 3 + toy.actions[row]!]! - before[row * 3 + toy.actions[row]!]!);
    expect(ratio(0)).toBeCloseTo(1.31025545, 6);
    expect(ratio(1)).toBeCloseTo(1.57521038, 6);
    const scratch = new Float32Array(6);
    const kls = [0, 1].map((row) => meanKl(before.subarray(row * 3, row * 3 + 3), now.subarray(row * 3, row * 3 + 3), 1, 3, 0, scratch));
    expect(kls[0]).toBeCloseTo(0.02977788, 6);
    expect(kls[1]).toBeCloseTo(0.12329236, 6);
    const entropies = [0, 1].map((row) => meanEntropy(now.subarray(row * 3, row * 3 + 3), 1, 3, 0, scratch));
    expect(entropies[0]).toBeCloseTo(1.06927297, 6);
    expect(entropies[1]).toBeCloseTo(0.83239558, 6);
    const surrogate = ppoSurrogate(surrogateInput(now, before), scratch).loss;
    const value = valueLoss({ rows: 2, values: toy.values, targets: toy.targets, scale: 0.5, cap: 10 }, new Float32Array(2));
    const withoutKl = surrogate + 0.5 * value - 0.01 * meanEntropy(now, 2, 3, 0, scratch);
    expect(withoutKl).toBeCloseTo(-0.0532057471, 6);
    expect(withoutKl + 0.2 * meanKl(before, now, 2, 3, 0, scratch)).toBeCloseTo(-0.0378987228, 6);
  });

  it('RU9: the gradient by the logits equals finite differences of surrogate, entropy and divergence', () => {
    const row = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(row, row, fc.integer({ min: 0, max: 2 }), fc.double({ min: -2, max: 2, noNaN: true }), (logits, old, action, advantage) => {
        const before = logProbabilitiesOf(Float32Array.from(old), 3);
        const loss = (z: Float32Array, gradient: Float32Array): number => {
          const now = logProbabilitiesOf(z, 3);
          const input = { rows: 1, count: 3, logProbabilities: now, actions: Int32Array.of(action), oldLogProbabilities: before.subarray(action, action + 1), advantages: Float32Array.of(advantage), clip: 0.2 };
          const surrogate = ppoSurrogate(input, gradient).loss;
          return surrogate - 0.3 * meanEntropy(now, 1, 3, -0.3, gradient) + 0.7 * meanKl(before, now, 1, 3, 0.7, gradient);
        };
        const z = Float32Array.from(logits);
        const ratio = Math.exp(logProbabilitiesOf(z, 3)[action]! - before[action]!);
        fc.pre(Math.abs(ratio - 0.8) > 0.05 && Math.abs(ratio - 1.2) > 0.05);
        const gradient = new Float32Array(3);
        loss(z, gradient);
        for (let j = 0; j < 3; j++) {
          const h = 2 ** -8;
          const at = (d: number): number => loss(z.map((v, i) => (i === j ? v + d : v)), new Float32Array(3));
          expect(Math.abs((at(h) - at(-h)) / (2 * h) - gradient[j]!)).toBeLessThan(2e-3 * Math.max(1, ratio));
        }
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  it('RU9: the value loss caps the squared error per item and has no gradient beyond the cap', () => {
    const gradient = new Float32Array(3);
    const loss = valueLoss({ rows: 3, values: Float32Array.of(1, 2, 10), targets: Float32Array.of(0, 0, 0), scale: 0.5, cap: 10 }, gradient);
    expect(loss).toBeCloseTo((1 + 4 + 10) / 3, 6);
    expect([...gradient].map((g) => Math.round(g * 3e6) / 1e6)).toEqual([1, 2, 0]);
  });

  it('RU9: NaN logits give NaN losses and never throw', () => {
    const now = logProbabilitiesOf(Float32Array.of(NaN, 0, 0, NaN, 1, 2), 3);
    expect(ppoSurrogate(surrogateInput(now, logProbabilitiesOf(toy.old, 3)), new Float32Array(6)).loss).toBeNaN();
    expect(meanEntropy(now, 2, 3, 1, new Float32Array(6))).toBeNaN();
  });
});

function surrogateInput(now: Float32Array, before: Float32Array) {
  const oldLogProbabilities = Float32Array.from(toy.actions, (action, row) => before[row * 3 + action]!);
  return { rows: 2, count: 3, logProbabilities: now, actions: toy.actions, oldLogProbabilities, advantages: toy.advantages, clip: 0.2 };
}

function logProbabilitiesOf(logits: Float32Array, count: number): Float32Array {
  const out = new Float32Array(logits.length);
  logSoftmax(logits, logits.length / count, count, out);
  return out;
}

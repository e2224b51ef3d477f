import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictFile } from '../../../src-protocol/files/verdict.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { decideAtLook, makeVerdict } from '../../../src-main/core/campaign/verdict.ts';
import type { FreshPair, VerifyRules } from '../../../src-main/core/campaign/verdict.ts';
import { planPower } from '../../../src-main/core/statistics/plan-power.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';
import { rules, success, ran, recordsOf, verdictOf } from './verify-on-paper.ts';

describe('properties', () => {
  const scores = fc.oneof(fc.double({ min: -1000, max: 1000, noNaN: true }), fc.integer({ min: -3, max: 3 }), fc.constantFrom(null, NaN, Infinity));
  const run = fc.record({ score: scores, guardrail: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)) });
  const pairs = fc.array(fc.record({ winner: run, baseline: run }), { maxLength: 12 });
  const anyRules = fc.record({
    looks: fc.constantFrom([5], [5, 8, 10], [3, 5], []),
    equivalenceMargin: fc.constantFrom(null, 0, 1, 100),
    determinism: fc.constantFrom('bit-identical', 'repeatable', 'divergent', null),
    below: fc.constantFrom(null, -500, 0),
    isGuarded: fc.boolean(),
    isCompleting: fc.boolean(),
    direction: fc.constantFrom('maximise', 'minimise'),
    repeat: fc.constantFrom(null, { score: 160 }, { score: 3 }, { score: null }),
    winner: fc.constantFrom('hz120', 'baseline'),
  });

  it('V17: V20: word, interval and file agree, and the decision repeats', () => {
    fc.assert(
      fc.property(pairs, anyRules, (rows, choice) => {
        const list = rows.map((row, i) => ({
          seed: i,
          winner: ran(row.winner.score, { success: row.winner.guardrail }),
          baseline: ran(row.baseline.score, { success: row.baseline.guardrail }),
        }));
        const records = recordsOf([], { pairs: list, repeat: choice.repeat, winner: choice.winner });
        const used: VerifyRules = {
          ...rules,
          metric: { ...rules.metric, direction: choice.direction },
          looks: choice.looks,
          equivalenceMargin: choice.equivalenceMargin,
          determinism: choice.determinism,
          collapse: { below: choice.below, floor: -900 },
          guardrails: choice.isGuarded ? [success] : [],
          isCompleting: choice.isCompleting,
        };
        const verdict = makeVerdict('cartpole', records, used);
        expect(verdictFile.parse(JSON.parse(stringifyWire(verdict)))).toEqual(zeroed(verdict));
        const { lower, upper } = verdict.estimate ?? { lower: -Infinity, upper: Infinity };
        if (verdict.word === 'better') expect(lower).toBeGreaterThan(0);
        if (verdict.word === 'worse') expect(upper).toBeLessThan(0);
        if (verdict.word === 'unproven' && verdict.repeat.state === 'reproduced') expect(lower > 0 || upper < 0).toBe(false);
        if (verdict.word === 'tied') expect(lower <= 0 && upper >= 0).toBe(true);
        const text = [verdict.headline, ...verdict.sentences].join(' ');
        expect(text).not.toMatch(/undefined|null|NaN/);
        const decision = decideAtLook(records, used);
        expect(decideAtLook({ ...records, pairs: [...list] }, used)).toEqual(decision);
        if (decision.kind === 'stop') expect(decision).toEqual({ kind: 'stop', word: verdict.word, reason: verdict.stop });
        else expect([verdict.stop, decision.pairs > verdict.plan.used]).toEqual(['cut_short', true]);
      }),
      { numRuns: 250 },
    );
  });

  it('V20: pairs beyond the look that ended the plan change neither word nor estimate', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 30 }), { minLength: 10, maxLength: 10 }), (differences) => {
        const whole = verdictOf(differences);
        const cut = verdictOf(differences.slice(0, whole.plan.used));
        expect([cut.word, cut.stop, cut.estimate]).toEqual([whole.word, whole.stop, whole.estimate]);
      }),
    );
  });
});

describe('error and power', () => {
  const repeats = 20_000;
  const plan: VerifyRules = { ...rules, collapse: { below: null, floor: 0 } };

  /** Shares of verdicts for independent arms; effect in seed sd of one arm. */
  function simulate(looks: readonly number[], effect: number): Record<'better' | 'worse', number> & { readonly pairs: number } {
    const random = makeRandom(1);
    const shares = { better: 0, worse: 0, pairs: 0 };
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const pairs: FreshPair[] = [];
      for (;;) {
        const decision = decideAtLook(recordsOf([], { pairs }), { ...plan, looks });
        if (decision.kind === 'stop') {
          if (decision.word === 'better' || decision.word === 'worse') shares[decision.word] += 1 / repeats;
          shares.pairs += pairs.length / repeats;
          break;
        }
        while (pairs.length < decision.pairs) {
          pairs.push({ seed: pairs.length, winner: ran(50 + 7 * (random.normal() + effect)), baseline: ran(50 + 7 * random.normal()) });
        }
      }
    }
    return shares;
  }

  it.each([
    [[5, 8, 10], 0, 0.025],
    [[5, 8, 10], 1, 0.42],
    [[5, 8, 10], 2, 0.945],
    [[5], 3, 0.94],
  ] as const)('V18: %j at an effect of %d sd says "better" with chance %d', (looks, effect, expected) => {
    const shares = simulate(looks, effect);
    const error = (share: number): number => 3 * Math.sqrt((share * (1 - share)) / repeats);
    // The expectation is printed with two or three digits; the power of the plan is known more closely.
    expect(Math.abs(shares.better - expected)).toBeLessThan(error(expected) + 0.005);
    expect(Math.abs(shares.better - planPower(looks, effect))).toBeLessThan(error(expected) + 0.003);
    if (effect === 0) {
      expect(shares.better + shares.worse).toBeLessThan(0.05 + error(0.05));
      expect(shares.pairs).toBeLessThan(6.5);
    }
  });
});

/** JSON has no negative zero. */
function zeroed<T>(value: T): T {
  if (typeof value === 'number') return (value + 0) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => zeroed(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, zeroed(item as unknown)])) as T;
}

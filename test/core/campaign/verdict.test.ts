import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictFile, verdictWord, winnerFile } from '../../../src-protocol/files/verdict.ts';
import type { VerdictFile, WinnerFile } from '../../../src-protocol/files/verdict.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { decideAtLook, judgeRepeat, makeVerdict } from '../../../src-main/core/campaign/verdict.ts';
import type { FreshPair, FreshRun, GuardrailRule, VerifyRecords, VerifyRules } from '../../../src-main/core/campaign/verdict.ts';
import { planPower } from '../../../src-main/core/statistics/plan-power.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';

const rules: VerifyRules = {
  metric: { name: 'return', unit: null, direction: 'maximise' },
  looks: [5, 8, 10],
  tolerance: 0.15,
  scoreScale: 1,
  determinism: 'repeatable',
  equivalenceMargin: null,
  collapse: { below: null, floor: 20 },
  guardrails: [],
  isCompleting: false,
};
const success: GuardrailRule = { name: 'success', unit: null, direction: 'maximise', margin: 0.02, floor: 0 };

function ran(score: number | null, guardrails: Record<string, number | null> = {}): FreshRun {
  return { outcome: score === null ? 'failed' : 'scored', score, guardrails };
}

/** Baselines near 100 (their spread is real), winners above them by the given differences. */
function pairsOf(differences: readonly number[]): readonly FreshPair[] {
  return differences.map((d, i) => {
    const base = 100 + ((i * 7) % 5);
    return { seed: 1000 + i, winner: ran(base + d), baseline: ran(base) };
  });
}

function recordsOf(differences: readonly number[], over: Partial<VerifyRecords> = {}): VerifyRecords {
  return { winner: 'hz120', baseline: 'baseline', refineScore: 160, repeat: { score: 158 }, pairs: pairsOf(differences), ...over };
}

function verdictOf(differences: readonly number[], over: Partial<VerifyRules> = {}, records: Partial<VerifyRecords> = {}): VerdictFile {
  return makeVerdict('cartpole', recordsOf(differences, records), { ...rules, ...over });
}

const clearGain = [50, 55, 48, 60, 52];
const clearLoss = clearGain.map((d) => -d);
const unclear = [9, -4, 6, 1, -2, 8, 3, 5, -3, -1];

describe('pairs and the pipeline repeat', () => {
  it('V1: differences are paired by seed, and a look waits for its pairs', () => {
    expect(decideAtLook(recordsOf([]), rules)).toEqual({ kind: 'continue', pairs: 5 });
    expect(decideAtLook(recordsOf(unclear.slice(0, 4)), rules)).toEqual({ kind: 'continue', pairs: 5 });
    expect(decideAtLook(recordsOf(unclear.slice(0, 5)), rules)).toEqual({ kind: 'continue', pairs: 8 });
    expect(decideAtLook(recordsOf(unclear.slice(0, 7)), rules)).toEqual({ kind: 'continue', pairs: 8 });
    expect(verdictOf(clearGain).pairs.map(({ seed, difference }) => [seed, difference])).toEqual(clearGain.map((d, i) => [1000 + i, d]));
  });

  it.each([
    [100, 85, 'repeatable', 'reproduced', false],
    [100, 84.9, 'repeatable', 'not_reproduced', false],
    [100, 115, 'divergent', 'reproduced', false],
    [100, 115.1, 'divergent', 'reproduced', true],
    [-100, -115, 'repeatable', 'reproduced', false],
    [-100, -115.1, 'repeatable', 'not_reproduced', false],
    [0.2, 0.051, 'repeatable', 'reproduced', false],
    [0.2, 0.049, 'repeatable', 'not_reproduced', false],
    [100, 100, 'bit-identical', 'reproduced', false],
    [100, 100.001, 'bit-identical', 'not_reproduced', false],
    [100, 99.999, 'bit-identical', 'not_reproduced', false],
    [100, null, 'repeatable', 'not_reproduced', false],
    [100, NaN, null, 'not_reproduced', false],
    [100, 86, null, 'reproduced', false],
  ] as const)('V2: %d again as %d on a %s machine: %s', (original, rerun, determinism, state, exceeded) => {
    const repeat = judgeRepeat({ refineScore: original, repeat: { score: rerun } }, { ...rules, determinism });
    expect(repeat).toMatchObject({ state, exceeded });
  });

  it('V2: not reproduced stops before any fresh seed is spent', () => {
    const records = recordsOf([], { repeat: { score: 100 } });
    expect(decideAtLook(records, rules)).toEqual({ kind: 'stop', word: 'not_reproduced', reason: 'not_reproduced' });
    const verdict = makeVerdict('cartpole', records, rules);
    expect(verdict.headline).toBe('Not reproduced: trained again on the same seed, hz120 scored 100 instead of 160.');
    expect(verdict.repeat.lowest_accepted).toBe(136);
  });
});

describe('collapses', () => {
  const collapse = { below: 30, floor: 20 };
  it('V3: a failed, non-finite or too low run counts at the floor', () => {
    const [first, ...rest] = pairsOf(clearGain);
    for (const run of [ran(null), ran(NaN), ran(29.9), ran(-Infinity)]) {
      const verdict = verdictOf([], { collapse }, { pairs: [{ seed: 1000, winner: run, baseline: first?.baseline ?? run }, ...rest] });
      expect(verdict.pairs[0]).toMatchObject({ winner: 20, difference: -80, winner_collapsed: true, baseline_collapsed: false });
      expect(verdict.collapses?.winner).toMatchObject({ collapsed: 1, runs: 5 });
      expect(verdict.collapses?.baseline.upper_bound).toBeCloseTo(0.4507, 4);
      expect(verdict.word).toBe('unproven');
      expect(verdict.sentences.join(' ')).toContain('Training collapsed for hz120 in 1 of 5 (the true share may be up to 66 %)');
    }
    expect(verdictOf([], { collapse }, { pairs: [{ seed: 1, winner: ran(30), baseline: ran(90) }, ...rest] }).pairs[0]?.winner_collapsed).toBe(false);
  });

  it('V3: the seed spread leaves collapsed runs out, the mean does not', () => {
    const pairs = pairsOf(clearGain).map((pair, i) => (i === 2 ? { ...pair, baseline: ran(null) } : pair));
    const verdict = verdictOf([], { collapse }, { pairs });
    expect(verdict.seed_spread?.degrees).toBe(4 + 3);
    expect(verdict.seed_spread?.sd).toBeLessThan(10);
    expect(verdict.estimate?.mean).toBeGreaterThan(60);
  });
});

describe('looks', () => {
  it('V4: a clear difference ends the plan at its first look', () => {
    expect(decideAtLook(recordsOf(clearGain), rules)).toEqual({ kind: 'stop', word: 'better', reason: 'decided' });
    expect(decideAtLook(recordsOf(clearLoss), rules)).toEqual({ kind: 'stop', word: 'worse', reason: 'decided' });
    expect(decideAtLook(recordsOf([0.1, -0.1, 0.05, 0, 0.02]), { ...rules, equivalenceMargin: 1 })).toMatchObject({ word: 'tied', reason: 'decided' });
    const verdict = verdictOf(clearGain);
    expect(verdict.plan).toMatchObject({ used: 5, nominal_level: 0.0227, overall_level: 0.05 });
    expect(verdict.estimate?.level).toBe(0.0227);
    expect(verdict.headline).toBe('Better: hz120 raised return by 53.0 against baseline (95 % over the plan: 45.4 to 60.6; 5 fresh seeds each).');
  });

  it('V4: every look that was read is kept, and pairs beyond the last one are shown uncounted', () => {
    const verdict = verdictOf(unclear);
    expect(verdict.looks.map(({ pairs, word }) => [pairs, word])).toEqual([5, 8, 10].map((n) => [n, 'unproven']));
    expect(verdict.stop).toBe('last_look');
    const early = verdictOf([...clearGain, 5, 6]);
    expect(early.pairs.map(({ counted }) => counted)).toEqual([true, true, true, true, true, false, false]);
    expect(early.estimate?.pairs).toBe(5);
  });

  it('V5: stops where no remaining look could read better', () => {
    const hopeless = [-1, -5, 2, -4, -3];
    expect(decideAtLook(recordsOf(hopeless), rules)).toEqual({ kind: 'stop', word: 'unproven', reason: 'futility' });
    expect(verdictOf(hopeless).sentences.join(' ')).toContain('Stopped at 5 of up to 10 pairs');
  });

  it('V13: on request all looks are run and the last one is read', () => {
    const completing = { ...rules, isCompleting: true };
    expect(decideAtLook(recordsOf(clearGain), completing)).toEqual({ kind: 'continue', pairs: 8 });
    const faded = [...clearGain, -200, -150, -100, -250, -80];
    expect(verdictOf(faded).word).toBe('better');
    expect(verdictOf(faded, { isCompleting: true })).toMatchObject({ word: 'unproven', stop: 'completed', plan: { used: 10 } });
  });

  it('V14: a campaign that ends between looks is read at the last one it reached', () => {
    expect(verdictOf(unclear.slice(0, 6))).toMatchObject({ word: 'unproven', stop: 'cut_short', plan: { used: 5 } });
    const none = verdictOf(unclear.slice(0, 3));
    expect(none).toMatchObject({ word: 'unproven', stop: 'cut_short', plan: { used: 0 }, estimate: null, collapses: null, sign_flip_p: null });
    expect(none.headline).toBe('Unproven: the campaign ended after 3 of the 5 pairs of fresh seeds that the first look needs.');
  });
});

describe('words', () => {
  const broken = (pair: FreshPair, i: number): FreshPair => ({
    ...pair,
    winner: { ...pair.winner, guardrails: { success: 0.5 + i / 100 } },
    baseline: { ...pair.baseline, guardrails: { success: 0.9 } },
  });

  it('V6: the list is closed, and the words come in order', () => {
    expect([...verdictWord.options].sort()).toEqual(
      ['better', 'guardrail_failed', 'no_better_candidate', 'not_reproduced', 'tied', 'unproven', 'worse'],
    );
    const pairs = pairsOf(clearGain).map(broken);
    const guarded = { guardrails: [success] };
    expect(verdictOf([], guarded, { pairs, repeat: { score: 0 } }).word).toBe('not_reproduced');
    expect(verdictOf([], guarded, { pairs }).word).toBe('guardrail_failed');
    expect(verdictOf([], {}, { pairs }).word).toBe('better');
    expect(verdictOf(clearLoss).word).toBe('worse');
    expect(verdictOf(unclear, { equivalenceMargin: 50 }).word).toBe('tied');
    expect(verdictOf(unclear).word).toBe('unproven');
  });

  it('V7: better by less than what matters says so', () => {
    const small = verdictOf(clearGain, { equivalenceMargin: 100 });
    expect(small).toMatchObject({ word: 'better', equivalence: { margin: 100, within: true } });
    expect(small.headline).toMatch(/^Better, by less than you said matters: hz120 raised return/);
    expect(verdictOf(clearLoss, { equivalenceMargin: 100 }).headline).toMatch(/^Worse, by less than you said matters: hz120 lowered return/);
    expect(verdictOf(clearGain, { equivalenceMargin: 55 }).headline).toMatch(/^Better: /);
  });

  it('V8: tied needs a margin, or no difference at all', () => {
    const same = verdictOf([0, 0, 0, 0, 0]);
    expect(same).toMatchObject({ word: 'tied', stop: 'decided' });
    expect(same.headline).toBe('Tied: hz120 and baseline scored the same on every fresh seed.');
    expect(verdictOf(unclear, { equivalenceMargin: 2 }).word).toBe('unproven');
    expect(verdictOf(unclear, { equivalenceMargin: 20 }).headline).toMatch(/^Tied: hz120 and baseline differ by less than the 20 you said matters/);
  });

  it('V9: equal differences prove nothing before 8 pairs', () => {
    const equal = (pairs: number): VerdictFile => verdictOf(new Array<number>(pairs).fill(3));
    expect(decideAtLook(recordsOf([3, 3, 3, 3, 3]), rules)).toEqual({ kind: 'continue', pairs: 8 });
    expect(equal(5)).toMatchObject({ word: 'unproven', estimate: { lower: -Infinity, upper: Infinity, sd: 0 } });
    expect(equal(5).headline).toBe('Unproven: every difference was the same, 3; that proves nothing before 8 pairs.');
    expect(equal(8)).toMatchObject({ word: 'better', stop: 'decided' });
    expect(verdictOf([-3, -3, -3, -3, -3], { looks: [5] }).word).toBe('unproven');
  });

  it('V11: a baseline that wins is repeated and nothing more', () => {
    const records = { winner: 'baseline' };
    expect(decideAtLook(recordsOf([], records), rules)).toMatchObject({ kind: 'stop', word: 'no_better_candidate' });
    expect(verdictOf([], {}, records).headline).toBe('No better candidate: the baseline itself ranked first.');
    expect(verdictOf([], {}, { ...records, repeat: { score: 1 } }).word).toBe('not_reproduced');
    const nobody = verdictOf([], {}, { winner: null, refineScore: null, repeat: null });
    expect(nobody).toMatchObject({ word: 'no_better_candidate', winner: null, sentences: [] });
  });

  it('V12: without looks nothing is claimed', () => {
    const verdict = verdictOf([], { looks: [] });
    expect(verdict).toMatchObject({ word: 'unproven', stop: 'no_looks', could_prove: null, plan: { nominal_level: null } });
    expect(verdict.headline).toBe('Reproduced, unproven: not tested on fresh seeds.');
  });

  it('V21: a winner that was not trained again is never better', () => {
    const verdict = verdictOf(clearGain, {}, { repeat: null });
    expect(verdict).toMatchObject({ word: 'unproven', repeat: { state: 'not_run' } });
    expect(verdict.headline).toContain('not trained again on its own seed');
    expect(verdictOf(clearLoss, {}, { repeat: null }).word).toBe('worse');
  });
});

describe('guardrails', () => {
  function guarded(losses: readonly (number | null)[], differences: readonly number[] = clearGain): readonly FreshPair[] {
    return pairsOf(differences).map((pair, i) => {
      const loss = losses[i] ?? null;
      return {
        ...pair,
        winner: { ...pair.winner, guardrails: { success: loss === null ? null : 0.9 - loss } },
        baseline: { ...pair.baseline, guardrails: { success: 0.9 } },
      };
    });
  }
  const only = (margin: number): Partial<VerifyRules> => ({ looks: [5], guardrails: [{ ...success, margin }] });
  const noisy = [0.01, -0.01, 0.005, -0.012, 0];

  it('V10: held iff the interval lies above -margin', () => {
    const at = (margin: number): VerdictFile => verdictOf([], only(margin), { pairs: guarded(noisy) });
    const lower = at(1).guardrails[0]?.estimate?.lower ?? NaN;
    expect(lower).toBeLessThan(0);
    expect(at(-lower + 1e-9)).toMatchObject({ word: 'better', guardrails: [{ state: 'held' }] });
    expect(at(-lower - 1e-9)).toMatchObject({ word: 'guardrail_failed', guardrails: [{ state: 'unproven' }] });
    expect(at(-lower - 1e-9).headline).toBe('Guardrail failed: hz120 was not shown to keep success within what you allowed.');
  });

  it('V10: an early better waits for an open guardrail, and a broken one ends the plan', () => {
    const early = { ...rules, guardrails: [{ ...success, margin: 0.001 }] };
    expect(decideAtLook(recordsOf([], { pairs: guarded(noisy) }), early)).toEqual({ kind: 'continue', pairs: 8 });
    const lost = [0.3, 0.31, 0.29, 0.3, 0.32];
    expect(decideAtLook(recordsOf([], { pairs: guarded(lost) }), early)).toMatchObject({ word: 'guardrail_failed', reason: 'decided' });
    expect(decideAtLook(recordsOf([], { pairs: guarded(noisy, clearLoss) }), early)).toMatchObject({ word: 'worse', reason: 'decided' });
  });

  it('V10: equal values hold where none is a loss; a missing value does not hold', () => {
    const word = (losses: readonly (number | null)[]): string => verdictOf([], only(0.02), { pairs: guarded(losses) }).word;
    expect(word([0, 0, 0, 0, 0])).toBe('better');
    expect(word(new Array<number>(5).fill(-0.0625))).toBe('better');
    expect(word(new Array<number>(5).fill(0.0625))).toBe('guardrail_failed');
    expect(word([0, 0, null, 0, 0])).toBe('guardrail_failed');
  });

  it('V10: a failed run stands at the floor of the guardrail', () => {
    const pairs = guarded([0, 0, 0, 0, 0]).map((pair, i) => (i === 0 ? { ...pair, winner: ran(null) } : pair));
    expect(verdictOf([], only(0.02), { pairs }).guardrails[0]?.estimate?.mean).toBeCloseTo(-0.18, 12);
    expect(verdictOf([], { guardrails: [{ ...success, floor: null }] }, { pairs }).guardrails[0]?.state).toBe('not_measured');
  });
});

describe('what is printed', () => {
  it('V15: each summary from its own number of pairs on', () => {
    const five = verdictOf(unclear.slice(0, 5), { looks: [5] });
    expect([five.sign_flip_p, five.iqm]).toEqual([null, null]);
    const six = verdictOf(unclear.slice(0, 6), { looks: [6] });
    expect(six.sign_flip_p).toBeGreaterThan(0);
    const ten = verdictOf(unclear);
    expect(ten.iqm?.winner).toBeGreaterThan(100);
    expect(ten.probability_of_improvement).toBeGreaterThan(0.5);
    expect(ten.correlation).not.toBeNull();
    expect(ten.worst_seed?.winner).toEqual({ seed: 1001, score: 98 });
    expect(ten.could_prove).toMatchObject({ power: 0.8 });
    expect(ten.could_prove?.effect_score).toBeCloseTo((ten.could_prove?.effect_sd ?? 0) * (ten.seed_spread?.sd ?? 0), 9);
  });

  it('V16: the selection score is marked and is never the headline', () => {
    const verdict = verdictOf(clearGain);
    expect(verdict.selection).toEqual({ score: 160, note: 'used to pick, biased upward' });
    expect(verdict.headline).not.toContain('160');
    expect(verdict.sentences.at(-1)).toMatch(/^The score that picked it, 160\.?\d*, is biased upward/);
  });

  it('V19: a minimised metric is printed on its own axis, with its unit', () => {
    const metric = { name: 'energy', unit: 'J', direction: 'minimise' } as const;
    const pairs = pairsOf(clearGain).map(({ seed, winner, baseline }) => ({
      seed,
      winner: ran((winner.score ?? 0) - 500),
      baseline: ran((baseline.score ?? 0) - 500),
    }));
    const verdict = verdictOf([], { metric }, { pairs, refineScore: -340, repeat: { score: -342 } });
    expect(verdict.headline).toBe('Better: hz120 lowered energy by 53.0 J against baseline (95 % over the plan: 45.4 to 60.6; 5 fresh seeds each).');
    expect(verdict.sentences[0]).toMatch(/scored 342.* J after 340.* J: reproduced \(at most 391.* J was needed\)/);
    const open = verdictOf(unclear, { metric });
    expect(open.headline).toMatch(/in energy may be anything from -6\.3 to 1\.9 J/);
  });

  it('V22: winner.json holds what a user of the winner needs', () => {
    const verdict = verdictOf(clearGain);
    const winner: WinnerFile = {
      name: 'hz120',
      candidate: { env_cfg: { decimation: 1 } },
      seed: 42,
      timesteps: 24000,
      refine_score: 160,
      verify_score: verdict.repeat.rerun,
      reproduced: verdict.repeat.state === 'reproduced',
      tolerance: verdict.repeat.tolerance,
      margin: 22,
      total_campaign_hours: 1.5,
      verdict: verdict.word,
      estimate: verdict.estimate,
      n_seeds: verdict.plan.used,
      collapses: verdict.collapses,
      determinism_class: 'repeatable',
    };
    expect(winnerFile.parse(JSON.parse(stringifyWire(winner)))).toEqual(winner);
    expect(() => winnerFile.parse({ ...winner, extra: 1 })).toThrow();
  });
});

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

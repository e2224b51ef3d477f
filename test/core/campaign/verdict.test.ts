import { describe, expect, it } from 'vitest';
import { verdictWord } from '../../../src-protocol/files/verdict.ts';
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { decideAtLook, judgeRepeat, makeVerdict } from '../../../src-main/core/campaign/verdict.ts';
import type { FreshPair, VerifyRules } from '../../../src-main/core/campaign/verdict.ts';
import { rules, success, ran, pairsOf, recordsOf, verdictOf, clearGain, clearLoss, unclear } from './verify-on-paper.ts';

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

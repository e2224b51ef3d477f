import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rank } from '../../../src-main/core/campaign/ranking.ts';
import type { Ranking, RankingOptions, RankingRecord } from '../../../src-main/core/campaign/ranking.ts';

const options: RankingOptions = { tieBand: 0.02, scoreScale: 1, t90Axis: 'steps', seedSd: null, trainingRewardSd: null };

function record(candidate: string, score: number | null, over: Partial<RankingRecord> = {}): RankingRecord {
  return {
    candidate,
    score,
    isEvaluationValid: score !== null,
    t90Steps: 1000,
    t90Seconds: 60,
    changedSettings: candidate === 'baseline' ? 0 : 1,
    isBaseline: candidate === 'baseline',
    finalTrainingReward: 10,
    ...over,
  };
}

function order(records: readonly RankingRecord[], over: Partial<RankingOptions> = {}): readonly string[] {
  return rank(records, { ...options, ...over }).places.map(({ record: { candidate } }) => candidate);
}

function placeOf(ranking: Ranking, candidate: string): Ranking['places'][number] | undefined {
  return ranking.places.find(({ record: { candidate: name } }) => name === candidate);
}

describe('ranking', () => {
  it('R1: only a valid, finite score ranks', () => {
    const ranking = rank([record('a', 5, { isEvaluationValid: false }), record('b', Infinity), record('c', NaN), record('d', null), record('e', -9)], options);
    expect(ranking.places.map(({ record: { candidate }, isRankable, place }) => [candidate, isRankable, place])).toEqual([
      ['e', true, 1],
      ['a', false, 2],
      ['b', false, 3],
      ['c', false, 4],
      ['d', false, 5],
    ]);
  });

  it('R2: a shaped trial whose evaluation failed is last, whatever its training reward', () => {
    expect(order([record('shaped', null, { finalTrainingReward: 1e9 }), record('plain', -1e6), record('baseline', 1)])).toEqual(['baseline', 'plain', 'shaped']);
  });

  it('R3: outside the band the score decides, inside it does not', () => {
    const slow = { t90Steps: 9000 };
    expect(order([record('fast', 97.9), record('best', 100, slow)])).toEqual(['best', 'fast']);
    expect(order([record('fast', 98), record('best', 100, slow)])).toEqual(['fast', 'best']);
    expect(order([record('fast', 0.0), record('best', 0.02, slow)])).toEqual(['fast', 'best']);
    expect(order([record('fast', 0.0), record('best', 0.02, slow)], { scoreScale: 0.5 })).toEqual(['best', 'fast']);
    expect(order([record('fast', -102), record('best', -100, slow)])).toEqual(['fast', 'best']);
    expect(order([record('fast', 99), record('best', 100, slow)], { tieBand: 0 })).toEqual(['best', 'fast']);
  });

  it('R4: t90, then fewer changes, then the baseline, then score, then name', () => {
    const tied = [
      record('never', 100, { t90Steps: null }),
      record('name-b', 99.1, { changedSettings: 2 }),
      record('name-a', 99.1, { changedSettings: 2 }),
      record('higher', 99.2, { changedSettings: 2 }),
      record('odd', 99.9, { changedSettings: 0 }),
      record('baseline', 99),
      record('fast', 98.5, { t90Steps: 999 }),
    ];
    const { places } = rank(tied, options);
    expect(places.map(({ record: { candidate }, wonBy }) => [candidate, wonBy])).toEqual([
      ['fast', 't90'],
      ['baseline', 'baseline'],
      ['odd', 'changed_settings'],
      ['higher', 'score'],
      ['name-a', 'name'],
      ['name-b', 't90'],
      ['never', null],
    ]);
  });

  it('R5: seconds count only without a step axis', () => {
    const pair = [record('a', 100, { t90Steps: 10, t90Seconds: 90 }), record('b', 100, { t90Steps: 20, t90Seconds: 30 })];
    expect(order(pair)).toEqual(['a', 'b']);
    expect(order(pair, { t90Axis: 'seconds' })).toEqual(['b', 'a']);
    expect(order([record('a', 100, { t90Steps: null, t90Seconds: 1 }), record('b', 99)])).toEqual(['b', 'a']);
  });

  it('R6: each place is filled from what remains, so a chain of near ties is no loop', () => {
    const chain = [
      record('a', 100, { t90Steps: 3000 }),
      record('b', 98.5, { t90Steps: 2000 }),
      record('c', 97, { t90Steps: 1000 }),
    ];
    // c is not within 2 % of a, so it cannot jump the queue; once a and b are placed it is alone.
    expect(order(chain)).toEqual(['b', 'a', 'c']);
  });

  const records = fc.uniqueArray(
    fc.record({
      candidate: fc.string({ minLength: 1, maxLength: 3 }),
      score: fc.oneof(fc.integer({ min: -6, max: 6 }).map((x) => 100 + x / 2), fc.constantFrom(null, NaN, 0)),
      isEvaluationValid: fc.boolean(),
      t90Steps: fc.constantFrom(null, 100, 200),
      t90Seconds: fc.constantFrom(null, 1, 2),
      changedSettings: fc.integer({ min: 0, max: 2 }),
      isBaseline: fc.boolean(),
      finalTrainingReward: fc.constantFrom(null, 1, 50),
    }),
    { selector: ({ candidate }) => candidate, maxLength: 9 },
  );
  const anyOptions = fc.record({
    tieBand: fc.constantFrom(0, 0.01, 0.02),
    scoreScale: fc.constantFrom(1, 100),
    t90Axis: fc.constantFrom('steps', 'seconds'),
    seedSd: fc.constantFrom(null, 0.5),
    trainingRewardSd: fc.constantFrom(null, 3),
  });

  it('R6: any order of the records gives the same ranking', () => {
    const shuffled = records.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })));
    fc.assert(
      fc.property(shuffled, anyOptions, ([list, other], chosen) => {
        expect(rank(other, chosen).places).toEqual(rank(list, chosen).places);
      }),
      { numRuns: 500 },
    );
  });

  it('R3: R4: every candidate stands once, and nobody outranks a score beyond the band', () => {
    fc.assert(
      fc.property(records, anyOptions, (list, chosen) => {
        const { places } = rank(list, chosen);
        expect(places.map(({ place }) => place)).toEqual(list.map((_, i) => i + 1));
        expect(new Set(places.map(({ record: { candidate } }) => candidate)).size).toBe(list.length);
        const scores = places.filter(({ isRankable }) => isRankable).map(({ record: { score } }) => score ?? NaN);
        for (const [i, score] of scores.entries()) {
          const best = Math.max(...scores.slice(i));
          expect(score).toBeGreaterThanOrEqual(best - chosen.tieBand * Math.max(Math.abs(best), chosen.scoreScale));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('R7: noise marks neighbours and moves nobody', () => {
    const near = [record('a', 110, { t90Steps: 5000 }), record('b', 105), record('c', 80), record('d', null)];
    const noisy = rank(near, { ...options, seedSd: 3 });
    expect(noisy.places.map(({ isSeparatedFromNext }) => isSeparatedFromNext)).toEqual([false, true, null, null]);
    expect(rank(near, options).places.map(({ isSeparatedFromNext }) => isSeparatedFromNext)).toEqual([null, null, null, null]);
    fc.assert(
      fc.property(records, anyOptions, (list, chosen) => {
        expect(order(list, { ...chosen, seedSd: 1e6 })).toEqual(order(list, { ...chosen, seedSd: null }));
      }),
    );
  });

  it('R8: reward up, score down is flagged, and training reward never ranks', () => {
    const base = record('baseline', 100);
    const flag = (over: Partial<RankingRecord>, score = 90, chosen: Partial<RankingOptions> = {}): boolean | undefined =>
      placeOf(rank([base, record('shaped', score, over)], { ...options, ...chosen }), 'shaped')?.isRewardUpScoreDown;
    expect(flag({ finalTrainingReward: 20 })).toBe(true);
    expect(flag({ finalTrainingReward: 10.4 })).toBe(false);
    expect(flag({ finalTrainingReward: 20 }, 99)).toBe(false);
    expect(flag({ finalTrainingReward: 20 }, 90, { trainingRewardSd: 6 })).toBe(false);
    expect(flag({ finalTrainingReward: null })).toBe(false);
    expect(placeOf(rank([record('shaped', 1, { finalTrainingReward: 20 })], options), 'shaped')?.isRewardUpScoreDown).toBe(false);
    fc.assert(
      fc.property(records, anyOptions, fc.integer({ min: -99, max: 99 }), (list, chosen, reward) => {
        expect(order(list.map((item) => ({ ...item, finalTrainingReward: reward })), chosen)).toEqual(order(list, chosen));
      }),
    );
  });

  it('R9: a baseline near zero, or without a score, is warned about', () => {
    const codes = (baseline: number | null, scoreScale = 1): readonly string[] =>
      rank([record('baseline', baseline), record('a', 3)], { ...options, scoreScale }).warnings.map(({ code }) => code);
    expect(codes(0.09)).toEqual(['baseline_near_zero']);
    expect(codes(-0.09)).toEqual(['baseline_near_zero']);
    expect(codes(0.1)).toEqual([]);
    expect(codes(5, 100)).toEqual(['baseline_near_zero']);
    expect(codes(null)).toEqual(['no_baseline']);
    expect(rank([], options)).toMatchObject({ places: [], warnings: [{ code: 'no_baseline' }] });
  });

  it('R10: two records of one candidate are refused', () => {
    expect(() => rank([record('a', 1), record('a', 2)], options)).toThrow(RangeError);
  });
});

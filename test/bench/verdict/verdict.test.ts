import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';
import { cases, guardrailAtMargin, isTabulated, tiedAtMargin, type Case } from './cases.ts';
import { chunksOf, runChunk } from './chunk.ts';
import { bars, judge, type Counted } from './judge.ts';
import { plain, trueMean, type Shape } from './scenario.ts';
import { drawShape } from './score-model.ts';
import { makeSimulation } from './simulated-campaign.ts';
import { addTallies, emptyTally, share, type Tally } from './tally.ts';

/** A small part of what `npm run bench:verdict` simulates: enough that a lost correction for looks or a wrong word shows. */
const small: readonly (readonly [(one: Case) => boolean, number])[] = [
  [({ group, scenario }) => group === 'completed equal' && isTabulated(scenario.looks), 2500],
  [({ group, scenario }) => group === 'equal' && isTabulated(scenario.looks) && scenario.candidates === 8, 1500],
  [({ group, scenario }) => group === 'effect' && isTabulated(scenario.looks) && [1, 2].includes(scenario.effect), 800],
  [({ group, scenario }) => group === 'collapse' && (scenario.collapse.isFreshOnly || scenario.collapse.candidate === 0.5), 150],
  [({ name }) => name === guardrailAtMargin || name === tiedAtMargin, 500],
];

describe('a small simulation of whole campaigns, with fixed seeds', () => {
  const counted = (): readonly Counted[] =>
    cases.flatMap((one, index) => {
      const campaigns = small.find(([isMeant]) => isMeant(one))?.[1];
      if (campaigns === undefined) return [];
      return [{ case: one, tally: chunksOf(one.scenario, index, campaigns).map(runChunk).reduce(addTallies, emptyTally) }];
    });

  it('V23: V24: V26: V18: every bar is met', { timeout: 240_000 }, () => {
    const judged = judge(counted());
    expect(judged.filter(({ state }) => state !== 'met')).toEqual([]);
    expect(judged.map(({ bar }) => bar)).toEqual(Object.values(bars));
  });

  it('V20: the same seed gives the same campaigns, and the pieces add up', () => {
    const chunks = chunksOf({ ...plain, candidates: 2 }, 3, 2600);
    expect(chunks.map(({ campaigns }) => campaigns)).toEqual([2500, 100]);
    expect(new Set(cases.flatMap((one, index) => chunksOf(one.scenario, index, one.campaigns).map(({ seed }) => seed))).size).toBe(cases.reduce((sum, one) => sum + Math.ceil(one.campaigns / 2500), 0));
    const tally = runChunk({ ...plainChunk, campaigns: 100 });
    expect(runChunk({ ...plainChunk, campaigns: 100 })).toEqual(tally);
    expect(addTallies(tally, tally)).toMatchObject({ campaigns: 200, verified: 2 * tally.verified, words: { unproven: 2 * (tally.words.unproven ?? 0) } });
    expect(Object.values(tally.words).reduce((sum, count) => sum + count, tally.blocked)).toBe(100);
  });

  it('V3: a baseline that always collapses blocks the campaign, and collapses everywhere are counted', () => {
    expect(makeSimulation({ ...plain, collapse: { ...plain.collapse, baseline: 1 } }, 1)()).toBeNull();
    const verdict = makeSimulation({ ...plain, effect: 3, collapse: { candidate: 1, baseline: 0, depth: 8, isFreshOnly: true } }, 1)();
    expect(verdict).toMatchObject({ word: 'worse', collapses: { winner: { collapsed: 5, runs: 5 }, baseline: { collapsed: 0 } } });
    expect(verdict?.pairs.every(({ winner }) => winner === 20)).toBe(true);
    expect(trueMean({ ...plain, effect: 2, collapse: { ...plain.collapse, candidate: 0.25 } }, 'c3')).toBe(0.75 * 120 + 0.25 * 20);
  });

  it.each<Shape>(['normal', 'heavy', 'skewed', 'bimodal'])('V23: %s noise has mean 0 and sd 1', (shape) => {
    const random = makeRandom(5);
    const drawn = Array.from({ length: 200_000 }, () => drawShape(shape, random));
    const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
    const sd = Math.sqrt(drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / drawn.length);
    expect(Math.abs(mean)).toBeLessThan(0.01);
    // With three degrees of freedom the fourth moment is infinite: its sd settles slowly.
    expect(Math.abs(sd - 1)).toBeLessThan(shape === 'heavy' ? 0.08 : 0.01);
  });
});

describe('a bar can be missed', () => {
  const of = (isMeant: (one: Case) => boolean): Case => cases.find(isMeant) ?? never();
  const good: Tally = { ...emptyTally, campaigns: 10_000, verified: 10_000, covered: 9600, missedSomewhere: 500, pairs: 70_000, biasSquares: 5000, boundsHeld: 19_800, words: { better: 250, unproven: 9750 } };
  const equal = of(({ group, scenario }) => group === 'equal' && isTabulated(scenario.looks));
  const atOne = of(({ group, scenario }) => group === 'effect' && isTabulated(scenario.looks) && scenario.effect === 1);
  const completed = of(({ group }) => group === 'completed');
  const wholeLevel = of(({ group }) => group === 'completed equal');
  const collapse = of(({ group, scenario }) => group === 'collapse' && scenario.collapse.candidate === 0.3);
  const allCollapsed = of(({ scenario: { collapse: { candidate, baseline } } }) => candidate === 1 && baseline === 1);
  const oneCollapsed = of(({ scenario: { collapse: { candidate, baseline } } }) => candidate === 1 && baseline === 0);
  const guarded = of(({ name }) => name === guardrailAtMargin);
  const tied = of(({ name }) => name === tiedAtMargin);

  it.each<[keyof typeof bars, Case, Partial<Tally>, Partial<Tally>]>([
    ['falseBetter', equal, { falseBetter: 340 }, { falseBetter: 370 }],
    ['wrong', equal, { falseWorse: 300, falseBetter: 250 }, { falseWorse: 330, falseBetter: 250 }],
    ['level', wholeLevel, { missedSomewhere: 440 }, { missedSomewhere: 420 }],
    ['level', wholeLevel, { missedSomewhere: 560 }, { missedSomewhere: 640 }],
    ['power', atOne, { words: { better: 4100 } }, { words: { better: 3900 } }],
    ['power', atOne, { words: { better: 4300 } }, { words: { better: 4450 } }],
    ['coverage', atOne, { covered: 9440 }, { covered: 9420 }],
    ['bias', atOne, { bias: 1150, biasSquares: 5000 }, { bias: 1250, biasSquares: 5000 }],
    ['bias', atOne, { bias: -1150, biasSquares: 5000 }, { bias: -1250, biasSquares: 5000 }],
    ['completedBias', completed, { bias: 150 }, { bias: 250 }],
    ['collapse', collapse, { falseBetter: 300 }, { falseBetter: 400 }],
    ['collapse', collapse, { falseWorse: 500 }, { falseWorse: 600 }],
    ['allCollapsed', allCollapsed, { allCollapsed: 10_000, allCollapsedTied: 10_000 }, { allCollapsed: 10_000, allCollapsedTied: 9999 }],
    ['allCollapsed', allCollapsed, { allCollapsed: 10_000, allCollapsedTied: 10_000 }, { allCollapsed: 9999, allCollapsedTied: 9999 }],
    ['allCollapsed', oneCollapsed, {}, { falseBetter: 1 }],
    ['bounds', collapse, { boundsHeld: 18_960 }, { boundsHeld: 18_900 }],
    ['margins', guarded, { words: { better: 330 } }, { words: { better: 370 } }],
    ['margins', tied, { words: { tied: 330 } }, { words: { tied: 370 } }],
    ['bias', atOne, {}, { verified: 0 }],
  ])('V23: V24: V26: %s', (name, one, within, beyond) => {
    const stateOf = (over: Partial<Tally>) => judge([{ case: one, tally: { ...good, ...over } }]).find(({ bar }) => bar === bars[name])?.state;
    expect([stateOf(within), stateOf(beyond)]).toEqual(['met', 'missed']);
    expect(judge([]).every(({ state }) => state === 'not run')).toBe(true);
  });

  it('V23: a share of nothing is unknown, and a count of 0 still has an error', () => {
    expect(share(0, 0).value).toBeNaN();
    expect(share(0, 100).error).toBeGreaterThan(0.009);
  });
});

const plainChunk = { scenario: { ...plain, candidates: 2 }, seed: 9 };

function never(): never {
  throw new Error('there is no such case');
}

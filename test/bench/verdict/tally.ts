// What is counted over many simulated campaigns of one scenario, and the rates with their simulation errors. Imported by test/bench/verdict.
import type { VerdictFile, VerdictWord } from '../../../src-protocol/files/verdict.ts';
import { seedSd, trueMean, type Scenario } from './scenario.ts';

/** Sums over campaigns; two of them add up field by field. */
export interface Tally {
  readonly campaigns: number;
  /** The baseline never gave a valid score. */
  readonly blocked: number;
  readonly words: Readonly<Partial<Record<VerdictWord, number>>>;
  /** Reached a look: all below count these alone. */
  readonly verified: number;
  readonly pairs: number;
  /** Stopped before the last look. */
  readonly early: number;
  readonly falseBetter: number;
  readonly falseWorse: number;
  /** "tied" though the truth is not inside the margin. */
  readonly falseTied: number;
  /** The printed interval holds the truth. */
  readonly covered: number;
  /** Some interval of the looks that were read misses the truth. */
  readonly missedSomewhere: number;
  /** Of estimate minus truth, in seed sd: sum and sum of squares. */
  readonly bias: number;
  readonly biasSquares: number;
  readonly betterBias: number;
  readonly betterBiasSquares: number;
  /** The same where a look before the last one read "better", whether or not the plan stopped there. */
  readonly earlyBetter: number;
  readonly earlyBetterBias: number;
  readonly earlyBetterBiasSquares: number;
  /** Of the score that picked the winner minus its true mean, in seed sd. */
  readonly pickBias: number;
  /** The exact bound on the winner's collapses, and on the baseline's, holds the true share. */
  readonly boundsHeld: number;
  readonly allCollapsed: number;
  readonly allCollapsedTied: number;
}

const numbers = [
  'campaigns', 'blocked', 'verified', 'pairs', 'early', 'falseBetter', 'falseWorse', 'falseTied', 'covered', 'missedSomewhere', 'bias', 'biasSquares',
  'betterBias', 'betterBiasSquares', 'earlyBetter', 'earlyBetterBias', 'earlyBetterBiasSquares', 'pickBias', 'boundsHeld', 'allCollapsed', 'allCollapsedTied',
] as const;

export function tallyOf(scenario: Scenario, verdict: VerdictFile | null): Tally {
  const one: Record<(typeof numbers)[number], number> = { ...zero, campaigns: 1 };
  if (verdict === null) return { ...one, blocked: 1, words: {} };
  const words = { [verdict.word]: 1 };
  const { estimate, winner, word } = verdict;
  if (estimate === null || winner === null) return { ...one, words };
  const truth = trueMean(scenario, winner) - trueMean(scenario, 'baseline');
  const holds = (lower: number, upper: number): boolean => lower <= truth && truth <= upper;
  const bias = (estimate.mean - truth) / seedSd;
  const isEarly = verdict.plan.used < (scenario.looks[scenario.looks.length - 1] ?? 0);
  const isWithin = scenario.equivalenceMargin !== null && Math.abs(truth) < scenario.equivalenceMargin * seedSd;
  one.verified = 1;
  one.pairs = verdict.plan.used;
  one.early = Number(isEarly);
  one.falseBetter = Number(word === 'better' && truth <= 0);
  one.falseWorse = Number(word === 'worse' && truth >= 0);
  one.falseTied = Number(word === 'tied' && !isWithin && truth !== 0);
  one.covered = Number(holds(estimate.lower, estimate.upper));
  one.missedSomewhere = Number(verdict.looks.some((look) => !holds(look.lower, look.upper)));
  one.bias = bias;
  one.biasSquares = bias ** 2;
  one.pickBias = ((verdict.selection.score ?? NaN) - trueMean(scenario, winner)) / seedSd;
  if (word === 'better') {
    one.betterBias = bias;
    one.betterBiasSquares = bias ** 2;
  }
  const last = scenario.looks[scenario.looks.length - 1];
  if (verdict.looks.some((look) => look.word === 'better' && look.pairs !== last)) {
    one.earlyBetter = 1;
    one.earlyBetterBias = bias;
    one.earlyBetterBiasSquares = bias ** 2;
  }
  const { collapses } = verdict;
  if (collapses !== null) {
    one.boundsHeld = Number(scenario.collapse.candidate <= collapses.winner.upper_bound) + Number(scenario.collapse.baseline <= collapses.baseline.upper_bound);
    one.allCollapsed = Number(collapses.winner.collapsed + collapses.baseline.collapsed === 2 * verdict.plan.used);
    one.allCollapsedTied = Number(one.allCollapsed === 1 && word === 'tied');
  }
  return { ...one, words };
}

export function addTallies(a: Tally, b: Tally): Tally {
  const sum = Object.fromEntries(numbers.map((name) => [name, a[name] + b[name]])) as Record<(typeof numbers)[number], number>;
  const words: Partial<Record<VerdictWord, number>> = { ...a.words };
  for (const [word, count] of Object.entries(b.words) as [VerdictWord, number][]) words[word] = (words[word] ?? 0) + count;
  return { ...sum, words };
}

const zero = Object.fromEntries(numbers.map((name) => [name, 0])) as Record<(typeof numbers)[number], number>;
export const emptyTally: Tally = { ...zero, words: {} };

/** A simulated figure and its simulation error (one standard error). */
export interface Rate {
  readonly value: number;
  readonly error: number;
}

/** A share; with nothing counted it is unknown. An error of 0 is none: one count stands for it. */
export function share(count: number, of: number): Rate {
  if (of === 0) return { value: NaN, error: NaN };
  const value = count / of;
  const smoothed = (count + 1) / (of + 2);
  return { value, error: Math.sqrt((smoothed * (1 - smoothed)) / of) };
}

export function meanOf(sum: number, squares: number, count: number): Rate {
  if (count < 2) return { value: NaN, error: NaN };
  const value = sum / count;
  return { value, error: Math.sqrt(Math.max(0, squares / count - value ** 2) / count) };
}

export interface Rates {
  readonly better: Rate;
  readonly worse: Rate;
  /** Any word that the truth contradicts. */
  readonly wrong: Rate;
  readonly falseBetter: Rate;
  readonly covered: Rate;
  readonly missedSomewhere: Rate;
  readonly bias: Rate;
  readonly betterBias: Rate;
  readonly earlyBetterBias: Rate;
  readonly boundsHeld: Rate;
  readonly pairs: number;
  readonly early: Rate;
}

/** Among the campaigns that reached a look. */
export function ratesOf(tally: Tally): Rates {
  const { verified } = tally;
  const better = tally.words.better ?? 0;
  return {
    better: share(better, verified),
    worse: share(tally.words.worse ?? 0, verified),
    wrong: share(tally.falseBetter + tally.falseWorse + tally.falseTied, verified),
    falseBetter: share(tally.falseBetter, verified),
    covered: share(tally.covered, verified),
    missedSomewhere: share(tally.missedSomewhere, verified),
    bias: meanOf(tally.bias, tally.biasSquares, verified),
    betterBias: meanOf(tally.betterBias, tally.betterBiasSquares, better),
    earlyBetterBias: meanOf(tally.earlyBetterBias, tally.earlyBetterBiasSquares, tally.earlyBetter),
    boundsHeld: share(tally.boundsHeld, 2 * verified),
    pairs: tally.pairs / verified,
    early: share(tally.early, verified),
  };
}

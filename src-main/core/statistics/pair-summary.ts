// What is printed beside the estimate of a verdict and decides nothing, in the shapes of verdict.json. Imported by core/campaign.
import type { CollapseCount, VerdictFile, VerdictPair } from '../../../src-protocol/files/verdict.ts';
import { detectableEffect, smallestTiedMargin } from './plan-power.ts';
import { exactUpperBound } from './proportion.ts';
import { interquartileMean, probabilityOfImprovement } from './robust-location.ts';
import { signFlipP } from './sign-flip.ts';
import { correlation, pooledSpread } from './spread.ts';

/** One fresh seed, with collapses at the floor. */
export type PairValues = Readonly<Omit<VerdictPair, 'counted'>>;

/** Fewest pairs for an interquartile mean, and for a sign-flip p that can fall below 5 %. */
const fewestForIqm = 10;
const fewestForSignFlip = 6;

type PairSummary = Pick<VerdictFile, 'correlation' | 'probability_of_improvement' | 'iqm' | 'worst_seed' | 'sign_flip_p' | 'collapses'>;

/** `pairs`: those that the verdict counts. */
export function summarisePairs(pairs: readonly PairValues[]): PairSummary {
  const winner = pairs.map((pair) => pair.winner);
  const baseline = pairs.map((pair) => pair.baseline);
  const hasPairs = pairs.length > 0;
  return {
    correlation: correlation(winner, baseline),
    probability_of_improvement: hasPairs ? probabilityOfImprovement(winner, baseline) : null,
    iqm: pairs.length >= fewestForIqm ? { winner: interquartileMean(winner), baseline: interquartileMean(baseline) } : null,
    worst_seed: hasPairs ? { winner: worst(pairs, 'winner'), baseline: worst(pairs, 'baseline') } : null,
    sign_flip_p: pairs.length >= fewestForSignFlip ? signFlipP(pairs.map((pair) => pair.difference)) : null,
    collapses: hasPairs
      ? { winner: collapsesOf(pairs.map((pair) => pair.winner_collapsed)), baseline: collapsesOf(pairs.map((pair) => pair.baseline_collapsed)) }
      : null,
  };
}

function worst(pairs: readonly PairValues[], arm: 'winner' | 'baseline'): { seed: number; score: number } {
  const lowest = pairs.reduce((low, pair) => (pair[arm] < low[arm] ? pair : low));
  return { seed: lowest.seed, score: lowest[arm] };
}

function collapsesOf(flags: readonly boolean[]): CollapseCount {
  const collapsed = flags.filter(Boolean).length;
  return { collapsed, runs: flags.length, upper_bound: exactUpperBound(collapsed, flags.length) };
}

/** Seed sd of one arm, pooled over the runs that did not collapse; null if no arm has two of them. */
export function seedSpread(pairs: readonly PairValues[]): VerdictFile['seed_spread'] {
  const spread = pooledSpread([
    pairs.filter((pair) => !pair.winner_collapsed).map((pair) => pair.winner),
    pairs.filter((pair) => !pair.baseline_collapsed).map((pair) => pair.baseline),
  ]);
  if (spread === null) return null;
  return { sd: spread.sd, lower: spread.lower, upper: spread.upper, degrees: spread.degrees };
}

/** What a plan can prove before it is run; null without looks. `seedSd` in score units, null: unknown. */
export function whatPlanProves(looks: readonly number[], seedSd: number | null): VerdictFile['could_prove'] {
  if (looks.length === 0) return null;
  const power = 0.8;
  const effect = detectableEffect(looks, power);
  return { power, effect_sd: effect, effect_score: seedSd === null ? null : effect * seedSd, tied_margin_sd: smallestTiedMargin(looks) };
}

// The sentences of a verdict, from the numbers of verdict.json alone, for a reader without statistics. Imported by core/campaign.
import type { VerdictFile, VerdictGuardrail } from '../../../src-protocol/files/verdict.ts';
import { isWithinMargin } from './comparison.ts';
import { honestNumber, percent } from './honest-number.ts';
import { fewestEqualPairs } from './paired-interval.ts';

export type VerdictNumbers = Omit<VerdictFile, 'headline' | 'sentences'>;

export interface VerdictWords {
  readonly headline: string;
  readonly sentences: string[];
}

export function describeVerdict(verdict: VerdictNumbers): VerdictWords {
  const sentences = [
    repeatSentence(verdict),
    ...verdict.guardrails.flatMap((guardrail) => guardrailSentence(verdict, guardrail)),
    differenceSentence(verdict),
    stopSentence(verdict),
    collapseSentence(verdict),
    provableSentence(verdict),
    selectionSentence(verdict),
  ];
  return { headline: headlineOf(verdict), sentences: sentences.filter((sentence) => sentence !== null) };
}

function headlineOf(verdict: VerdictNumbers): string {
  const { winner, baseline, repeat } = verdict;
  switch (verdict.word) {
    case 'no_better_candidate':
      return winner === null
        ? 'No better candidate: no candidate gave a valid score.'
        : 'No better candidate: the baseline itself ranked first.';
    case 'not_reproduced':
      return repeat.rerun === null
        ? `Not reproduced: trained again on the same seed, ${winner} gave no score.`
        : `Not reproduced: trained again on the same seed, ${winner} scored ${score(verdict, repeat.rerun)} instead of ${score(verdict, repeat.original)}.`;
    case 'guardrail_failed': {
      const failed = verdict.guardrails.filter(({ state }) => state !== 'held').map(({ name }) => name);
      return `Guardrail failed: ${winner} was not shown to keep ${failed.join(' and ')} within what you allowed.`;
    }
    case 'better':
    case 'worse': {
      const small = verdict.equivalence?.within === true ? ', by less than you said matters' : '';
      return `${verdict.word === 'better' ? 'Better' : 'Worse'}${small}: ${moved(verdict)}.`;
    }
    case 'tied':
      return isAllZero(verdict)
        ? `Tied: ${winner} and ${baseline} scored the same on every fresh seed.`
        : `Tied: ${winner} and ${baseline} differ by less than the ${withUnit(verdict, asGiven(verdict.equivalence?.margin ?? 0))} you said matters.`;
    case 'unproven':
      return unprovenHeadline(verdict);
  }
}

function unprovenHeadline(verdict: VerdictNumbers): string {
  const { estimate, plan, repeat, stop } = verdict;
  if (stop === 'no_looks') return `${repeat.state === 'reproduced' ? 'Reproduced, unproven' : 'Unproven'}: not tested on fresh seeds.`;
  if (estimate === null) {
    return `Unproven: the campaign ended after ${verdict.pairs.length} of the ${plan.looks[0] ?? 0} pairs of fresh seeds that the first look needs.`;
  }
  if (repeat.state === 'not_run' && estimate.lower > 0) return 'Unproven: the winner was not trained again on its own seed, so nothing is claimed for it.';
  if (estimate.sd === 0) {
    return `Unproven: every difference was the same, ${signed(verdict, estimate.mean)}; that proves nothing before ${fewestEqualPairs} pairs.`;
  }
  const difference = `the difference between ${verdict.winner} and ${verdict.baseline} in ${verdict.metric.name}`;
  return `Unproven: on ${seeds(verdict)} ${difference} may be anything ${range(verdict)}.`;
}

function repeatSentence(verdict: VerdictNumbers): string | null {
  const { repeat, winner } = verdict;
  if (winner === null) return null;
  if (repeat.state === 'not_run') return `${winner} was not trained again on its own seed.`;
  if (repeat.rerun === null) return `Trained again from scratch on the same seed, ${winner} failed.`;
  const rule =
    repeat.determinism === 'bit-identical'
      ? 'this machine repeats runs exactly, so it had to be equal'
      : `at ${verdict.metric.direction === 'minimise' ? 'most' : 'least'} ${score(verdict, repeat.lowest_accepted)} was needed`;
  const above = repeat.exceeded ? ' It did better than repeating should allow: look for something that changed between the two runs.' : '';
  const found = repeat.state === 'reproduced' ? 'reproduced' : 'not reproduced';
  const exact = repeat.determinism === 'bit-identical';
  const said = (value: number | null) => (exact && value !== null ? asGiven(verdict.metric.direction === 'minimise' ? -value : value) : score(verdict, value));
  const scores = `${said(repeat.rerun)} after ${said(repeat.original)}`;
  return `Trained again from scratch on the same seed, ${winner} scored ${scores}: ${found} (${rule}).${above}`;
}

function guardrailSentence(verdict: VerdictNumbers, guardrail: VerdictGuardrail): string[] {
  const { name, margin, state, estimate } = guardrail;
  if (verdict.plan.used === 0) return [];
  const unit = guardrail.unit === null ? '' : ` ${guardrail.unit}`;
  if (estimate === null) return [`Guardrail ${name}: not measured in every run, so it cannot be said to hold.`];
  const half = (estimate.upper - estimate.lower) / 2;
  const loss = honestNumber(-estimate.lower, half);
  const allowed = `${asGiven(margin)}${unit}`;
  if (state === 'held') {
    return [
      estimate.lower >= 0 || !Number.isFinite(estimate.lower)
        ? `Guardrail ${name}: held, without a sign of loss.`
        : `Guardrail ${name}: held, the loss is at most ${loss}${unit} (${allowed} allowed).`,
    ];
  }
  if (!Number.isFinite(estimate.lower)) return [`Guardrail ${name}: too few different pairs to bound the loss (${allowed} allowed).`];
  const verb = state === 'broken' ? 'broken, the loss is more than allowed' : 'not shown to hold';
  return [`Guardrail ${name}: ${verb}; the loss may be as large as ${loss}${unit} (${allowed} allowed).`];
}

/** The difference, where the headline is about something else. */
function differenceSentence(verdict: VerdictNumbers): string | null {
  const { estimate, word } = verdict;
  if (estimate === null || !Number.isFinite(estimate.lower) || word === 'better' || word === 'worse') return null;
  if (word === 'unproven' && verdict.repeat.state !== 'not_run') return null;
  if (isAllZero(verdict)) return null;
  return `On ${seeds(verdict)}, ${verdict.winner} minus ${verdict.baseline} in ${verdict.metric.name} is ${range(verdict)}.`;
}

function stopSentence(verdict: VerdictNumbers): string | null {
  const { plan, stop } = verdict;
  const last = plan.looks[plan.looks.length - 1] ?? 0;
  const isClaim = verdict.word === 'better' || verdict.word === 'worse';
  switch (stop) {
    case 'decided':
      return `Settled at ${plan.used} of up to ${last} pairs of seeds.${isClaim ? ` ${earlyStopNote}` : ''}`;
    case 'futility':
      return `Stopped at ${plan.used} of up to ${last} pairs of seeds: even if every remaining pair were as favourable as the best so far, it could not have come out better.`;
    case 'completed':
      return `All ${last} pairs of seeds were run, as asked.`;
    case 'cut_short':
      return plan.used === 0 ? null : `The campaign ended before the plan did: the last look reached had ${plan.used} of up to ${last} pairs of seeds.`;
    case 'last_look':
    case 'no_looks':
    case 'not_reproduced':
    case 'no_better_candidate':
      return null;
  }
}

const earlyStopNote = 'An early stop tends to overstate the difference; completing all looks overstates it less.';

function collapseSentence(verdict: VerdictNumbers): string | null {
  const { collapses } = verdict;
  if (collapses === null) return null;
  if (collapses.winner.collapsed + collapses.baseline.collapsed === 0) {
    // What did not happen in a few runs may still be common, and then a claim about the mean is too bold.
    const { runs, upper_bound } = collapses.winner;
    return verdict.word === 'better' || verdict.word === 'tied' ? `In ${runs} runs each, training never collapsed; the true share of collapses may still be up to ${percent(upper_bound)}.` : null;
  }
  const arm = (name: string | null, { collapsed, runs, upper_bound }: typeof collapses.winner): string =>
    `${name} in ${collapsed} of ${runs} (the true share may be up to ${percent(upper_bound)})`;
  const arms = `${arm(verdict.winner, collapses.winner)} and for ${arm(verdict.baseline, collapses.baseline)}`;
  return `Training collapsed for ${arms}; a collapsed run counts as ${score(verdict, verdict.collapse_rule.floor)}.`;
}

function provableSentence(verdict: VerdictNumbers): string | null {
  const { could_prove: could, plan, word } = verdict;
  if (could === null || verdict.estimate === null || (word !== 'unproven' && word !== 'tied')) return null;
  const inScore = could.effect_score === null || !(could.effect_score > 0) ? '' : `, here ${withUnit(verdict, honestNumber(could.effect_score, verdict.seed_spread?.sd ?? NaN))}`;
  const effect = `${could.effect_sd.toFixed(1)} times the spread between seeds${inScore}`;
  return `A plan of ${plan.looks.join(', ')} pairs proves a gain ${percent(could.power)} of the time if it is ${effect}.`;
}

function selectionSentence(verdict: VerdictNumbers): string | null {
  const { selection, winner } = verdict;
  if (selection.score === null || winner === null) return null;
  return `The score that picked it, ${score(verdict, selection.score)}, is biased upward: it is the best of several noisy ones.`;
}

/** "hz120 raised return by 52 over baseline (95 % over the plan: 31 to 74; 8 fresh seeds each)" */
function moved(verdict: VerdictNumbers): string {
  const { estimate, winner, baseline, metric } = verdict;
  if (estimate === null) return `${winner} against ${baseline}`;
  const isGain = estimate.mean > 0;
  const isRaised = isGain === (metric.direction === 'maximise');
  const sides = [Math.abs(estimate.lower), Math.abs(estimate.upper)].sort((x, y) => x - y);
  const half = halfWidth(verdict);
  const bounds = sides.map((side) => honestNumber(side, half)).join(' to ');
  const change = `${isRaised ? 'raised' : 'lowered'} ${metric.name} by ${amount(verdict, Math.abs(estimate.mean))}`;
  return `${winner} ${change} against ${baseline} (${planLevel(verdict)}: ${bounds}; ${seeds(verdict)})`;
}

/** "from -12 to 40 (95 % over the plan)", winner minus baseline on the metric's own axis. */
function range(verdict: VerdictNumbers): string {
  const { estimate } = verdict;
  if (estimate === null) return '';
  const bounds = [flip(verdict, estimate.lower), flip(verdict, estimate.upper)].sort((x, y) => x - y);
  const [low, high] = bounds.map((bound) => honestNumber(bound, halfWidth(verdict)));
  return `from ${low} to ${withUnit(verdict, high ?? '')} (${planLevel(verdict)})`;
}

function planLevel(verdict: VerdictNumbers): string {
  return `${percent(1 - verdict.plan.overall_level)} over the plan`;
}

function seeds(verdict: VerdictNumbers): string {
  return `${verdict.plan.used} fresh seeds each`;
}

/** A single score on the metric's own axis, with the digits that the spread between seeds allows. */
function score(verdict: VerdictNumbers, value: number | null): string {
  return value === null ? 'none' : withUnit(verdict, honestNumber(flip(verdict, value), verdict.seed_spread?.sd ?? NaN));
}

function signed(verdict: VerdictNumbers, value: number): string {
  return withUnit(verdict, honestNumber(flip(verdict, value), NaN));
}

function amount(verdict: VerdictNumbers, value: number): string {
  return withUnit(verdict, honestNumber(value, halfWidth(verdict)));
}

/** A number that a person wrote. */
function asGiven(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function halfWidth(verdict: VerdictNumbers): number {
  return verdict.estimate === null ? NaN : (verdict.estimate.upper - verdict.estimate.lower) / 2;
}

function withUnit(verdict: VerdictNumbers, text: string): string {
  return verdict.metric.unit === null ? text : `${text} ${verdict.metric.unit}`;
}

function flip(verdict: VerdictNumbers, oriented: number): number {
  return verdict.metric.direction === 'minimise' ? 0 - oriented : oriented;
}

function isAllZero(verdict: VerdictNumbers): boolean {
  return verdict.estimate !== null && isWithinMargin(verdict.estimate, Number.MIN_VALUE);
}

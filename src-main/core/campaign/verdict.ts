// From the records of verify to a verdict: pure functions, no files. The campaign, the report and simulations call them.
// Rules: docs/specs/verdict.md. Scores and guardrail values come oriented: greater is better.
import type { DeterminismClass, StopReason, VerdictFile, VerdictMetric, VerdictRepeat, VerdictWord } from '../../../src-protocol/files/verdict.ts';
import { isWithinMargin, readPlan } from '../statistics/comparison.ts';
import type { Comparison, ComparisonRules, LookReading, PlanReading } from '../statistics/comparison.ts';
import { nominalLevel, overallLevel } from '../statistics/nominal-level.ts';
import { seedSpread, summarisePairs, whatPlanProves } from '../statistics/pair-summary.ts';
import type { PairValues } from '../statistics/pair-summary.ts';
import { describeVerdict } from '../statistics/verdict-words.ts';

/** One training on a fresh seed that is settled. An infrastructure failure is not: its seed is repeated. */
export interface FreshRun {
  /** `failed`: the training failed on its own account (crash, NaN). */
  readonly outcome: 'scored' | 'failed';
  /** Oriented; null or not finite counts as failed. */
  readonly score: number | null;
  /** Oriented values by guardrail name; absent or null: not measured. */
  readonly guardrails: Readonly<Record<string, number | null>>;
}

export interface FreshPair {
  readonly seed: number;
  readonly winner: FreshRun;
  readonly baseline: FreshRun;
}

export interface VerifyRecords {
  /** null: no candidate could be ranked. */
  readonly winner: string | null;
  readonly baseline: string;
  /** The winner's score in refine; null without a winner. */
  readonly refineScore: number | null;
  /** null: not run (yet); a score of null: it ran and yielded none. */
  readonly repeat: { readonly score: number | null } | null;
  /** Pairs in the order of the plan's seeds; only those of which both runs are settled, without gaps. */
  readonly pairs: readonly FreshPair[];
}

export interface VerifyRules {
  readonly metric: VerdictMetric;
  /** Rising numbers of pairs; empty: no fresh seeds. */
  readonly looks: readonly number[];
  /** Relative, of max(|original|, scoreScale). */
  readonly tolerance: number;
  readonly scoreScale: number;
  /** null: not measured. */
  readonly determinism: DeterminismClass | null;
  /** Score units; null: none declared. */
  readonly equivalenceMargin: number | null;
  readonly collapse: {
    /** Oriented score below which a run counts as collapsed; null: none declared. */
    readonly below: number | null;
    /** Oriented score at which a collapse enters the mean: declared, else the self-test's random policy. */
    readonly floor: number;
  };
  readonly guardrails: readonly GuardrailRule[];
  /** All looks are to be run, whatever the earlier ones said. */
  readonly isCompleting: boolean;
}

export interface GuardrailRule {
  readonly name: string;
  readonly unit: string | null;
  readonly direction: 'maximise' | 'minimise';
  /** >= 0, in the guardrail's unit. */
  readonly margin: number;
  /** Oriented value that stands for a failed run, for example the random policy's; null: unknown. */
  readonly floor: number | null;
}

export type LookDecision =
  /** The next look needs `pairs` pairs in all; with `pairs` of them it is read. */
  | { readonly kind: 'continue'; readonly pairs: number }
  | { readonly kind: 'stop'; readonly word: VerdictWord; readonly reason: StopReason };

/** What to do after the pairs so far: a pure function of the records, so a resumed campaign decides the same. */
export function decideAtLook(records: VerifyRecords, rules: VerifyRules): LookDecision {
  const reading = readRecords(records, rules);
  const reached = reading.plan.looks.length;
  const next = rules.looks[reached];
  if (reading.stop === 'cut_short' && next !== undefined) return { kind: 'continue', pairs: next };
  return { kind: 'stop', word: reading.word, reason: reading.stop };
}

/**
 * Whether the pipeline repeat reproduced the winner's score: `rerun >= original - tolerance * max(|original|, scoreScale)`,
 * and with bit-identical machines only `rerun = original`.
 */
export function judgeRepeat(
  records: Pick<VerifyRecords, 'refineScore' | 'repeat'>,
  rules: Pick<VerifyRules, 'tolerance' | 'scoreScale' | 'determinism'>,
): VerdictRepeat {
  const original = records.refineScore;
  const rerun = records.repeat?.score ?? null;
  const { tolerance, determinism } = rules;
  const isExact = determinism === 'bit-identical';
  const band = original === null || isExact ? 0 : tolerance * Math.max(Math.abs(original), rules.scoreScale);
  const lowest = original === null ? null : original - band;
  const base = { original, rerun, tolerance, lowest_accepted: lowest, exceeded: false, determinism };
  if (records.repeat === null) return { ...base, state: 'not_run' };
  if (original === null || lowest === null || rerun === null) return { ...base, state: 'not_reproduced' };
  const isReproduced = isExact ? rerun === original : rerun >= lowest;
  return { ...base, state: isReproduced ? 'reproduced' : 'not_reproduced', exceeded: isReproduced && rerun > original + band };
}

/** The whole of verdict.json. `study` is its slug. */
export function makeVerdict(study: string, records: VerifyRecords, rules: VerifyRules): VerdictFile {
  const reading = readRecords(records, rules);
  const { arms, plan } = reading;
  const last = plan.looks[plan.looks.length - 1];
  const used = last?.interval.pairs ?? 0;
  const estimate = last === undefined ? null : { ...last.interval };
  const spread = used === 0 ? null : seedSpread(arms.slice(0, used));
  const level = rules.looks.length === 0 ? null : nominalLevel(rules.looks);
  const numbers = {
    schema: 1 as const,
    study,
    word: reading.word,
    winner: records.winner,
    baseline: records.baseline,
    metric: rules.metric,
    plan: { looks: [...rules.looks], used, nominal_level: level, overall_level: overallLevel },
    stop: reading.stop,
    looks: plan.looks.map((look) => ({ ...look.interval, word: look.word })),
    estimate,
    equivalence:
      rules.equivalenceMargin === null
        ? null
        : { margin: rules.equivalenceMargin, within: estimate !== null && isWithinMargin(estimate, rules.equivalenceMargin) },
    pairs: arms.map((pair, i) => ({ ...pair, counted: i < used })),
    ...summarisePairs(arms.slice(0, used)),
    collapse_rule: rules.collapse,
    seed_spread: spread,
    selection: { score: records.refineScore, note: 'used to pick, biased upward' as const },
    repeat: reading.repeat,
    guardrails: rules.guardrails.map(({ name, unit, direction, margin }, i) => {
      const guardrail = last?.guardrails[i];
      return { name, unit, direction, margin, state: guardrail?.state ?? 'not_measured', estimate: guardrail?.interval ?? null };
    }),
    could_prove: whatPlanProves(rules.looks, spread?.sd ?? null),
  };
  return { ...numbers, ...describeVerdict(numbers) };
}

interface RecordsReading {
  readonly arms: readonly PairValues[];
  readonly repeat: VerdictRepeat;
  readonly plan: PlanReading;
  readonly word: VerdictWord;
  /** `cut_short` also stands for a plan that is still open: only the caller knows whether more pairs will come. */
  readonly stop: StopReason;
}

function readRecords(records: VerifyRecords, rules: VerifyRules): RecordsReading {
  const arms = records.pairs.map((pair) => pairValues(pair, rules));
  const repeat = judgeRepeat(records, rules);
  const none: PlanReading = { looks: [], state: 'open' };
  if (records.winner === null) return { arms, repeat, plan: none, word: 'no_better_candidate', stop: 'no_better_candidate' };
  const isBaseline = records.winner === records.baseline;
  const isPlanned = !isBaseline && rules.looks.length > 0;
  const plan = isPlanned ? readPlan(comparisonOf(arms, records.pairs, rules), planRules(arms, rules)) : none;
  if (repeat.state === 'not_reproduced') return { arms, repeat, plan, word: 'not_reproduced', stop: 'not_reproduced' };
  if (isBaseline) return { arms, repeat, plan, word: 'no_better_candidate', stop: 'no_better_candidate' };
  if (!isPlanned) return { arms, repeat, plan, word: 'unproven', stop: 'no_looks' };
  return { arms, repeat, plan, word: wordOf(plan.looks, repeat), stop: stopOf(plan, rules) };
}

/** The word of the last look; nothing is claimed for a winner that was never retrained. */
function wordOf(looks: readonly LookReading[], repeat: VerdictRepeat): VerdictWord {
  const word = looks[looks.length - 1]?.word ?? 'unproven';
  return word === 'better' && repeat.state === 'not_run' ? 'unproven' : word;
}

function stopOf(plan: PlanReading, rules: VerifyRules): StopReason {
  if (plan.state === 'open') return 'cut_short';
  return plan.state === 'last_look' && rules.isCompleting ? 'completed' : plan.state;
}

/** Scores of a pair, with collapses at the floor. */
function pairValues(pair: FreshPair, rules: VerifyRules): PairValues {
  const winnerScore = standingScore(pair.winner, rules);
  const baselineScore = standingScore(pair.baseline, rules);
  const winner = winnerScore ?? rules.collapse.floor;
  const baseline = baselineScore ?? rules.collapse.floor;
  return {
    seed: pair.seed,
    winner,
    baseline,
    difference: winner - baseline,
    winner_collapsed: winnerScore === null,
    baseline_collapsed: baselineScore === null,
  };
}

/** null: the run collapsed. */
function standingScore(run: FreshRun, rules: VerifyRules): number | null {
  if (!hasScore(run)) return null;
  return rules.collapse.below !== null && run.score < rules.collapse.below ? null : run.score;
}

function hasScore(run: FreshRun): run is FreshRun & { readonly score: number } {
  return run.outcome === 'scored' && run.score !== null && Number.isFinite(run.score);
}

function comparisonOf(arms: readonly PairValues[], pairs: readonly FreshPair[], rules: VerifyRules): Comparison {
  return {
    differences: arms.map(({ difference }) => difference),
    guardrails: rules.guardrails.map((rule) => ({
      name: rule.name,
      margin: rule.margin,
      differences: pairs.map((pair) => {
        const winner = guardrailValue(pair.winner, rule);
        const baseline = guardrailValue(pair.baseline, rule);
        return winner === null || baseline === null ? null : winner - baseline;
      }),
    })),
  };
}

function guardrailValue(run: FreshRun, rule: GuardrailRule): number | null {
  const value = run.guardrails[rule.name] ?? null;
  return value === null && !hasScore(run) ? rule.floor : value;
}

function planRules(arms: readonly PairValues[], rules: VerifyRules): ComparisonRules {
  // From the pairs of the first look alone, so that later pairs cannot change how an earlier look reads.
  const largest = arms.slice(0, rules.looks[0]).reduce((max, { winner, baseline }) => Math.max(max, Math.abs(winner), Math.abs(baseline)), 0);
  return {
    looks: rules.looks,
    level: nominalLevel(rules.looks),
    resolution: 1e-12 * largest,
    equivalenceMargin: rules.equivalenceMargin,
    isCompleting: rules.isCompleting,
  };
}

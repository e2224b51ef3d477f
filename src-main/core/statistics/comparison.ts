// A planned comparison of two arms over common seeds, read look by look. Imported by the verdict; simulations may drive it alone.
import type { VerdictWord } from '../../../src-protocol/files/verdict.ts';
import { canStillReachBetter } from './futility.ts';
import { pairedInterval } from './paired-interval.ts';
import type { PairedInterval } from './paired-interval.ts';

/** Paired differences, winner minus baseline, oriented (greater is better), in the order of the plan's seeds. */
export interface Comparison {
  readonly differences: readonly number[];
  readonly guardrails: readonly GuardrailDifferences[];
}

export interface GuardrailDifferences {
  readonly name: string;
  /** How much worse is still acceptable; >= 0, in the guardrail's own unit. */
  readonly margin: number;
  /** Oriented; null where a run has no value. */
  readonly differences: readonly (number | null)[];
}

export interface ComparisonRules {
  /** Rising numbers of pairs. */
  readonly looks: readonly number[];
  /** `nominalLevel(looks)`. */
  readonly level: number;
  /** Differences closer than this are equal up to rounding, in score units. */
  readonly resolution: number;
  /** Differences within +-this do not matter, in score units; null: none was declared. */
  readonly equivalenceMargin: number | null;
  /** Run all looks, whatever the earlier ones said. */
  readonly isCompleting: boolean;
}

export type ComparisonWord = Extract<VerdictWord, 'better' | 'worse' | 'tied' | 'unproven' | 'guardrail_failed'>;
export type GuardrailState = 'held' | 'broken' | 'unproven' | 'not_measured';

export interface GuardrailReading {
  readonly name: string;
  readonly state: GuardrailState;
  readonly interval: PairedInterval | null;
}

export interface LookReading {
  readonly interval: PairedInterval;
  readonly guardrails: readonly GuardrailReading[];
  /** What the verdict says if this is the last look. */
  readonly word: ComparisonWord;
}

export type PlanState = 'open' | 'decided' | 'futility' | 'last_look';

export interface PlanReading {
  /** Every look reached, up to the one that ended the plan. */
  readonly looks: readonly LookReading[];
  /** `open`: more pairs are needed. */
  readonly state: PlanState;
}

/** Reads the looks that the differences reach, in order, until one ends the plan. */
export function readPlan(comparison: Comparison, rules: ComparisonRules): PlanReading {
  const looks: LookReading[] = [];
  for (const [k, pairs] of rules.looks.entries()) {
    if (comparison.differences.length < pairs) break;
    const look = readLook(comparison, pairs, rules);
    looks.push(look);
    if (k === rules.looks.length - 1) return { looks, state: 'last_look' };
    if (rules.isCompleting) continue;
    if (isDecided(look, rules)) return { looks, state: 'decided' };
    const soFar = comparison.differences.slice(0, pairs);
    if (look.interval.lower <= 0 && !canStillReachBetter(soFar, rules.looks, rules)) return { looks, state: 'futility' };
  }
  return { looks, state: 'open' };
}

/** What the first `pairs` differences say. */
export function readLook(comparison: Comparison, pairs: number, rules: ComparisonRules): LookReading {
  const interval = pairedInterval(comparison.differences.slice(0, pairs), rules);
  const guardrails = comparison.guardrails.map((guardrail) => readGuardrail(guardrail, pairs, rules.level));
  const word = wordOf(interval, rules);
  const isLast = pairs === rules.looks[rules.looks.length - 1];
  return { interval, guardrails, word: hasFailedGuardrail(guardrails, isLast || word === 'better') ? 'guardrail_failed' : word };
}

/** Before the last look a guardrail that is merely open has not failed yet, unless a "better" would be claimed past it. */
function hasFailedGuardrail(guardrails: readonly GuardrailReading[], isDue: boolean): boolean {
  return guardrails.some(({ state }) => (isDue ? state !== 'held' : state === 'broken'));
}

/** Whether the interval lies wholly inside +-margin: the difference, whatever its sign, is less than what matters. */
export function isWithinMargin(interval: { readonly lower: number; readonly upper: number }, margin: number | null): boolean {
  return margin !== null && interval.lower > -margin && interval.upper < margin;
}

/** An early look ends the plan if more seeds cannot overturn it: a broken guardrail, a settled difference that no open guardrail holds back. */
function isDecided(look: LookReading, rules: ComparisonRules): boolean {
  if (look.guardrails.some(({ state }) => state === 'broken')) return true;
  const word = wordOf(look.interval, rules);
  if (word === 'better') return look.guardrails.every(({ state }) => state === 'held');
  return word !== 'unproven';
}

function wordOf(interval: PairedInterval, rules: ComparisonRules): Exclude<ComparisonWord, 'guardrail_failed'> {
  if (interval.lower > 0) return 'better';
  if (interval.upper < 0) return 'worse';
  const isExactlyZero = interval.lower === 0 && interval.upper === 0;
  return isExactlyZero || isWithinMargin(interval, rules.equivalenceMargin) ? 'tied' : 'unproven';
}

function readGuardrail(guardrail: GuardrailDifferences, pairs: number, level: number): GuardrailReading {
  const { name, margin } = guardrail;
  const measured = guardrail.differences.slice(0, pairs).filter((d): d is number => d !== null && Number.isFinite(d));
  if (measured.length < pairs) return { name, state: 'not_measured', interval: null };
  const interval = pairedInterval(measured, { level });
  // Equal differences give no interval before 8 pairs; where none of them is a loss, there is no loss to bound.
  const isHeld = interval.lower > -margin || (interval.sd === 0 && interval.mean >= 0);
  return { name, state: isHeld ? 'held' : interval.upper < -margin ? 'broken' : 'unproven', interval };
}

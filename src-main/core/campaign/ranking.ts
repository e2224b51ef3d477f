// The order of candidates after screen and after refine: a pure function of the set of records. Imported by the campaign
// and the report. Rules: docs/specs/verdict.md (R). Scores are oriented: greater is better.

export interface RankingRecord {
  /** Unique within one ranking. */
  readonly candidate: string;
  /** null: the evaluation gave none. */
  readonly score: number | null;
  readonly isEvaluationValid: boolean;
  /** Training steps to 90 % of the reward's rise; null: it did not rise. */
  readonly t90Steps: number | null;
  readonly t90Seconds: number | null;
  /** Number of settings that differ from the baseline's. */
  readonly changedSettings: number;
  readonly isBaseline: boolean;
  /** Smoothed; never ranks. */
  readonly finalTrainingReward: number | null;
}

export interface RankingOptions {
  /** Relative, of max(|best|, scoreScale); the default of studies is 0.02. */
  readonly tieBand: number;
  /** The size of a score that matters, in score units; > 0. */
  readonly scoreScale: number;
  /** `seconds` only where the adapter has no step axis. */
  readonly t90Axis: 'steps' | 'seconds';
  /** Seed sd of one run's score; null: not measured. */
  readonly seedSd: number | null;
  /** Seed sd of the baseline's final training reward; null: not measured. */
  readonly trainingRewardSd: number | null;
}

/** What put a candidate ahead of the others within the tie band. */
export type TieBreak = 't90' | 'changed_settings' | 'baseline' | 'score' | 'name';

export interface RankedCandidate {
  /** From 1. */
  readonly place: number;
  readonly record: RankingRecord;
  /** Evaluation valid and score finite; the others stand last, whatever their training reward. */
  readonly isRankable: boolean;
  /** null: nobody was within the tie band. */
  readonly wonBy: TieBreak | null;
  /** Whether seed noise can explain the distance to the next place; null: unknown, or there is no next rankable place. */
  readonly isSeparatedFromNext: boolean | null;
  /** Its training reward rose above the baseline's while its score fell below. */
  readonly isRewardUpScoreDown: boolean;
}

export interface RankingWarning {
  readonly code: 'no_baseline' | 'baseline_near_zero';
  readonly message: string;
}

export interface Ranking {
  readonly places: readonly RankedCandidate[];
  readonly warnings: readonly RankingWarning[];
}

/** RangeError where two records name the same candidate: then there is no order that depends on the set alone. */
export function rank(records: readonly RankingRecord[], options: RankingOptions): Ranking {
  const names = new Set(records.map(({ candidate }) => candidate));
  if (names.size < records.length) throw new RangeError('two records of one ranking name the same candidate');
  const ordered = orderRankable(records.filter(isRankable), options);
  const others = records.filter((record) => !isRankable(record)).sort((a, b) => compareText(a.candidate, b.candidate));
  const baseline = ordered.find(({ record }) => record.isBaseline)?.record ?? null;
  const rankable = ordered.map(({ record, wonBy }, i) => ({
    place: i + 1,
    record,
    isRankable: true,
    wonBy,
    isSeparatedFromNext: isSeparated(record, ordered[i + 1]?.record, options),
    isRewardUpScoreDown: baseline !== null && isRewardUpScoreDown(record, baseline, options),
  }));
  const last = others.map((record, i) => ({
    place: ordered.length + i + 1,
    record,
    isRankable: false,
    wonBy: null,
    isSeparatedFromNext: null,
    isRewardUpScoreDown: false,
  }));
  return { places: [...rankable, ...last], warnings: warningsOf(baseline, options) };
}

type Rankable = RankingRecord & { readonly score: number };

function isRankable(record: RankingRecord): record is Rankable {
  return record.isEvaluationValid && record.score !== null && Number.isFinite(record.score);
}

interface Placed {
  readonly record: Rankable;
  readonly wonBy: TieBreak | null;
}

/**
 * Fills one place after the other: the band hangs below the best score that is still without a place, and among those
 * in it the tie rules choose. Each choice depends only on the set that remains, so the order of the input cannot matter.
 */
function orderRankable(records: readonly Rankable[], options: RankingOptions): readonly Placed[] {
  let remaining = records;
  const placed: Placed[] = [];
  while (remaining.length > 0) {
    const best = Math.max(...remaining.map(({ score }) => score));
    const lowest = best - bandAround(best, options);
    const tied = remaining.filter(({ score }) => score >= lowest).sort((a, b) => compareTied(a, b, options).order);
    const [first, second] = tied;
    if (first === undefined) break;
    placed.push({ record: first, wonBy: second === undefined ? null : compareTied(first, second, options).by });
    remaining = remaining.filter((record) => record !== first);
  }
  return placed;
}

function bandAround(score: number, options: RankingOptions): number {
  return options.tieBand * Math.max(Math.abs(score), options.scoreScale);
}

function compareTied(a: Rankable, b: Rankable, options: RankingOptions): { readonly order: number; readonly by: TieBreak } {
  const faster = compareNumbers(t90Of(a, options), t90Of(b, options));
  if (faster !== 0) return { order: faster, by: 't90' };
  const fewer = compareNumbers(a.changedSettings, b.changedSettings);
  if (fewer !== 0) return { order: fewer, by: 'changed_settings' };
  if (a.isBaseline !== b.isBaseline) return { order: a.isBaseline ? -1 : 1, by: 'baseline' };
  const higher = compareNumbers(b.score, a.score);
  if (higher !== 0) return { order: higher, by: 'score' };
  return { order: compareText(a.candidate, b.candidate), by: 'name' };
}

/** Infinity: it never got there, so everything that did is faster. */
function t90Of(record: RankingRecord, options: RankingOptions): number {
  const t90 = options.t90Axis === 'steps' ? record.t90Steps : record.t90Seconds;
  return t90 === null || Number.isNaN(t90) ? Infinity : t90;
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By code unit, the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two scores of one seed each differ by more than two standard deviations of such a difference. */
function isSeparated(record: Rankable, next: Rankable | undefined, options: RankingOptions): boolean | null {
  if (next === undefined || options.seedSd === null) return null;
  return Math.abs(record.score - next.score) > 2 * Math.SQRT2 * options.seedSd;
}

function isRewardUpScoreDown(record: Rankable, baseline: Rankable, options: RankingOptions): boolean {
  const reward = record.finalTrainingReward;
  const usual = baseline.finalTrainingReward;
  if (reward === null || usual === null) return false;
  const rise = Math.max(0.05 * Math.abs(usual), 2 * (options.trainingRewardSd ?? 0));
  return reward > usual + rise && record.score < baseline.score - bandAround(baseline.score, options);
}

function warningsOf(baseline: Rankable | null, options: RankingOptions): readonly RankingWarning[] {
  if (baseline === null) {
    return [{ code: 'no_baseline', message: 'The baseline has no valid score, so nothing can be compared with it.' }];
  }
  if (Math.abs(baseline.score) >= 0.1 * options.scoreScale) return [];
  const score = String(Number(baseline.score.toPrecision(4)));
  const message =
    `The baseline's score, ${score}, is close to 0 on a scale of ${options.scoreScale}: ` +
    'relative bands rest on the scale alone, so check score_scale.';
  return [{ code: 'baseline_near_zero', message }];
}

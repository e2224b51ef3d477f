// From the episodes of one evaluation to its score, interval and causes (docs/specs/evaluation.md). Rooms from evaluation
// leftwards may import it. A pure function of the rows as a set: their order in the file changes no bit.
import type { EpisodeRow, EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';
import { criticalT } from '../statistics/student-t.ts';
import { causeRows } from './cause-rows.ts';
import { countEpisodes, type ExpectedEvaluation } from './counted-episodes.ts';
import { exactMean, exactSum } from './exact-mean.ts';

export interface PrimaryMetric {
  /** `score` or `return`: the mean return; `length`; `success`; else the name of an episode metric. */
  readonly primary: string;
  readonly direction: 'maximise' | 'minimise';
}

export interface SummariseOptions {
  readonly expected: ExpectedEvaluation;
  readonly metric: PrimaryMetric;
  /** The agent normalises observations: a checkpoint evaluated without its statistics proves nothing. */
  readonly needsNormalizer?: boolean;
}

export function summarise(file: EvaluationFile, options: SummariseOptions): EvaluationSummary {
  const { rows, problem } = countEpisodes(file, options.expected);
  const values = rows.map((row) => valueOf(row, options.metric.primary));
  const missing = values.findIndex((value) => value === null || !Number.isFinite(value));
  const unusable = missing < 0 ? null : `"${options.metric.primary}" is not a finite number in every episode`;
  const isBare = options.needsNormalizer === true && file.policy === 'checkpoint' && file.normalizer === 'none';
  const invalid = problem ?? (isBare ? 'the checkpoint was evaluated without its observation normaliser' : unusable);
  const sign = options.metric.direction === 'minimise' ? -1 : 1;
  const score = invalid === null ? meanWithInterval(values.map((value) => sign * (value ?? NaN))) : null;
  return {
    valid: invalid === null,
    problem: invalid,
    score: score?.mean ?? null,
    score_low: score?.low ?? null,
    score_high: score?.high ?? null,
    episodes: rows.length,
    mean_length: rows.length === 0 ? null : exactMean(rows.map((row) => row.length)),
    success_rate: meanOfAll(rows.map((row) => valueOf(row, 'success'))),
    causes: [...causeRows(rows)],
    metrics: metricMeans(rows),
  };
}

function valueOf(row: EpisodeRow, name: string): number | null {
  switch (name) {
    case 'score':
    case 'return':
      return row.return;
    case 'length':
      return row.length;
    case 'success':
      return row.success === undefined ? null : Number(row.success);
    default:
      return row.metrics?.[name] ?? null;
  }
}

/** 95 % t interval of the mean over episodes: the precision of this evaluation, not of the training. Null bounds for one episode. */
function meanWithInterval(values: readonly number[]): { readonly mean: number; readonly low: number | null; readonly high: number | null } {
  const mean = exactMean(values) + 0; // a negated mean of 0 is 0
  if (values.length < 2) return { mean, low: null, high: null };
  const variance = exactSum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
  const half = criticalT(0.05, values.length - 1) * Math.sqrt(variance / values.length);
  return { mean, low: mean - half, high: mean + half };
}

/** Raw means, not oriented, under the names that guardrails use; a metric that some episode lacks is left out. */
function metricMeans(rows: readonly EpisodeRow[]): Record<string, number> {
  const names = new Set(['return', 'length', 'success', ...rows.flatMap((row) => Object.keys(row.metrics ?? {}))]);
  const means: Record<string, number> = {};
  for (const name of [...names].sort()) {
    const mean = meanOfAll(rows.map((row) => valueOf(row, name)));
    if (mean !== null) means[name] = mean;
  }
  return means;
}

function meanOfAll(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === values.length && values.length > 0 ? exactMean(present) : null;
}

// The evaluator self-test: can the evaluation be fooled? Plans the evaluations it needs and judges their scores
// (docs/specs/evaluation.md). Rooms from evaluation leftwards may import it; running them is theirs.
import { countText } from '../../../src-protocol/count-text.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';
import { getPath, setPath } from '../workspace/merge.ts';

export type SelfTestPolicy = 'checkpoint' | 'random' | 'zero';

/** One evaluation of the trained baseline's checkpoint, or of a policy that needs none. */
export interface SelfTestRun {
  /** Also a folder name. */
  readonly name: string;
  readonly policy: SelfTestPolicy;
  /** The training settings the run pretends to have had; the canonical block is forced over them as for every trial. */
  readonly env_cfg: PlainMap;
  readonly perturbed: { readonly path: string; readonly from: Plain; readonly to: Plain } | null;
}

export interface SelfTestPlanOptions {
  /** The baseline's effective training settings. */
  readonly env_cfg: PlainMap;
  /** Dotted paths below env_cfg, from the task. */
  readonly rewardWeights: readonly string[];
  /** Whether the contract lets a candidate change `env_cfg.<path>`. */
  readonly isInScope: (path: string) => boolean;
  readonly isBitIdentical: boolean;
}

export interface SelfTestResult {
  readonly run: SelfTestRun;
  readonly summary: EvaluationSummary;
}

export type SelfTestJudgement =
  | { readonly kind: 'passed'; readonly text: string; readonly randomScore: number }
  | { readonly kind: 'failed'; readonly text: string; readonly leak: string }
  | { readonly kind: 'ask'; readonly text: string; readonly randomScore: number };

/** Rules E8 to E10: random, zero, one run per tuned reward weight, and the baseline again where evaluations scatter. */
export function planSelfTest(options: SelfTestPlanOptions): readonly SelfTestRun[] {
  const plain = { env_cfg: options.env_cfg, perturbed: null };
  const again: SelfTestRun = { name: 'baseline-again', policy: 'checkpoint', ...plain };
  const weights = options.rewardWeights.filter((path) => options.isInScope(`env_cfg.${path}`));
  return [
    ...(options.isBitIdentical ? [] : [again]),
    { name: 'random', policy: 'random', ...plain },
    { name: 'zero', policy: 'zero', ...plain },
    ...weights.map((path, index) => perturbedRun(options.env_cfg, path, index)),
  ];
}

export interface SelfTestJudgeOptions {
  readonly baseline: EvaluationSummary;
  readonly results: readonly SelfTestResult[];
  readonly isBitIdentical: boolean;
}

export function judgeSelfTest(options: SelfTestJudgeOptions): SelfTestJudgement {
  const { baseline, results } = options;
  const trained = scoreOf(baseline);
  if (trained === null) return failed('baseline', `the baseline's own evaluation is not valid: ${baseline.problem ?? 'no score'}`);
  for (const { run, summary } of results) {
    if (scoreOf(summary) === null) return failed(run.name, `the evaluation "${run.name}" is not valid: ${summary.problem ?? 'no score'}`);
  }
  const leak = results.find((result) => result.run.perturbed !== null && hasMoved(result.summary, options));
  if (leak?.run.perturbed) {
    const { path, from, to } = leak.run.perturbed;
    const moved = `changing env_cfg.${path} from ${JSON.stringify(from)} to ${JSON.stringify(to)} moved the canonical score from ${trained} to ${String(leak.summary.score)}`;
    return failed(`env_cfg.${path}`, `${moved}: put it into the task's canonical block`);
  }
  const random = scoreOfPolicy(results, 'random');
  if (random === null) return failed('random', 'the random policy was not evaluated');
  if (random >= trained) {
    return failed('random', `a random policy scores ${random}, no less than the trained baseline's ${trained}: the evaluation does not reward what was learned`);
  }
  const zero = scoreOfPolicy(results, 'zero');
  if (zero !== null && zero >= trained) {
    const text = `doing nothing scores ${zero}, no less than the trained baseline's ${trained}: go on only if that is what the task means`;
    return { kind: 'ask', text, randomScore: random };
  }
  const held = results.filter((result) => result.run.perturbed !== null).length;
  return { kind: 'passed', text: `random ${random} < baseline ${trained}; ${held === 0 ? 'no reward weight is in scope, so none had to be perturbed' : `${countText(held, 'perturbed reward weight')} left the score unchanged`}`, randomScore: random };
}

/**
 * Where evaluations repeat exactly (a bit-identical simulator, or the baseline's second evaluation equal in every figure): any change at
 * all. Otherwise more than the spread that two evaluations show: twice the distance between the baseline's two, or the half widths of
 * both intervals where that is more.
 */
function hasMoved(summary: EvaluationSummary, options: SelfTestJudgeOptions): boolean {
  const trained = options.baseline.score ?? NaN;
  const distance = Math.abs((summary.score ?? NaN) - trained);
  const again = options.results.find((result) => result.run.policy === 'checkpoint' && result.run.perturbed === null);
  const isExact = again !== undefined && JSON.stringify(again.summary) === JSON.stringify(options.baseline);
  if (options.isBitIdentical || isExact) return distance !== 0;
  const scatter = 2 * Math.abs((again?.summary.score ?? trained) - trained);
  return distance > Math.max(scatter, halfWidth(options.baseline) + halfWidth(summary));
}

function halfWidth(summary: EvaluationSummary): number {
  return summary.score_low === null || summary.score_high === null ? 0 : (summary.score_high - summary.score_low) / 2;
}

function scoreOf(summary: EvaluationSummary): number | null {
  return summary.valid && summary.score !== null && Number.isFinite(summary.score) ? summary.score : null;
}

function scoreOfPolicy(results: readonly SelfTestResult[], policy: SelfTestPolicy): number | null {
  const found = results.find((result) => result.run.policy === policy);
  return found === undefined ? null : scoreOf(found.summary);
}

function failed(leak: string, text: string): SelfTestJudgement {
  return { kind: 'failed', leak, text };
}

function perturbedRun(envCfg: PlainMap, path: string, index: number): SelfTestRun {
  const from = getPath(envCfg, path) ?? null;
  const to = perturb(from);
  return { name: `weight-${index + 1}`, policy: 'checkpoint', env_cfg: setPath(envCfg, path, to), perturbed: { path, from, to } };
}

/** w becomes 2 w + 1, but -1 becomes -3; a weight that is not set counts as 1; a boolean is turned over. */
function perturb(weight: Plain): Plain {
  if (typeof weight === 'boolean') return !weight;
  const from = typeof weight === 'number' ? weight : 1;
  return from === -1 ? -3 : 2 * from + 1;
}

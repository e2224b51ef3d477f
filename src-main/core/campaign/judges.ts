// What the records say: noise, ranking, winner, reproduction, verdict. Pure functions of the records and the study; the
// planner, the report and every door read the same ones. Imported by this room, the check and the self-test. Rules: docs/specs/campaign.md.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { DeterminismClass, VerdictFile } from '../../../src-protocol/files/verdict.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { sampleSd } from '../statistics/spread.ts';
import { rank, type Ranking, type RankingRecord } from './ranking.ts';
import { baselineName, planNext, planPair, planRepeat, settledTrials, type Search, type Step } from './search-plan.ts';
import { decideAtLook, judgeRepeat, makeVerdict, type FreshPair, type FreshRun, type GuardrailRule, type VerifyRecords, type VerifyRules } from './verdict.ts';

/** What the self-test found; `randomScore` is the floor of collapses where the study declares none. */
export interface SelfTestFinding {
  readonly passed: boolean;
  readonly text: string;
  readonly randomScore: number | null;
}

export interface NoiseFinding {
  /** Seed sd of one run's score; null: fewer than two scored seeds. */
  readonly seedSd: number | null;
  readonly trainingRewardSd: number | null;
  readonly scores: readonly number[];
  /** null: the first seed was not repeated. */
  readonly determinism: DeterminismClass | null;
}

export interface CampaignView {
  readonly study: LoadedStudy;
  readonly search: Search;
  readonly records: readonly TrialRecord[];
  readonly selfTest: SelfTestFinding | null;
  readonly isCompletingLooks: boolean;
}

/** What the plan does next with these records. */
export function nextStepOf(view: CampaignView): Step {
  return planNext(view.search, view.records, {
    selfTest: view.selfTest,
    pickForRefine: (screened) => pickForRefine(view, screened),
    pickWinner: (refined) => pickWinner(view, refined),
    isReproduced: (winner) => isReproduced(view, winner),
    mayStopAtLook: (winner) => mayStop(view, winner),
  });
}

export function readNoise(view: CampaignView): NoiseFinding {
  const noise = view.records.filter((record) => record.stage === 'noise');
  const scored = [...settledTrials(noise).values()].filter((record) => record.repeat === 0 && scoreOf(record) !== null);
  const scores = scored.map((record) => scoreOf(record) ?? 0);
  const rewards = scored.map((record) => record.train_reward_final).filter((reward) => reward !== null && Number.isFinite(reward));
  return {
    seedSd: scores.length < 2 ? null : sampleSd(scores),
    trainingRewardSd: rewards.length < 2 ? null : sampleSd(rewards as readonly number[]),
    scores,
    determinism: readDeterminism(view, noise),
  };
}

/** The same seed twice: the same bytes, a score within the tie band, or neither. */
function readDeterminism(view: CampaignView, noise: readonly TrialRecord[]): DeterminismClass | null {
  const again = noise.find((record) => record.repeat === 1 && scoreOf(record) !== null);
  const first = noise.find((record) => record.repeat === 0 && record.seed === again?.seed && scoreOf(record) !== null);
  const [a, b] = [first === undefined ? null : scoreOf(first), again === undefined ? null : scoreOf(again)];
  if (a === null || b === null) return null;
  if (a === b && first?.checkpoint_sha256 !== null && first?.checkpoint_sha256 === again?.checkpoint_sha256) return 'bit-identical';
  const band = view.study.tie_band * Math.max(Math.abs(a), view.study.task.score_scale);
  return Math.abs(a - b) <= band ? 'repeatable' : 'divergent';
}

export function rankStage(view: CampaignView, records: readonly TrialRecord[]): Ranking {
  const noise = readNoise(view);
  const settled = [...settledTrials(records).values()];
  return rank(settled.map((record) => rankingRecord(view.study, record)), {
    tieBand: view.study.tie_band,
    scoreScale: view.study.task.score_scale,
    t90Axis: view.study.adapter.axis === 'step' ? 'steps' : 'seconds',
    seedSd: noise.seedSd,
    trainingRewardSd: noise.trainingRewardSd,
  });
}

function rankingRecord(study: LoadedStudy, record: TrialRecord): RankingRecord {
  const candidate = study.candidates.find(({ name }) => name === record.candidate);
  return {
    candidate: record.candidate,
    score: record.evaluation?.score ?? null,
    isEvaluationValid: hasScored(record),
    t90Steps: record.t90_steps,
    t90Seconds: record.t90_s,
    changedSettings: candidate?.changes.length ?? 0,
    isBaseline: record.candidate === baselineName,
    finalTrainingReward: record.train_reward_final,
  };
}

/**
 * The best `top_k` candidates beside the baseline, and as many more as seed noise cannot tell from the last of them and as
 * the contract's budget allows for at its upper bounds.
 */
export function pickForRefine(view: CampaignView, screened: readonly TrialRecord[]): readonly string[] {
  const places = rankStage(view, screened).places.filter((place) => place.isRankable && !place.record.isBaseline);
  const { top_k: topK } = view.study.stages.refine;
  const picked = places.slice(0, topK);
  const last = picked[picked.length - 1];
  const { seedSd } = readNoise(view);
  if (last === undefined || seedSd === null) return picked.map((place) => place.record.candidate);
  const near = places.slice(topK).filter((place) => (last.record.score ?? 0) - (place.record.score ?? 0) <= 2 * Math.SQRT2 * seedSd);
  return [...picked, ...near.slice(0, roomForMore(view.study))].map((place) => place.record.candidate);
}

function roomForMore(study: LoadedStudy): number {
  const budgetS = budgetSeconds(study);
  const spareS = budgetS - study.cost.totalS;
  return Math.max(0, Math.min(study.stages.refine.top_k, Math.floor((spareS * study.cost.refineSlots) / study.cost.perTrialS)));
}

export function budgetSeconds(study: LoadedStudy): number {
  return (study.contract.gates.budget.value?.wall_hours ?? Infinity) * 3600;
}

export function pickWinner(view: CampaignView, refined: readonly TrialRecord[]): string | null {
  const [first] = rankStage(view, refined).places;
  return first?.isRankable === true ? first.record.candidate : null;
}

export function isReproduced(view: CampaignView, winner: string): boolean | null {
  const { state } = judgeRepeat(verifyRecords(view, winner), verifyRules(view));
  return state === 'not_run' ? null : state === 'reproduced';
}

/** Whether the pairs that are there settle the plan. */
export function mayStop(view: CampaignView, winner: string): boolean {
  return decideAtLook(verifyRecords(view, winner), verifyRules(view)).kind === 'stop';
}

export function readVerdict(view: CampaignView, winner: string | null): VerdictFile {
  return makeVerdict(view.study.name, verifyRecords(view, winner), verifyRules(view));
}

export function verifyRecords(view: CampaignView, winner: string | null): VerifyRecords {
  const base = { winner, baseline: baselineName };
  if (winner === null) return { ...base, refineScore: null, repeat: null, pairs: [] };
  const settled = settledTrials(view.records);
  const refined = settled.get(view.search.plan('refine', winner, view.search.baseSeed, 0).identity);
  const repeat = settled.get(planRepeat(view.search, winner).identity);
  const pairs: FreshPair[] = [];
  if (winner !== baselineName) {
    for (const seed of view.search.freshSeeds) {
      const [our, their] = planPair(view.search, winner, seed);
      const [ours, theirs] = [settled.get(our.identity), settled.get(their.identity)];
      // A skipped run says nothing about its arm, and pairs chosen by somebody who saw the others would prove nothing.
      if (ours === undefined || theirs === undefined || isSkipped(ours) || isSkipped(theirs)) break;
      pairs.push({ seed, winner: freshRun(view, ours), baseline: freshRun(view, theirs) });
    }
  }
  return {
    ...base,
    refineScore: refined === undefined ? null : scoreOf(refined),
    repeat: repeat === undefined || isSkipped(repeat) ? null : { score: scoreOf(repeat) },
    pairs,
  };
}

export function verifyRules(view: CampaignView): VerifyRules {
  const { study } = view;
  const { verify } = study.stages;
  const metric = study.contract.gates.metric.value;
  const direction = metric?.direction ?? 'maximise';
  const oriented = (value: number) => (direction === 'minimise' ? -value : value);
  const floor = verify.floor === null ? (view.selfTest?.randomScore ?? 0) : oriented(verify.floor);
  return {
    metric: { name: metric?.primary ?? 'score', unit: null, direction },
    looks: verify.looks,
    tolerance: verify.tolerance,
    scoreScale: study.task.score_scale,
    determinism: readNoise(view).determinism,
    equivalenceMargin: metric?.equivalence_margin ?? null,
    collapse: { below: verify.collapse_below === null ? null : oriented(verify.collapse_below), floor },
    guardrails: (metric?.guardrails ?? []).map((rail): GuardrailRule => ({ name: rail.metric, unit: null, direction: rail.direction, margin: rail.margin, floor: null })),
    isCompleting: view.isCompletingLooks,
  };
}

function freshRun(view: CampaignView, record: TrialRecord): FreshRun {
  const rails = view.study.contract.gates.metric.value?.guardrails ?? [];
  const guardrails = Object.fromEntries(
    rails.map((rail) => {
      const value = guardrailValue(record, rail.metric);
      return [rail.metric, value === null ? null : rail.direction === 'minimise' ? -value : value];
    }),
  );
  return { outcome: hasScored(record) ? 'scored' : 'failed', score: scoreOf(record), guardrails };
}

function guardrailValue(record: TrialRecord, metric: string): number | null {
  const evaluation = record.evaluation;
  if (evaluation === null || !evaluation.valid) return null;
  if (metric === 'success') return evaluation.success_rate;
  if (metric === 'length') return evaluation.mean_length;
  return evaluation.metrics[metric] ?? null;
}

/** A person did not want it: that is no collapse and no failed repeat. */
function isSkipped(record: TrialRecord): boolean {
  return record.status === 'cancelled';
}

function hasScored(record: TrialRecord): boolean {
  return (record.status === 'completed' || record.status === 'plateau') && record.evaluation?.valid === true;
}

export function scoreOf(record: TrialRecord): number | null {
  const score = hasScored(record) ? (record.evaluation?.score ?? null) : null;
  return score !== null && Number.isFinite(score) ? score : null;
}

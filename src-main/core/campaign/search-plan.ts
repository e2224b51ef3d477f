// What a campaign does next, as a pure function of its records: replaying after a crash is calling it again.
// Imported by this room and the self-test. Rules: docs/specs/campaign.md.
import type { StageName } from '../../../src-protocol/files/plain.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { baselineName } from '../study/loaded-study.ts';
import type { PlannedTrial } from '../study/plan-trials.ts';

export { baselineName } from '../study/loaded-study.ts';
export type { PlannedTrial } from '../study/plan-trials.ts';

/** The search as the planner sees it. */
export interface Search {
  readonly baseSeed: number;
  readonly candidates: readonly string[];
  readonly noise: { readonly seeds: readonly number[] } | null;
  readonly topK: number;
  readonly looks: readonly number[];
  readonly freshSeeds: readonly number[];
  plan(stage: StageName, candidate: string, seed: number, repeat: number): PlannedTrial;
}

/** Answers that need statistics or files; each is a pure function of the records too. */
export interface Judges {
  /** Null until the self-test ran; a text names the leak. */
  readonly selfTest: { readonly passed: boolean; readonly text: string } | null;
  /** Non-baseline candidates to refine, best first; empty when none is rankable. */
  pickForRefine(screened: readonly TrialRecord[]): readonly string[];
  /** The best of the refined, or null when none is rankable. */
  pickWinner(refined: readonly TrialRecord[]): string | null;
  /** Whether the same seed gave the same score again; null when that cannot be told. */
  isReproduced(winner: string): boolean | null;
  /** Whether the search may stop at this look (0-based index in the plan). */
  mayStopAtLook(winner: string, look: number): boolean;
}

export type Step =
  | { readonly kind: 'train'; readonly stage: StageName; readonly trials: readonly PlannedTrial[]; readonly look: number | null }
  | { readonly kind: 'self_test'; readonly trained: PlannedTrial }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'conclude'; readonly winner: string | null; readonly looksDone: number };

/** A record that settles its trial for ever: it is never run again. */
export function isTerminal(record: TrialRecord): boolean {
  if (record.status === 'completed' || record.status === 'plateau' || record.status === 'early_stopped') return true;
  if (record.status === 'failed') return record.reason.cause === 'own';
  return record.reason.code === 'skip';
}

/** Identity -> the record that settled it. */
export function settledTrials(records: readonly TrialRecord[]): ReadonlyMap<string, TrialRecord> {
  const settled = new Map<string, TrialRecord>();
  for (const record of records) if (isTerminal(record) && !settled.has(record.identity)) settled.set(record.identity, record);
  return settled;
}

export function planNext(search: Search, records: readonly TrialRecord[], judges: Judges): Step {
  const settled = settledTrials(records);
  const open = (trials: readonly PlannedTrial[]) => trials.filter((trial) => !settled.has(trial.identity));
  const found = (trials: readonly PlannedTrial[]) => trials.flatMap((trial) => settled.get(trial.identity) ?? []);

  const before = planBaselineFirst(search, open, found, judges);
  if (before !== null) return before;

  const screen = search.candidates.map((name) => search.plan('screen', name, search.baseSeed, 0));
  if (open(screen).length > 0) return { kind: 'train', stage: 'screen', trials: open(screen), look: null };

  const picked = judges.pickForRefine(found(screen));
  if (picked.length === 0) return { kind: 'conclude', winner: null, looksDone: 0 };
  const refine = [baselineName, ...picked].map((name) => search.plan('refine', name, search.baseSeed, 0));
  if (open(refine).length > 0) return { kind: 'train', stage: 'refine', trials: open(refine), look: null };

  const winner = judges.pickWinner(found(refine));
  if (winner === null) return { kind: 'conclude', winner: null, looksDone: 0 };
  return planVerify(search, winner, open, judges);
}

type Filter<T> = (trials: readonly PlannedTrial[]) => readonly T[];

/** Noise and self-test; without a noise stage the screened baseline stands in for it. Null when both are behind us. */
function planBaselineFirst(
  search: Search,
  open: Filter<PlannedTrial>,
  found: Filter<TrialRecord>,
  judges: Judges,
): Step | null {
  const trials = planNoise(search);
  const stage = search.noise === null ? 'screen' : 'noise';
  const todo = open(trials);
  if (todo.length > 0) return { kind: 'train', stage, trials: todo, look: null };
  const trained = trials.find((trial) => found([trial])[0]?.evaluation?.valid === true);
  if (trained === undefined) {
    const reasons = [...new Set(found(trials).map((record) => record.reason.text))].join('; ');
    return { kind: 'blocked', reason: `The unmodified baseline never gave a valid evaluation (${reasons}): nothing can be compared with it.` };
  }
  if (judges.selfTest === null) return { kind: 'self_test', trained };
  return judges.selfTest.passed ? null : { kind: 'blocked', reason: judges.selfTest.text };
}

export function planNoise(search: Search): readonly PlannedTrial[] {
  if (search.noise === null) return [search.plan('screen', baselineName, search.baseSeed, 0)];
  const [first] = search.noise.seeds;
  const seeds = search.noise.seeds.map((seed) => search.plan('noise', baselineName, seed, 0));
  return first === undefined ? seeds : [...seeds, search.plan('noise', baselineName, first, 1)];
}

/** The winner once more on the seed it was picked with. */
export function planRepeat(search: Search, winner: string): PlannedTrial {
  return search.plan('verify', winner, search.baseSeed, 1);
}

/** Winner and baseline on the first `count` fresh seeds, pair by pair. */
export function planPairs(search: Search, winner: string, count: number): readonly PlannedTrial[] {
  return search.freshSeeds.slice(0, count).flatMap((seed) => planPair(search, winner, seed));
}

/** The winner's training and the baseline's on one fresh seed. */
export function planPair(search: Pick<Search, 'plan'>, winner: string, seed: number): readonly [PlannedTrial, PlannedTrial] {
  return [search.plan('verify', winner, seed, 0), search.plan('verify', baselineName, seed, 0)];
}

function planVerify(search: Search, winner: string, open: Filter<PlannedTrial>, judges: Judges): Step {
  const repeat = planRepeat(search, winner);
  const looks = winner === baselineName ? [] : search.looks;
  if (looks.length === 0) {
    const todo = open([repeat]);
    return todo.length > 0
      ? { kind: 'train', stage: 'verify', trials: todo, look: null }
      : { kind: 'conclude', winner, looksDone: 0 };
  }
  for (const [look, count] of looks.entries()) {
    const todo = open([repeat, ...planPairs(search, winner, count)]);
    if (open([repeat]).length === 0 && judges.isReproduced(winner) === false) return { kind: 'conclude', winner, looksDone: look };
    if (todo.length > 0) return { kind: 'train', stage: 'verify', trials: todo, look };
    if (judges.mayStopAtLook(winner, look)) return { kind: 'conclude', winner, looksDone: look + 1 };
  }
  return { kind: 'conclude', winner, looksDone: looks.length };
}

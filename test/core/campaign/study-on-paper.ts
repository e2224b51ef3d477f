// A search and its records without any file: what the planner and the judges see. For tests of this folder.
import { digest } from '../../../src-main/core/provenance/canonical-json.ts';
import type { Judges, PlannedTrial, Search, Step } from '../../../src-main/core/campaign/search-plan.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';

export function searchOnPaper(over: Partial<Search> = {}): Search {
  return {
    baseSeed: 42,
    candidates: ['baseline', 'a', 'b', 'c'],
    noise: { seeds: [42, 43, 44] },
    topK: 2,
    looks: [2, 3],
    freshSeeds: [1001, 1002, 1003],
    plan: (stage, candidate, seed, repeat): PlannedTrial => ({
      stage,
      candidate,
      seed,
      repeat,
      timesteps: stage === 'noise' || stage === 'screen' ? 1000 : 3000,
      num_envs: 4,
      settingsDigest: digest({ candidate }),
      identity: digest({ stage, candidate, seed, repeat }),
    }),
    ...over,
  };
}

export function judgesOnPaper(over: Partial<Judges> = {}): Judges {
  return {
    selfTest: { passed: true, text: 'fine' },
    pickForRefine: () => ['a', 'b'],
    pickWinner: () => 'a',
    isReproduced: () => true,
    mayStopAtLook: () => false,
    ...over,
  };
}

export function recordOf(trial: PlannedTrial, over: Partial<TrialRecord> = {}): TrialRecord {
  return {
    schema: 1,
    seq: 0,
    identity: trial.identity,
    study: 'paper',
    stage: trial.stage,
    candidate: trial.candidate,
    settings_digest: trial.settingsDigest,
    seed: trial.seed,
    repeat: trial.repeat,
    attempt: 0,
    status: 'completed',
    rule: null,
    reason: { code: 'finished', text: 'finished', cause: null, step: null, value: null },
    flags: [],
    steps: trial.timesteps,
    timesteps: trial.timesteps,
    wall_s: trial.timesteps / 1000,
    train_reward_min: 1,
    train_reward_final: 10,
    t90_steps: 500,
    t90_s: 0.5,
    peak_vram_bytes: 'unknown',
    evaluation: {
      valid: true,
      problem: null,
      score: 10,
      score_low: 9,
      score_high: 11,
      episodes: 20,
      mean_length: 10,
      success_rate: null,
      causes: [],
      metrics: {},
    },
    checkpoint_sha256: digest({ trial: trial.identity }),
    folder: `${trial.stage}-${trial.candidate}-s${trial.seed}`,
    settings: {},
    ended_at: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

/** Runs the plan to its end, giving every trial the record that `outcome` makes of it; returns the batches in order. */
export function walkPlan(
  planNext: (records: readonly TrialRecord[]) => Step,
  outcome: (trial: PlannedTrial) => TrialRecord = (trial) => recordOf(trial),
) {
  const records: TrialRecord[] = [];
  const batches: (readonly PlannedTrial[])[] = [];
  for (;;) {
    const step = planNext(records);
    if (step.kind !== 'train') return { records, batches, end: step };
    batches.push(step.trials);
    records.push(...step.trials.map(outcome));
    if (batches.length > 50) throw new Error('the plan does not end');
  }
}

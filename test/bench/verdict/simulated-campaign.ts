// One campaign after the other under a made-up truth: the trainings are drawn, and everything that decides about them (the plan of the
// search, ranking, repeat, looks, verdict and its words) is what a real campaign calls. Imported by test/bench/verdict.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { nextStepOf, readVerdict, type CampaignView } from '../../../src-main/core/campaign/judges.ts';
import type { PlannedTrial } from '../../../src-main/core/campaign/search-plan.ts';
import { makeRandom, type Random } from '../../../src-main/core/statistics/random.ts';
import { planTrial } from '../../../src-main/core/study/plan-trials.ts';
import { firstFreshSeed, floorOf, studyOf, type Scenario } from './scenario.ts';
import { makeScoreModel, type DrawnRun } from './score-model.ts';

/** No plan of six stages takes longer. */
const mostSteps = 30;

/** Returns a function that runs one campaign and gives its verdict, or null where it was blocked. `seed` decides all that follows. */
export function makeSimulation(scenario: Scenario, seed: number): () => VerdictFile | null {
  const study = studyOf(scenario);
  const random = makeRandom(seed);
  // A trial's identity is a digest of long texts, the same in each campaign of this study.
  const planned = new Map<string, (PlannedTrial | undefined)[]>();
  const search: CampaignView['search'] = {
    baseSeed: study.base.seed,
    candidates: study.candidates.map(({ name }) => name),
    noise: study.stages.noise,
    topK: study.stages.refine.top_k,
    looks: scenario.looks,
    freshSeeds: Array.from({ length: scenario.looks[scenario.looks.length - 1] ?? 0 }, (_, i) => firstFreshSeed + i),
    plan(stage, candidate, trialSeed, repeat) {
      const key = stage + candidate;
      const known = planned.get(key) ?? [];
      planned.set(key, known);
      return (known[2 * trialSeed + repeat] ??= planTrial(study, { stage, candidate, seed: trialSeed, repeat }));
    },
  };
  const base = { study, search, selfTest: { passed: true, text: 'on paper', randomScore: floorOf(scenario) }, isCompletingLooks: scenario.isCompleting };
  return () => runCampaign(base, scenario, random);
}

function runCampaign(base: Omit<CampaignView, 'records'>, scenario: Scenario, random: Random): VerdictFile | null {
  const draw = makeScoreModel(scenario, random);
  const records: TrialRecord[] = [];
  const view: CampaignView = { ...base, records };
  for (let count = 0; count < mostSteps; count += 1) {
    const step = nextStepOf(view);
    if (step.kind === 'conclude') return readVerdict(view, step.winner);
    if (step.kind === 'blocked') return null;
    if (step.kind !== 'train') throw new Error(`a simulated campaign came to ${step.kind}`);
    for (const trial of step.trials) records.push(recordOf(trial, draw(trial), scenario, records.length));
  }
  throw new Error(`a simulated campaign did not end within ${mostSteps} steps`);
}

/** Field by field: made a million times, and spreading is slow. */
function recordOf(trial: PlannedTrial, { score, rail, t90 }: DrawnRun, scenario: Scenario, seq: number): TrialRecord {
  const isScored = score !== null;
  return {
    schema: 1,
    seq,
    identity: trial.identity,
    study: 'simulated',
    stage: trial.stage,
    candidate: trial.candidate,
    settings_digest: trial.settingsDigest,
    seed: trial.seed,
    repeat: trial.repeat,
    attempt: 0,
    status: isScored ? 'completed' : 'failed',
    rule: null,
    reason: isScored ? finished : crashed,
    flags: [],
    steps: trial.timesteps,
    timesteps: trial.timesteps,
    wall_s: 1,
    train_reward_min: null,
    train_reward_final: null,
    t90_steps: isScored ? t90 : null,
    t90_s: null,
    peak_vram_bytes: 'unknown',
    evaluation: isScored
      ? { valid: true, problem: null, score, score_low: score, score_high: score, episodes: 8, mean_length: 10, success_rate: rail, causes: [], metrics: {} }
      : null,
    // The same bytes for the same training where the machine repeats exactly.
    checkpoint_sha256: scenario.machineNoise === 0 ? `${trial.candidate} ${trial.seed} ${trial.timesteps}` : trial.identity,
    folder: 'simulated',
    settings: {},
    ended_at: '2026-01-01T00:00:00.000Z',
  };
}

const finished: TrialRecord['reason'] = { code: 'finished', text: 'finished', cause: null, step: null, value: null };
const crashed: TrialRecord['reason'] = { code: 'crashed', text: 'crashed', cause: 'own', step: null, value: null };

// A study and its trials on paper: nothing trains, and everything that decides about them is the real code. This room only.
import type { EpisodeRow, EvaluationFile } from '../../../src-protocol/files/evaluation.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { CampaignView } from '../campaign/judges.ts';
import type { PlannedTrial } from '../campaign/search-plan.ts';
import { summarise } from '../evaluation/summarise.ts';
import type { MetricPoint } from '../metrics/metric-point.ts';
import { digest } from '../provenance/canonical-json.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { planTrial } from '../study/plan-trials.ts';
import { makeMonitor } from '../trial/monitor.ts';
import { endedByRule, type Ending } from '../trial/trial-outcome.ts';
import { trialFolderName } from '../workspace/layout.ts';

export const slots = 3;
const looks = [2, 3];
const rewardTag = 'reward';

/** What each candidate comes to: its score on every seed, or how its training goes wrong. */
export const candidates = {
  baseline: { score: 100, reward: 50 },
  better: { score: 140, reward: 60 },
  worse: { score: 70, reward: 30 },
  tempting: { score: 60, reward: 500 },
  diverges: 'nan',
  hangs: 'hung',
} as const satisfies Record<string, { readonly score: number; readonly reward: number } | 'nan' | 'hung'>;

export function paperStudy(): LoadedStudy {
  const evaluation = { num_envs: 4, episodes_per_env: 2, seed: 7777 };
  const agent = (name: string): PlainMap => (name === 'baseline' ? { name } : { name, agent_cfg: { kind: name } });
  const monitor = { startup_s: 20, hang_s: 5, grace_s: 1 };
  return studyFromApproved(
    {
      schema: 1,
      study: {
        study: 'paper',
        base: { task: 'paper', seed: 42, num_envs: 4, device: 'cpu', max_trial_s: 60 },
        eval: { ...evaluation, max_steps: 100 },
        stages: { noise: { seeds: 3 }, screen: { timesteps: 1000, max_parallel: slots, monitor }, refine: { timesteps: 3000, top_k: 1, monitor }, verify: { looks } },
        candidates: Object.keys(candidates).map(agent),
      },
      experiment: { study: 'paper', why: '' },
      gates: {
        task: { task: 'paper' },
        metric: { primary: 'score' },
        scope: { may_change: ['agent_cfg'] },
        budget: { wall_hours: 1, per_trial_s: 60 },
        hardware: { devices: ['cpu'], max_parallel: slots },
        baseline: { what: 'paper' },
        evaluation,
        experiment: { study: 'paper' },
      },
      adapter: { framework: 'command', train: ['none'], evaluate: ['none'], metrics: { [rewardTag]: { meaning: 'reward' } } },
      task: { entry: 'paper', score_scale: 100 },
    },
    '/paper',
  );
}

export function paperView(study: LoadedStudy, records: readonly TrialRecord[]): CampaignView {
  const search: CampaignView['search'] = {
    baseSeed: study.base.seed,
    candidates: study.candidates.map(({ name }) => name),
    noise: study.stages.noise,
    topK: study.stages.refine.top_k,
    looks,
    freshSeeds: [1001, 1002, 1003],
    plan: (stage, candidate, seed, repeat) => planTrial(study, { stage, candidate, seed, repeat }),
  };
  return { study, search, records, selfTest: { passed: true, text: 'on paper', randomScore: 10 }, isCompletingLooks: false };
}

/** The record of one training on paper: its points go through the monitor, its episodes through the evaluation. */
export function trainOnPaper(study: LoadedStudy, trial: PlannedTrial): TrialRecord {
  const plan = candidates[trial.candidate as keyof typeof candidates];
  const monitor = makeMonitor({ rules: study.stages.screen.monitor, stage: trial.stage, adapter: study.adapter, timesteps: trial.timesteps, startMonoMs: 0, maxTrialMs: 60_000 });
  const reward = typeof plan === 'string' ? 50 : plan.reward;
  let decision = null;
  for (const share of [0.25, 0.5, 0.75, 1]) {
    if (plan === 'hung' && share > 0.5) break;
    monitor.see([pointAt(share * trial.timesteps, plan === 'nan' && share > 0.5 ? NaN : reward * share)]);
    decision ??= monitor.tick({ monoMs: share * 1000, suspendedMs: 0, isAlive: true, consoleProgress: false, artifactsDone: false });
  }
  decision ??= plan === 'hung' ? monitor.tick({ monoMs: 20_000, suspendedMs: 0, isAlive: true, consoleProgress: false, artifactsDone: false }) : null;
  const ending = decision === null ? null : endedByRule(decision);
  // Seeds move the score, and not all candidates alike: pairs that all differ by the same prove nothing.
  const score = typeof plan === 'string' ? 0 : plan.score + (trial.seed % (trial.candidate === 'better' ? 3 : 5));
  const view = monitor.view();
  return { ...recordBase(trial, ending), steps: view.lastStep, train_reward_final: view.reward.at(-1)?.smoothed ?? null, evaluation: ending === null ? summarise(evaluationOf(study, score), { expected: { policy: 'checkpoint', ...study.eval }, metric: { primary: 'score', direction: 'maximise' } }) : null };
}

function recordBase(trial: PlannedTrial, ending: Ending | null): TrialRecord {
  return {
    ...{ schema: 1, seq: 0, identity: trial.identity, study: 'paper', stage: trial.stage, candidate: trial.candidate, settings_digest: trial.settingsDigest },
    ...{ seed: trial.seed, repeat: trial.repeat, attempt: 0, flags: [], steps: 0, timesteps: trial.timesteps, wall_s: trial.timesteps / 1000 },
    status: ending?.status ?? 'completed',
    rule: ending?.rule ?? null,
    reason: ending?.reason ?? { code: 'finished', text: 'finished', cause: null, step: null, value: null },
    ...{ train_reward_min: null, train_reward_final: null, t90_steps: null, t90_s: null, peak_vram_bytes: 'unknown', evaluation: null },
    ...{ checkpoint_sha256: digest({ trained: trial.candidate, seed: trial.seed, timesteps: trial.timesteps }), folder: trialFolderName({ ...trial, attempt: 0 }), settings: {}, ended_at: '2026-01-01T00:00:00.000Z' },
  };
}

function pointAt(step: number, value: number): MetricPoint {
  return { tag: rewardTag, mapped: { key: rewardTag, meaning: 'reward', axis: 'step', isRegular: true }, step, wallTimeS: step / 1000, value };
}

/** Every environment's episodes around `score`, ended as `causeOf` says. */
export function evaluationOf(study: LoadedStudy, score: number, causeOf: (env: number, episode: number) => string = () => 'time_out'): EvaluationFile {
  const { num_envs, episodes_per_env } = study.eval;
  const episodes = Array.from({ length: num_envs * episodes_per_env }, (_, index): EpisodeRow => {
    const [env, episode] = [index % num_envs, Math.floor(index / num_envs)];
    return { env, episode, return: score + (index % 2 === 0 ? 1 : -1), length: 10 + env, cause: causeOf(env, episode) };
  });
  return { schema: 1, policy: 'checkpoint', checkpoint: { path: 'paper', sha256: '0'.repeat(64), step: 1000 }, normalizer: 'none', ...study.eval, episodes };
}

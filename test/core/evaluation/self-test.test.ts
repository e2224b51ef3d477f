import { describe, expect, it } from 'vitest';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';
import { judgeSelfTest, planSelfTest, type SelfTestRun } from '../../../src-main/core/evaluation/self-test.ts';

const envCfg = { reward: { alive: 1, fall: -1, still: 0.5, on: true }, gravity: 9.8 };

const plan = (isBitIdentical: boolean, change: Partial<Parameters<typeof planSelfTest>[0]> = {}) =>
  planSelfTest({ env_cfg: envCfg, rewardWeights: ['reward.alive', 'reward.fall'], isInScope: () => true, isBitIdentical, ...change });

const summary = (score: number | null, half = 0): EvaluationSummary => ({
  valid: score !== null,
  problem: score === null ? 'too few' : null,
  score,
  score_low: score === null ? null : score - half,
  score_high: score === null ? null : score + half,
  episodes: 10,
  mean_length: 1,
  success_rate: null,
  causes: [],
  metrics: {},
});

/** Scores by run name; the trained baseline scores 100. */
function judge(runs: readonly SelfTestRun[], scores: Readonly<Record<string, number | null>>, isBitIdentical = true, half = 0) {
  const results = runs.map((run) => ({ run, summary: summary(scores[run.name] === undefined ? 100 : (scores[run.name] ?? null), half) }));
  return judgeSelfTest({ baseline: summary(100, half), results, isBitIdentical });
}

describe('evaluator self-test', () => {
  it('E10 plans random, zero and one perturbed run per tuned weight, and the baseline again where evaluations scatter', () => {
    expect(plan(true).map(({ name, policy }) => [name, policy])).toEqual([
      ['random', 'random'],
      ['zero', 'zero'],
      ['weight-1', 'checkpoint'],
      ['weight-2', 'checkpoint'],
    ]);
    expect(plan(false)[0]).toMatchObject({ name: 'baseline-again', policy: 'checkpoint', env_cfg: envCfg, perturbed: null });
  });

  it('E10 perturbs only weights that the scope lets a candidate change', () => {
    const asked: string[] = [];
    const runs = plan(true, {
      isInScope: (path) => {
        asked.push(path);
        return path === 'env_cfg.reward.fall';
      },
    });
    expect(asked).toEqual(['env_cfg.reward.alive', 'env_cfg.reward.fall']);
    expect(runs.slice(2)).toMatchObject([{ name: 'weight-1', perturbed: { path: 'reward.fall' } }]);
  });

  it.each([
    ['reward.alive', 1, 3],
    ['reward.fall', -1, -3],
    ['reward.still', 0.5, 2],
    ['reward.on', true, false],
    ['reward.absent', null, 3],
  ])('E10 really changes %s', (path, from, to) => {
    const [, , run] = plan(true, { rewardWeights: [path] });
    expect(run?.perturbed).toEqual({ path, from, to });
    const key = path.split('.')[1] ?? '';
    expect(run?.env_cfg).toEqual({ ...envCfg, reward: { ...envCfg.reward, [key]: to } });
  });

  it('E10 passes when random and zero score below and no weight moves the score', () => {
    expect(judge(plan(true), { random: 20, zero: 9 })).toMatchObject({ kind: 'passed', randomScore: 20 });
  });

  it('E10 names the leak when a perturbed weight moves the score', () => {
    const result = judge(plan(true), { random: 20, zero: 9, 'weight-2': 100.000001 });
    expect(result).toMatchObject({ kind: 'failed', leak: 'env_cfg.reward.fall' });
    expect(result.text).toContain('env_cfg.reward.fall from -1 to -3');
  });

  it('E10 fails when a random policy is no worse than the trained baseline', () => {
    expect(judge(plan(true), { random: 100, zero: 9 })).toMatchObject({ kind: 'failed', leak: 'random' });
    expect(judge(plan(true), { random: 101, zero: 9 })).toMatchObject({ kind: 'failed', leak: 'random' });
  });

  it('E10 asks when doing nothing is no worse', () => {
    expect(judge(plan(true), { random: 20, zero: 100 })).toMatchObject({ kind: 'ask', randomScore: 20 });
  });

  it('E10 fails on an evaluation that is not valid, and without a random one', () => {
    expect(judge(plan(true), { random: null, zero: 9 })).toMatchObject({ kind: 'failed', leak: 'random' });
    expect(judge(plan(true), { random: 20, zero: 9, 'weight-1': null })).toMatchObject({ kind: 'failed', leak: 'weight-1' });
    expect(judgeSelfTest({ baseline: summary(null), results: [], isBitIdentical: true })).toMatchObject({ kind: 'failed', leak: 'baseline' });
    expect(judgeSelfTest({ baseline: summary(1), results: [], isBitIdentical: true })).toMatchObject({ kind: 'failed', leak: 'random' });
  });

  it('E10 allows the spread of two evaluations on simulators that are not bit-identical', () => {
    const scores = { random: 20, zero: 9, 'baseline-again': 98 };
    expect(judge(plan(false), { ...scores, 'weight-1': 103 }, false)).toMatchObject({ kind: 'passed' });
    expect(judge(plan(false), { ...scores, 'weight-1': 104.1 }, false)).toMatchObject({ kind: 'failed', leak: 'env_cfg.reward.alive' });
    expect(judge(plan(false), { ...scores, 'baseline-again': 100.5, 'weight-1': 103 }, false, 2)).toMatchObject({ kind: 'passed' });
    expect(judge(plan(false), { ...scores, 'baseline-again': 100.5, 'weight-1': 105 }, false, 2)).toMatchObject({ kind: 'failed' });
    // Two evaluations equal in every figure: this simulator repeats, so any change is a leak.
    expect(judge(plan(false), { ...scores, 'baseline-again': 100, 'weight-1': 100.1 }, false, 2)).toMatchObject({ kind: 'failed' });
  });
});

// PPO's parts against published vectors: advantages, schedules, initialisation, observation statistics, minibatches.
import { describe, expect, it } from 'vitest';
import { bundledAgent } from '../../src-protocol/files/agent.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { makeCartPole } from '../../src-runner/envs/cartpole.ts';
import { vectorise } from '../../src-runner/envs/vectorise.ts';
import { bestAction, sampleAction } from '../../src-runner/heads/categorical-policy.ts';
import { makeCollector } from '../../src-runner/learners/collect.ts';
import { makeEpisodeWindow } from '../../src-runner/learners/episode-window.ts';
import { explainedVariance } from '../../src-runner/learners/explained-variance.ts';
import { generalisedAdvantages, standardise } from '../../src-runner/learners/gae.ts';
import { makeMinibatches } from '../../src-runner/learners/minibatches.ts';
import { makePpo } from '../../src-runner/learners/ppo.ts';
import { makeRollout } from '../../src-runner/learners/rollout.ts';
import { scheduledRate } from '../../src-runner/learners/schedules.ts';
import { orthogonal } from '../../src-runner/models/initialise.ts';
import { makeObservationNormalizer } from '../../src-runner/models/observation-normalizer.ts';
import { makeGenerator } from '../../src-runner/seeding/generator.ts';
import { makeStreams } from '../../src-runner/seeding/streams.ts';

interface Fragment {
  readonly values: readonly number[];
  readonly rewards: readonly number[];
  readonly end: 'terminated' | { readonly bootstrap: number };
  readonly discount: number;
  readonly lambda: number;
}

describe('advantages', () => {
  const base = { values: [1, 2, 3], rewards: [10, 20, 30], discount: 0.9 } as const;

  it('RU10: published targets for terminated, truncated and one-step fragments', () => {
    expectClose(targetsOf({ ...base, lambda: 1, end: 'terminated' }), [52.3, 47, 30]);
    expectClose(targetsOf({ ...base, lambda: 1, end: { bootstrap: 4 } }), [55.216, 50.24, 33.6]);
    expectClose(targetsOf({ ...base, lambda: 0, end: { bootstrap: 4 } }), [11.8, 22.7, 33.6]);
    expectClose(targetsOf({ ...base, lambda: 0.95, end: { bootstrap: 4 } }), [51.867865, 48.863, 33.6]);
    expectClose(targetsOf({ values: [5], rewards: [10], discount: 0.99, lambda: 1, end: { bootstrap: 3 } }), [12.97]);
    const mixed = { values: [0.5, 1, 0.2, 0.8], rewards: [1, 0, 2, -1], discount: 0.99, lambda: 0.95, end: 'terminated' } as const;
    expectClose(targetsOf(mixed), [2.0310091388, 1.04360355, 1.0991, -1]);
  });

  it('RU10: standardised advantages equal the published ones, and equal advantages do not divide by zero', () => {
    const { advantages } = estimate({ ...base, lambda: 0.95, end: { bootstrap: 4 } });
    standardise(advantages, 3);
    expectClose([...advantages], [0.92317, 0.46622, -1.38939]);
    const equal = Float32Array.of(2, 2, 2);
    standardise(equal, 3);
    expect([...equal]).toEqual([0, 0, 0]);
  });

  it('RU10: the end of an episode cuts the recursion in the middle of a rollout', () => {
    const input = {
      steps: 3, numEnvs: 1, discount: 0.9, lambda: 1,
      rewards: Float32Array.of(1, 1, 1), values: new Float32Array(3), nextValues: Float32Array.of(0, 5, 0),
      terminated: Uint8Array.of(0, 0, 1), truncated: Uint8Array.of(0, 1, 0),
    };
    const targets = new Float32Array(3);
    generalisedAdvantages(input, new Float32Array(3), targets);
    expectClose([...targets], [1 + 0.9 * 5.5, 5.5, 1]);
  });

  it('RU10: a truncated episode bootstraps from its final observation, not from the next start', async () => {
    // The observation counts up; the episode is cut after 2 steps. The value network is the identity.
    const makeOne = () => {
      let t = 0;
      return { reset: () => [(t = 0)], step: () => ({ observation: [++t], reward: 0, terminated: false }) };
    };
    const env = vectorise(makeOne, { numEnvs: 1, observationSize: 1, actionCount: 2, timeLimit: 2, generators: [makeGenerator(0)] });
    const policy = await plainBackend.makeNetwork({ inputs: 1, hidden: [], outputs: 2 }, new Float32Array(4));
    const value = await plainBackend.makeNetwork({ inputs: 1, hidden: [], outputs: 1 }, Float32Array.of(1, 0));
    const collector = makeCollector({ env, models: { policy, value }, normalizer: null, samplers: [makeGenerator(1)], window: makeEpisodeWindow(1) });
    const rollout = makeRollout(5, 1, 1);
    await collector.collect(rollout, 5);
    expect([...rollout.values]).toEqual([0, 1, 0, 1, 0]);
    expect([...rollout.nextValues]).toEqual([1, 2, 1, 2, 1]);
    expect([...rollout.truncated]).toEqual([0, 1, 0, 1, 0]);
  });
});

describe('parts of PPO', () => {
  it('RU11: orthogonal weights have orthogonal rows or columns times the gain', () => {
    for (const [rows, columns] of [[4, 9], [9, 4], [6, 6]] as const) {
      const w = orthogonal(rows, columns, 2, makeGenerator(3));
      const [count, length, at] = rows <= columns
        ? [rows, columns, (i: number, k: number) => w[i * columns + k]!] as const
        : [columns, rows, (i: number, k: number) => w[k * columns + i]!] as const;
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          let product = 0;
          for (let k = 0; k < length; k++) product += at(i, k) * at(j, k);
          expect(product).toBeCloseTo(i === j ? 4 : 0, 5);
        }
      }
    }
  });

  it('RU11: the first policy is nearly uniform', async () => {
    const ppo = await makeCartPolePpo({});
    const logits = await ppo.models.policy.forward(Float32Array.of(0.5, -1, 0.2, 1), 1);
    expect(Math.abs(logits[0]! - logits[1]!)).toBeLessThan(0.05);
  });

  it('RU12: merged observation statistics equal those of all observations at once', () => {
    const generator = makeGenerator(5);
    const all = Float32Array.from({ length: 600 }, () => 3 + 2 * generator.normal());
    const normalizer = makeObservationNormalizer(2);
    for (let row = 0; row < 300; row += 10) normalizer.update(all.subarray(row * 2, row * 2 + 20), 10);
    const { mean, variance, count } = normalizer.read();
    for (const j of [0, 1]) {
      const column = Array.from({ length: 300 }, (_, row) => all[row * 2 + j]!);
      const m = column.reduce((a, b) => a + b) / 300;
      expect(mean[j]).toBeCloseTo(m, 4);
      expect(variance[j]).toBeCloseTo(column.reduce((a, b) => a + (b - m) ** 2, 0) / 300, 3);
    }
    expect(count).toBeCloseTo(300, 3);
    const out = new Float32Array(2);
    makeObservationNormalizer(2, { mean: Float64Array.of(1, 0), variance: Float64Array.of(4, 1), count: 9 }).apply(Float32Array.of(5, 1000), 1, out);
    expectClose([...out], [2, 10]);
  });

  it('RU13: minibatches cover every sample once per pass, in sizes that differ by at most one', async () => {
    const rollout = makeRollout(11, 1, 1);
    rollout.observations.set(Array.from({ length: 11 }, (_, i) => i));
    const pass = makeMinibatches(rollout, 1, makeGenerator(1));
    const seen: number[] = [];
    const sizes: number[] = [];
    await pass(11, 4, async (batch) => {
      sizes.push(batch.rows);
      seen.push(...batch.observations.subarray(0, batch.rows));
    });
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, i) => i));
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    expect(seen).not.toEqual([...seen].sort((a, b) => a - b));
  });

  it('RU13: a batch that does not divide into the minibatches is refused', async () => {
    await expect(makeCartPolePpo({ rollouts: 5, mini_batches: 4 })).rejects.toThrow('a batch of 10 (rollouts 5 x num_envs 2) does not divide into 4 mini_batches');
  });

  it('RU13: the linear schedule falls from the rate to 0 over the trial', () => {
    expect([0, 0.25, 1].map((progress) => scheduledRate('linear', 0.4, progress))).toEqual([0.4, 0.30000000000000004, 0]);
    expect(scheduledRate('constant', 0.4, 0.9)).toBe(0.4);
  });

  it('RU14: sampling and choosing actions end in a valid action even for NaN', () => {
    const nan = Float32Array.of(NaN, NaN, NaN);
    expect(sampleAction(nan, 0, 3, makeGenerator(0))).toBe(2);
    expect(bestAction(nan, 0, 3)).toBe(0);
    const counts = [0, 0];
    const generator = makeGenerator(9);
    for (let i = 0; i < 4000; i++) counts[sampleAction(Float32Array.of(Math.log(0.25), Math.log(0.75)), 0, 2, generator)]! += 1;
    expect(Math.abs(counts[0]! / 4000 - 0.25)).toBeLessThan(0.03);
  });

  it('RU14: training goes on through NaN and shows it in the figures', async () => {
    const ppo = await makeCartPolePpo({ learning_rate: 1e30, rollouts: 32 });
    await ppo.iterate(32, 0);
    const figures = await ppo.iterate(32, 0);
    expect(Number.isNaN(figures.policyLoss) && Number.isNaN(figures.valueLoss)).toBe(true);
  });

  it('RU15: the episode window averages finished episodes only and is empty before the first', () => {
    const env = makeCartPole([makeGenerator(0), makeGenerator(1)]);
    const window = makeEpisodeWindow(2, 3);
    env.reset();
    expect(window.summary()).toBeNull();
    const lengths: number[] = [];
    let running = [0, 0];
    for (let t = 0; t < 60; t++) {
      env.step(Int32Array.of(1, 0));
      window.observe(env);
      running = running.map((n) => n + 1);
      for (const i of [0, 1]) {
        if (env.terminated[i] === 0) continue;
        lengths.push(running[i]!);
        running[i] = 0;
      }
    }
    const recent = lengths.slice(-3);
    expect(window.summary()).toMatchObject({ episodes: 3, meanReturn: recent.reduce((a, b) => a + b) / 3, minReturn: Math.min(...recent), maxReturn: Math.max(...recent) });
  });

  it('RU15: explained variance is 1 for perfect values, 0 for constant ones', () => {
    const targets = Float32Array.of(1, 2, 3);
    expect(explainedVariance(targets, targets, 3)).toBe(1);
    expect(explainedVariance(Float32Array.of(4, 4, 4), targets, 3)).toBe(0);
    expect(explainedVariance(targets, Float32Array.of(1, 1, 1), 3)).toBe(0);
  });

  it('RU16: PPO learns to balance: mean return over 100 within 16384 steps', async () => {
    const ppo = await makeCartPolePpo({ learning_rate: 1e-3, learning_epochs: 5 }, 8, [32, 32]);
    for (let i = 0; i < 16; i++) await ppo.iterate(128, 0);
    expect(ppo.window.summary()!.meanReturn).toBeGreaterThan(100);
  });
});

async function makeCartPolePpo(agent: Record<string, unknown>, numEnvs = 2, hidden: readonly number[] = [16]) {
  const streams = makeStreams(4);
  const env = makeCartPole(Array.from({ length: numEnvs }, (_, i) => streams.make('environment', i)));
  return makePpo({ env, backend: plainBackend, config: bundledAgent.parse({ agent, models: { hidden } }), streams });
}

function estimate({ values, rewards, end, discount, lambda }: Fragment) {
  const steps = values.length;
  const flags = (isOn: boolean): Uint8Array => Uint8Array.from(values, (_, i) => (isOn && i === steps - 1 ? 1 : 0));
  const isTerminated = end === 'terminated';
  const advantages = new Float32Array(steps);
  const targets = new Float32Array(steps);
  const nextValues = Float32Array.of(...values.slice(1), isTerminated ? 99 : end.bootstrap);
  generalisedAdvantages(
    { steps, numEnvs: 1, rewards: Float32Array.from(rewards), values: Float32Array.from(values), nextValues, terminated: flags(isTerminated), truncated: flags(!isTerminated), discount, lambda },
    advantages,
    targets,
  );
  return { advantages, targets };
}

function targetsOf(fragment: Fragment): number[] {
  return [...estimate(fragment).targets];
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(2e-5 * Math.max(1, Math.abs(expected[i]!))));
}

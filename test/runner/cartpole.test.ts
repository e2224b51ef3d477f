// CartPole against recorded Gymnasium trajectories, and the rules of an episode's end.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARTPOLE_RULES, makeCartPole } from '../../src-runner/envs/cartpole.ts';
import { makeGenerator } from '../../src-runner/seeding/generator.ts';

interface Recording {
  readonly seed: number;
  readonly initial_state: readonly number[];
  readonly actions: readonly number[];
  readonly observations: readonly (readonly number[])[];
  readonly rewards: readonly number[];
  readonly terminated: readonly boolean[];
  readonly truncated: readonly boolean[];
  readonly final_state_float64: readonly number[];
}
const recordings = JSON.parse(
  readFileSync(new URL('../fixtures/gymnasium/cartpole-v1.json', import.meta.url), 'utf8'),
) as readonly Recording[];

describe('CartPole-v1', () => {
  it('RU4: a start drawn under a seed equals Gymnasium reset(seed)', () => {
    for (const recording of recordings) {
      const env = makeCartPole([makeGenerator(recording.seed)]);
      env.reset();
      expect([...env.state]).toEqual(recording.initial_state);
    }
  });

  it('RU4: recorded trajectories replay exactly: observations, rewards, flags, final double-precision state', () => {
    for (const recording of recordings) {
      // A limit out of reach keeps the last state readable: Gymnasium's own truncation at 500 is tested below.
      const rules = { ...CARTPOLE_RULES, max_episode_steps: 500 };
      const env = makeCartPole([makeGenerator(0)], rules);
      env.reset();
      env.state.set(recording.initial_state);
      recording.actions.forEach((action, t) => {
        const isLast = t === recording.actions.length - 1;
        const before = [...env.state];
        env.step(Int32Array.of(action));
        const isDone = recording.terminated[t]! || recording.truncated[t]!;
        expect([...(isDone ? env.finalObservations : env.observations)]).toEqual(recording.observations[t + 1]);
        expect(env.rewards[0]).toBe(recording.rewards[t]);
        expect([env.terminated[0] === 1, env.truncated[0] === 1]).toEqual([recording.terminated[t], recording.truncated[t]]);
        expect(isDone).toBe(isLast);
        if (isLast) expect(unlimitedStep(before, action)).toEqual(recording.final_state_float64);
      });
    }
  });
});

/** The double-precision state after one step from `state`, in an environment where no limit can end the episode. */
function unlimitedStep(state: readonly number[], action: number): number[] {
  const env = makeCartPole([makeGenerator(0)], {
    ...CARTPOLE_RULES,
    max_episode_steps: Infinity,
    angle_limit_deg: Infinity,
    position_limit: Infinity,
  });
  env.reset();
  env.state.set(state);
  env.step(Int32Array.of(action));
  return [...env.state];
}

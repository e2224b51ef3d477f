// Environments: ends and their causes, shaping, single environments lifted, user files, settings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { CARTPOLE_RULES, makeCartPole } from '../../src-runner/envs/cartpole.ts';
import { makeEnv } from '../../src-runner/envs/make-env.ts';
import { withShaping } from '../../src-runner/envs/shaping.ts';
import { vectorise } from '../../src-runner/envs/vectorise.ts';
import { makeGenerator } from '../../src-runner/seeding/generator.ts';
import { makeStreams } from '../../src-runner/seeding/streams.ts';

const root = mkdtempSync(join(tmpdir(), 'rlxp-envs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('ends of CartPole', () => {
  it('RU5: causes tell left from right, leaving the track wins over falling, and the limit is time_out', () => {
    const deg = Math.PI / 180;
    expect(endFrom([0, 0, -11.9 * deg, -3], CARTPOLE_RULES)).toMatchObject({ cause: 'fell_left', terminated: 1, truncated: 0 });
    expect(endFrom([0, 0, 11.9 * deg, 3], CARTPOLE_RULES)).toMatchObject({ cause: 'fell_right' });
    expect(endFrom([2.39, 3, 0, 0], CARTPOLE_RULES)).toMatchObject({ cause: 'out_of_bounds', terminated: 1 });
    expect(endFrom([-2.39, -3, 11.9 * deg, 3], CARTPOLE_RULES)).toMatchObject({ cause: 'out_of_bounds' });
    expect(endFrom([0, 0, 0, 0], { ...CARTPOLE_RULES, max_episode_steps: 1 })).toMatchObject({ cause: 'time_out', terminated: 0, truncated: 1 });
    expect(endFrom([0, 0, 11.9 * deg, 3], { ...CARTPOLE_RULES, max_episode_steps: 1 })).toMatchObject({ cause: 'fell_right', terminated: 1, truncated: 1 });
  });

  it('RU6: a finished copy restarts in the same step and keeps its final observation; the others go on', () => {
    const env = makeCartPole([makeGenerator(0), makeGenerator(1)]);
    env.reset();
    env.state.set([2.39, 3, 0, 0], 0);
    const other = [...env.observations.subarray(4)];
    env.step(Int32Array.of(1, 1));
    expect([...env.terminated]).toEqual([1, 0]);
    expect(env.finalObservations[0]).toBeGreaterThan(2.4);
    for (const x of env.observations.subarray(0, 4)) expect(Math.abs(x)).toBeLessThanOrEqual(0.05);
    expect([...env.observations.subarray(4)]).not.toEqual(other);
    const before = [...env.observations.subarray(0, 4)];
    env.reset(1);
    expect([...env.observations.subarray(0, 4)]).toEqual(before);
  });

  it('RU6: copies share no randomness: each equals a lone copy with its generator, whatever the others do', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 1, maxLength: 120 }), (actions) => {
        const pair = makeCartPole([makeGenerator(3), makeGenerator(4)]);
        const lone = makeCartPole([makeGenerator(4)]);
        pair.reset();
        lone.reset();
        for (const [first, second] of actions) {
          pair.step(Int32Array.of(first, second));
          lone.step(Int32Array.of(second));
          expect([...pair.state.subarray(4)]).toEqual([...lone.state]);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('shaping', () => {
  it('RU19: terms change what is optimised and never what is counted, unless a term is scored', () => {
    const env = withShaping(makeCartPole([makeGenerator(0)]), {
      help: { weight: 0.5, value: (_before, action) => action },
      task: { weight: 2, scored: true, value: () => 1 },
      off: { weight: 0, value: () => NaN },
    });
    env.reset();
    env.step(Int32Array.of(1));
    expect([env.rewards[0], env.trueRewards[0]]).toEqual([3.5, 3]);
    env.step(Int32Array.of(0));
    expect([env.rewards[0], env.trueRewards[0]]).toEqual([3, 3]);
  });

  it('RU19: a term sees the observation acted on and the one reached, the final one where the episode ended', () => {
    const inner = makeCartPole([makeGenerator(0)]);
    const seen: number[][] = [];
    const env = withShaping(inner, { spy: { weight: 1, value: (before, _action, after) => (seen.push([before[0]!, after[0]!]), 0) } });
    env.reset();
    inner.state.set([2.39, 3, 0, 0]);
    inner.observations.set([2.39, 3, 0, 0]);
    env.step(Int32Array.of(1));
    expect(seen[0]![0]).toBeCloseTo(2.39, 5);
    expect(seen[0]![1]).toBeCloseTo(2.45, 5);
    expect(env.cause(0)).toBe('out_of_bounds');
  });

  it('RU19: without an active term the environment itself is returned', () => {
    const env = makeCartPole([makeGenerator(0)]);
    expect(withShaping(env, { off: { weight: 0, value: () => 1 } })).toBe(env);
  });

  it('RU19: CartPole takes shaping weights and rules from its settings and names an unknown one', async () => {
    const env = await registered({ shaping: { position: 1 }, max_episode_steps: 3 });
    expect(env.timeLimit).toBe(3);
    env.reset();
    env.step(Int32Array.of(0));
    expect(env.rewards[0]).toBeLessThan(1);
    expect(env.trueRewards[0]).toBe(1);
    await expect(registered({ gravity: 1 })).rejects.toThrow('unknown environment setting "gravity"; known: max_episode_steps');
    await expect(registered({ shaping: { speed: 1 } })).rejects.toThrow('unknown environment setting "speed"; known: position');
    await expect(registered({ shaping: 1 })).rejects.toThrow('"shaping" must be a map');
    await expect(registered({ force: '10' })).rejects.toThrow('"force" must be a finite number, not "10"');
  });
});

describe('lifting a single environment', () => {
  it('RU20: ends, limits, causes, success and metrics reach the vectorised contract', () => {
    const makeOne = (generator: ReturnType<typeof makeGenerator>) => {
      let t = 0;
      return {
        reset: () => [(t = 0), generator.uniform()],
        step: (action: number) => {
          t += 1;
          return { observation: [t, action], reward: t, trueReward: 1, terminated: action === 1, cause: 'pressed', success: true, metrics: { t } };
        },
      };
    };
    const env = vectorise(makeOne, { numEnvs: 2, observationSize: 2, actionCount: 2, timeLimit: 2, generators: [makeGenerator(0), makeGenerator(1)] });
    env.reset();
    env.step(Int32Array.of(1, 0));
    expect([[...env.terminated], [...env.truncated]]).toEqual([[1, 0], [0, 0]]);
    expect([env.cause(0), env.success?.(0), env.metrics?.(0)]).toEqual(['pressed', true, { t: 1 }]);
    env.step(Int32Array.of(0, 0));
    expect([...env.truncated]).toEqual([0, 1]);
    expect([env.cause(1), env.rewards[1], env.trueRewards[1]]).toEqual(['time_out', 2, 1]);
    expect([...env.finalObservations.subarray(2)]).toEqual([2, 0]);
    expect(env.observations[2]).toBe(0);
  });
});

describe('user environments', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['an export that is missing', 'export const other = 1;', './a.mjs#makeEnv', './a.mjs#makeEnv: the file has no exported function "makeEnv"'],
    ['an entry without an export', '', './a.mjs#', 'an entry reads "./file.mjs#export"'],
    ['a file outside its folder', '', '../a.mjs#makeEnv', 'the file lies outside'],
    ['a syntax error', 'export function makeEnv( {', './a.mjs#makeEnv', './a.mjs#makeEnv: cannot load'],
    ['an error of its own', 'export function makeEnv() { throw new Error("no track"); }', './a.mjs#makeEnv', './a.mjs#makeEnv: no track'],
    ['nothing returned', 'export function makeEnv() {}', './a.mjs#makeEnv', 'returned undefined, not an environment object'],
    ['a wrong count', 'export const makeEnv = (o, r) => r.makeCartPole(o.generators.slice(1));', './a.mjs#makeEnv', 'numEnvs is 1, but 2 copies were asked for'],
    ['a plain array', 'export const makeEnv = (o, r) => ({ ...r.makeCartPole(o.generators), observations: [0] });', './a.mjs#makeEnv', 'observations must be a Float32Array of length 8, not a Array of length 1'],
    ['a missing method', 'export const makeEnv = (o, r) => ({ ...r.makeCartPole(o.generators), cause: undefined });', './a.mjs#makeEnv', 'cause must be a function, not undefined'],
    ['an unknown setting', 'export const makeEnv = (o, r) => (r.readSettings(o.envCfg, { lean: 0 }), r.makeCartPole(o.generators));', './a.mjs#makeEnv', './a.mjs#makeEnv: unknown environment setting "bend"; known: lean'],
  ];
  for (const [i, [name, source, entry, message]] of cases.entries()) {
    it(`RU21: refuses ${name}, naming the entry`, async () => {
      writeFileSync(join(root, `case-${i}.mjs`), source);
      await expect(load(entry.replace('a.mjs', `case-${i}.mjs`), { bend: 1 })).rejects.toThrow(message.replace('a.mjs', `case-${i}.mjs`));
    });
  }

  it('RU21: a file that imports nothing shapes CartPole by the toolkit, and a promise is awaited', async () => {
    writeFileSync(
      join(root, 'good.mjs'),
      `export async function makeEnv({ generators, envCfg }, rlxp) {
         const { centre } = rlxp.readSettings(envCfg, { centre: 0 });
         return rlxp.withShaping(rlxp.makeCartPole(generators), {
           centre: { weight: centre, value: (before, action, after) => -Math.abs(after[0]) },
         });
       }`,
    );
    const env = await load('./good.mjs#makeEnv', { centre: 3 });
    env.reset();
    env.step(Int32Array.of(0, 1));
    expect(env.rewards[0]).toBeLessThan(1);
    expect([...env.trueRewards]).toEqual([1, 1]);
  });

  it('RU21: an unknown registered id is refused with the known ones', async () => {
    await expect(load('CartPole-v2', {})).rejects.toThrow('unknown environment "CartPole-v2"; known: CartPole-v1, or "./file.mjs#export"');
  });
});

function load(entry: string, envCfg: Record<string, number>) {
  return makeEnv({ entry, entryRoot: root, envCfg, numEnvs: 2, streams: makeStreams(0) });
}

function registered(envCfg: Parameters<typeof makeEnv>[0]['envCfg']) {
  return makeEnv({ entry: 'CartPole-v1', entryRoot: root, envCfg, numEnvs: 1, streams: makeStreams(0) });
}

/** One step to the side that worsens `state`, and how the episode ended. */
function endFrom(state: readonly number[], rules: typeof CARTPOLE_RULES) {
  const env = makeCartPole([makeGenerator(0)], rules);
  env.reset();
  env.state.set(state);
  env.step(Int32Array.of(0));
  return { cause: env.cause(0), terminated: env.terminated[0], truncated: env.truncated[0] };
}

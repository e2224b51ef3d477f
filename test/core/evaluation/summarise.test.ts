import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluationSummary } from '../../../src-protocol/files/record.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { summarise } from '../../../src-main/core/evaluation/summarise.ts';
import { evaluation, expected, options } from './evaluation-cases.ts';

describe('summarise', () => {
  it('E1 scores the mean return of the counted episodes', () => {
    expect(summarise(evaluation(), options)).toMatchObject({ valid: true, problem: null, score: 16, episodes: 12, mean_length: 101.5, metrics: { return: 16, length: 101.5 } });
  });

  it('E1 counts exactly the first episodes_per_env of each environment', () => {
    const file = evaluation();
    const extra = [0, 0, 0, 3].map((env, index) => ({ env, episode: 3 + (env === 0 ? index : 0), return: 1e6, length: 1, cause: 'fell' }));
    expect(summarise({ ...file, episodes: [...extra, ...file.episodes] }, options)).toEqual(summarise(file, options));
  });

  it('E2 needs every one of them once', () => {
    const file = evaluation();
    const without = (index: number) => ({ ...file, episodes: file.episodes.filter((_, place) => place !== index) });
    expect(summarise(without(4), options)).toMatchObject({ valid: false, score: null, problem: 'episode 1 of environment 1 is missing' });
    expect(summarise(without(11), options)).toMatchObject({ valid: false, problem: 'episode 2 of environment 3 is missing' });
    expect(summarise({ ...file, episodes: [] }, options)).toMatchObject({ valid: false, episodes: 0, mean_length: null });
    const twice = { ...file, episodes: [...file.episodes, file.episodes[4]!] };
    expect(summarise(twice, options)).toMatchObject({ valid: false, problem: 'episode 1 of environment 1 is there twice' });
    const foreign = { ...file, episodes: [...file.episodes, { ...file.episodes[0]!, env: 9 }] };
    expect(summarise(foreign, options)).toMatchObject({ valid: false, problem: 'it holds environment 9, but there are 4' });
  });

  it('E3 is not valid when more than 1 % of the episodes were cut unfinished', () => {
    const many = { ...expected, num_envs: 100, episodes_per_env: 2 };
    const file = (cut: number) =>
      evaluation(undefined, {
        num_envs: 100,
        episodes_per_env: 2,
        episodes: Array.from({ length: 200 }, (_, place) => ({ env: place >> 1, episode: place & 1, return: 1, length: 5, cause: place < cut ? 'unfinished' : 'time_out' })),
      });
    expect(summarise(file(2), { ...options, expected: many }).valid).toBe(true);
    expect(summarise(file(3), { ...options, expected: many })).toMatchObject({ valid: false, problem: '3 of 200 episodes were cut unfinished, more than 1 %' });
  });

  it.each([
    ['policy', 'random'],
    ['num_envs', 5],
    ['episodes_per_env', 4],
    ['max_steps', 1000],
    ['seed', 1],
    ['deterministic', false],
  ])('E4 is not valid when its %s is not what was asked for', (key, value) => {
    expect(summarise(evaluation(undefined, { [key]: value }), options)).toMatchObject({ valid: false, score: null, problem: expect.stringContaining(key) as string });
  });

  it('E4 needs to know the checkpoint, and the normaliser where the agent has one', () => {
    expect(summarise(evaluation(undefined, { checkpoint: null }), options).valid).toBe(false);
    const bare = evaluation(undefined, { normalizer: 'none' });
    expect(summarise(bare, options).valid).toBe(true);
    expect(summarise(bare, { ...options, needsNormalizer: true })).toMatchObject({ valid: false, problem: 'the checkpoint was evaluated without its observation normaliser' });
    const random = { ...bare, policy: 'random', checkpoint: null } as const;
    expect(summarise(random, { ...options, expected: { ...expected, policy: 'random' }, needsNormalizer: true }).valid).toBe(true);
  });

  it('E5 is not valid with a return that is not finite', () => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(summarise(evaluation((env, episode) => (env === 2 && episode === 1 ? { return: bad } : {})), options)).toMatchObject({ valid: false, score: null });
    }
  });

  it('E6 scores other metrics when the contract says so, and negates what is to be small', () => {
    const file = evaluation((env) => ({ success: env < 3, metrics: { energy: env } }));
    const by = (primary: string, direction: 'maximise' | 'minimise') => summarise(file, { ...options, metric: { primary, direction } });
    expect(by('success', 'maximise')).toMatchObject({ score: 0.75, success_rate: 0.75 });
    expect(by('length', 'maximise').score).toBe(101.5);
    expect(by('return', 'maximise').score).toBe(16);
    const energy = by('energy', 'minimise');
    expect(energy).toMatchObject({ score: -1.5, metrics: { energy: 1.5, success: 0.75 } });
    expect(energy.score_low).toBeLessThan(-1.5);
    expect(energy.score_high).toBeGreaterThan(-1.5);
    expect(by('speed', 'maximise')).toMatchObject({ valid: false, problem: '"speed" is not a finite number in every episode' });
    const partly = evaluation((env) => (env === 0 ? {} : { success: true, metrics: { energy: env } }));
    expect(summarise(partly, { ...options, metric: { primary: 'energy', direction: 'maximise' } }).valid).toBe(false);
    expect(summarise(partly, options)).toMatchObject({ valid: true, success_rate: null });
    expect(summarise(partly, options).metrics).not.toHaveProperty('energy');
  });

  it('E7 gives the 95 % t interval of the mean over episodes', () => {
    const file = evaluation((env, episode) => ({ return: 3 * env + episode }));
    // Values 0..11: mean 5.5, sd 3.605551275; t(0.975, 11) = 2.200985160.
    const summary = summarise(file, options);
    expect(summary.score_low).toBeCloseTo(5.5 - (2.20098516 * 3.605551275) / Math.sqrt(12), 7);
    expect(summary.score_high).toBeCloseTo(5.5 + (2.20098516 * 3.605551275) / Math.sqrt(12), 7);
  });

  it('E7 has no interval for a single episode', () => {
    const one = { ...expected, num_envs: 1, episodes_per_env: 1 };
    const file = evaluation(undefined, { num_envs: 1, episodes_per_env: 1, episodes: [{ env: 0, episode: 0, return: 4, length: 2, cause: 'fell' }] });
    expect(summarise(file, { ...options, expected: one })).toMatchObject({ valid: true, score: 4, score_low: null, score_high: null });
  });

  it('E11 gives equal bits for the same rows in any order', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 12, maxLength: 12 }), fc.infiniteStream(fc.nat()), (returns, random) => {
        const file = evaluation((env, episode) => ({ return: returns[3 * env + episode]!, cause: episode === 0 ? 'fell' : 'time_out' }));
        const shuffled = [...file.episodes].map((row) => ({ row, key: random.next().value as number })).sort((a, b) => a.key - b.key);
        expect(summarise({ ...file, episodes: shuffled.map(({ row }) => row) }, options)).toEqual(summarise(file, options));
      }),
    );
  });

  it('E11 does not lose small values beside large ones', () => {
    const returns = [1e16, 1, -1e16, 1, 1e16, 1, -1e16, 1, 0, 0, 0, 0];
    expect(summarise(evaluation((env, episode) => ({ return: returns[3 * env + episode]! })), options).score).toBe(4 / 12);
  });

  it('survives the way to a file and back', () => {
    const summary = summarise(evaluation((env) => ({ cause: env === 0 ? 'fell' : 'unattributed' })), options);
    expect(evaluationSummary.parse(JSON.parse(stringifyWire(summary)))).toEqual(summary);
    expect(evaluationSummary.parse(JSON.parse(stringifyWire(summarise(evaluation(undefined, { seed: 1 }), options)))).valid).toBe(false);
  });
});

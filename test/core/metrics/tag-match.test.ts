import { describe, expect, it } from 'vitest';
import { makeTagMatch, normaliseTag, primaryRewardKey } from '../../../src-main/core/metrics/tag-match.ts';

const skrl = {
  'Reward / Total reward (mean)': { meaning: 'reward', axis: 'step' },
  'Episode / Total timesteps (mean)': { meaning: 'episode_length', axis: 'step' },
  'Loss / Policy loss': { meaning: 'loss', axis: 'step' },
} as const;

describe('tag match', () => {
  it('ME5 finds a tag exactly', () => {
    expect(makeTagMatch(skrl)('Reward / Total reward (mean)')).toEqual({ key: 'Reward / Total reward (mean)', meaning: 'reward', axis: 'step', isRegular: true });
  });

  it.each(['Reward_/_Total_reward__mean_', 'reward/total reward mean', 'Reward / Total reward [mean]', 'Reward/Total_reward_(mean)'])(
    'ME5 finds %s after normalising',
    (tag) => {
      expect(makeTagMatch(skrl)(tag)?.key).toBe('Reward / Total reward (mean)');
    },
  );

  it('ME5 keeps different statistics of one quantity apart', () => {
    const match = makeTagMatch(skrl);
    expect(match('Reward / Total reward (max)')).toBeNull();
    expect(match('Reward / Total reward (mean)/time')).toBeNull();
    expect(match('rewards/step')).toBeNull();
  });

  it('ME5 gives the same answer when asked again', () => {
    const match = makeTagMatch(skrl);
    expect(match('unknown')).toBeNull();
    expect(match('unknown')).toBeNull();
    expect(match('loss/policy loss')).toBe(match('loss/policy loss'));
  });

  it('ME5 keeps letters of every script, dots and minus signs', () => {
    expect(normaliseTag('Výkon / 奖励 (v1.5-b)')).toBe('výkon 奖励 v1.5-b');
  });

  it('ME6 matches only exactly where two mapped tags differ in spelling alone', () => {
    const match = makeTagMatch({ 'a/b': { meaning: 'reward', axis: 'step' }, a_b: { meaning: 'loss', axis: 'step' } });
    expect(match('a/b')?.meaning).toBe('reward');
    expect(match('a_b')?.meaning).toBe('loss');
    expect(match('A B')).toBeNull();
  });

  it('ME7 takes the first reward tag on the axis of timesteps as the reward of the rules', () => {
    const metrics = {
      'Train/mean_reward/time': { meaning: 'reward', axis: 'seconds' },
      'Train/mean_reward': { meaning: 'reward', axis: 'iteration' },
      'Eval/reward': { meaning: 'reward', axis: 'iteration' },
    } as const;
    expect(primaryRewardKey({ metrics, axis: 'iteration' })).toBe('Train/mean_reward');
    expect(primaryRewardKey({ metrics, axis: 'step' })).toBeNull();
  });
});

// What a training in two halves says beside the same in one go.
import { describe, expect, it } from 'vitest';
import { judgeResumed, type Resumed } from '../../../src-main/core/doctor/resume.ts';
import type { EvaluationSummary } from '../../../src-protocol/files/record.ts';

const scored = (score: number): EvaluationSummary => ({ valid: true, problem: null, score, score_low: null, score_high: null, episodes: 4, mean_length: 1, success_rate: null, causes: [], metrics: {} });
const reason = { code: 'finished', text: 'finished', cause: null, step: null, value: null } as const;

function judged(over: Partial<Resumed['second']['outcome']>, firstStep: number | null = 550) {
  return judgeResumed({
    whole: { evaluation: scored(100), steps: 1000 },
    half: 500,
    second: { outcome: { status: 'completed', reason, evaluation: scored(95), steps: 1000, timesteps: 1000, ...over }, observed: { firstStep } },
    tolerance: 0.1,
    scoreScale: 10,
  });
}

describe('resume of a doctor', () => {
  it('DR18 is fine when it goes on and scores within the tolerance', () => {
    expect(judged({})).toMatchObject({ state: 'ok', text: expect.stringContaining('within 10') as string });
  });

  it('DR18 fails when the second half does not come to its end or gives no score', () => {
    expect(judged({ status: 'failed', reason: { ...reason, code: 'crashed', text: 'KeyError: optimizer' } })).toMatchObject({ state: 'failed', text: expect.stringContaining('KeyError: optimizer') as string });
    expect(judged({ evaluation: null })).toMatchObject({ state: 'failed' });
  });

  it('DR18 warns of steps counted again, of too many, and of another score', () => {
    expect(judged({}, 50)).toMatchObject({ state: 'warning', text: expect.stringContaining('from the start again') as string });
    expect(judged({ steps: 1500 }, 550)).toMatchObject({ state: 'warning', text: expect.stringContaining('1000 steps where 500 were left') as string });
    expect(judged({ evaluation: scored(60) })).toMatchObject({ state: 'warning', text: expect.stringContaining('otherwise than in one go') as string, fix: expect.stringContaining('optimizer') as string });
  });
});

// The line at the foot of a watched campaign, at the widths of real terminals.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import { liveLine } from '../../../src-main/serve/present/live-line.ts';
import { sampleOutputs } from '../../conformance/doors/samples.ts';

type Trial = CampaignStatusView['running'][number];
const trial = (candidate: string, step: number, change: Partial<Trial> = {}): Trial => ({ folder: `screen-${candidate}-s42`, stage: 'screen', candidate, seed: 42, slot: 0, phase: 'training', step, timesteps: 1000, reward: 131.25, steps_per_s: 9000, ...change });
const status = (change: Partial<CampaignStatusView>): CampaignStatusView => ({ ...sampleOutputs.campaign_status, trials_done: 5, trials_planned: 26, ...change });

describe('the live line', () => {
  const two = status({ running: [trial('baseline', 470), trial('baseline', 94, { seed: 43 })] });

  it.each([
    [160, 'screen, 5 of 26 trials, ETA 2 min 10 s, spent 1 min 01 s of 10 min 00 s (20 s kept for verify)  |  baseline s42 47 % r=131.3 | baseline s43 9 % r=131.3'],
    [130, 'screen, 5 of 26 trials, ETA 2 min 10 s, spent 1 min 01 s of 10 min 00 s  |  baseline s42 47 % r=131.3 | baseline s43 9 % r=131.3'],
    [99, 'screen, 5 of 26 trials, ETA 2 min 10 s  |  baseline s42 47 % r=131.3 | baseline s43 9 % r=131.3'],
    [79, 'screen, 5 of 26 trials, ETA 2 min 10 s  |  baseline s42 47 % | baseline s43 9 %'],
    [70, 'screen, 5 of 26 trials  |  baseline s42 47 % | baseline s43 9 %'],
    [59, 'screen 5/26  |  baseline s42 47 % | baseline s43 9 %'],
    [40, 'screen 5/26  |  basel… 47 % | basel… 9 %'],
  ])('T56: keeps trials and how far they are in %d columns', (columns, line) => {
    expect(liveLine(two, columns)).toBe(line);
  });

  it('T56: counts the trials that find no place, and says paused and suspended first', () => {
    const many = status({ running: Array.from({ length: 8 }, (_, index) => trial(`candidate-${index}`, 100 * index)) });
    expect(liveLine(many, 79)).toBe('screen 5/26  |  candid… 0 % | candid… 10 % | candid… 20 % | candid… 30 % | +4');
    expect(liveLine(status({ ...two, state: 'paused' }), 79)).toBe('PAUSED  |  screen, 5 of 26 trials  |  baseline s42 47 % | baseline s43 9 %');
    expect(liveLine(status({ ...two, suspended: true, running: [] }), 79)).toMatch(/^SUSPENDED {2}\| {2}screen, 5 of 26 trials/);
  });

  it('T56: has no number of trials while none is planned, and the stage of a self-test', () => {
    expect(liveLine(status({ stage: null, trials_done: 0, trials_planned: 0, eta_s: null, reserved_s: 0, running: [] }), 79)).toBe('spent 1 min 01 s of 10 min 00 s');
    expect(liveLine(status({ stage: 'self_test', running: [] }), 20)).toBe('self test 5/26');
  });

  it('T56: never runs over, and keeps the first trial with its percent down to 40 columns, whatever runs', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/);
    const running = fc.array(fc.record({ name, step: fc.nat(1000), seed: fc.nat(2 ** 31), isEvaluating: fc.boolean() }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(running, fc.integer({ min: 1, max: 200 }), fc.boolean(), (trials, columns, isPaused) => {
        const line = liveLine(status({ state: isPaused ? 'paused' : 'running', running: trials.map((one) => trial(one.name, one.step, { seed: one.seed, phase: one.isEvaluating ? 'evaluating' : 'training' })) }), columns);
        expect([...line].length).toBeLessThanOrEqual(columns);
        const [first] = trials;
        if (columns < 50 || first === undefined) return;
        expect(line).toContain(` |  ${first.name.slice(0, 5)}`);
        expect(line).toMatch(/\d %|evaluating/);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

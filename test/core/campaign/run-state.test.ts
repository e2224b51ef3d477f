import { describe, expect, it } from 'vitest';
import type { Standing } from '../../../src-main/core/campaign/heartbeat.ts';
import { standingOf, withPause, type Run } from '../../../src-main/core/campaign/run-state.ts';
import { makeSteering } from '../../../src-main/core/campaign/steering.ts';

const standing: Standing = { status: 'running', text: 'starting', stage: null, done: 0, planned: 5, etaS: null, reservedS: 0, budgetS: 1, idleShare: 0, running: [] };

function runOn(change: Partial<Run>): Run {
  return { campaign: { steering: makeSteering() }, standing, renew: null, slotMs: 0, idleMs: 0, selfTest: null, ...change } as unknown as Run;
}

describe('where a run stands', () => {
  it('CO3: is worked out once per change, however often it is asked for, and not for changes that nobody asked about', () => {
    let times = 0;
    const run = runOn({});
    const change = (done: number) => {
      run.renew = () => {
        times += 1;
        return { ...run.standing, done };
      };
    };
    for (let point = 1; point <= 100; point += 1) change(point);
    expect(times).toBe(0);
    expect([standingOf(run).done, withPause(run).done, standingOf(run).done]).toEqual([100, 100, 100]);
    expect(times).toBe(1);
    change(7);
    expect(withPause(run)).toMatchObject({ done: 7, planned: 5, status: 'running' });
    expect(times).toBe(2);
  });

  it('CO3: shows a pause on top of what it works out', () => {
    const run = runOn({ renew: () => ({ ...standing, done: 3 }) });
    run.campaign.steering.pause('the disk is full');
    expect(withPause(run)).toMatchObject({ status: 'paused', text: 'the disk is full', done: 3 });
    expect(run.standing.status).toBe('running');
  });
});

import { describe, expect, it } from 'vitest';
import { afterExit, beforeRestart, mostRestarts, noRestarts, restartedText, windowMs, type Sitting } from '../../../src-main/core/campaign/babysitting.ts';
import { campaignExit } from '../../../src-main/core/campaign/campaign-exit.ts';
import { makeRandom } from '../../../src-main/core/statistics/random.ts';

const killed = { exitCode: null, signal: 'SIGKILL' };
const nobody = { nowMs: 0, stopAskedBy: null };

describe('what a babysitter does when the campaign process ended', () => {
  it.each([campaignExit.completed, campaignExit.notCompleted, campaignExit.refused, campaignExit.usage, campaignExit.held])('BS2: leaves it when it ended itself, with exit code %s', (exitCode) => {
    expect(afterExit(noRestarts, { exitCode, signal: null }, nobody)).toEqual({ do: 'leave', exitCode });
  });

  it.each([
    [killed, 'killed by SIGKILL'],
    [{ exitCode: null, signal: 'SIGABRT' }, 'killed by SIGABRT'],
    [{ exitCode: 1, signal: null }, 'a fault of the program'],
    [{ exitCode: 134, signal: null }, 'exit code 134'],
  ])('BS2: starts it again when it died: %o', (exit, how) => {
    expect(afterExit(noRestarts, exit, { ...nobody, nowMs: 7 })).toEqual({ do: 'restart', afterMs: 250, how, sitting: { restartsAtMs: [7], isAskedToEnd: false } });
  });

  it('BS2: after a death, a repository that somebody else holds for a moment is tried again', () => {
    const sitting: Sitting = { restartsAtMs: [0], isAskedToEnd: false };
    expect(afterExit(sitting, { exitCode: campaignExit.held, signal: null }, { ...nobody, nowMs: 100 })).toMatchObject({ do: 'restart', how: 'another process held the repository' });
  });

  it('BS3: five restarts in ten minutes, and not one more; a restart that is older counts no more', () => {
    let sitting: Sitting = noRestarts;
    for (let nowMs = 0; nowMs < mostRestarts * 1000; nowMs += 1000) {
      const decision = afterExit(sitting, killed, { ...nobody, nowMs });
      if (decision.do !== 'restart') throw new Error(`no restart at ${nowMs}`);
      ({ sitting } = decision);
    }
    const late = afterExit(sitting, killed, { ...nobody, nowMs: windowMs - 1 });
    expect(late).toMatchObject({ do: 'close', status: 'failed', how: 'killed by SIGKILL' });
    expect(late.do === 'close' && late.text).toMatch(/^its process died 6 times within 10 minutes, the last time killed by SIGKILL; it is not started again/);
    expect(afterExit(sitting, killed, { ...nobody, nowMs: windowMs })).toMatchObject({ do: 'restart' });
  });

  it('BS3: whenever deaths come, no ten minutes hold more than five restarts, and no restart is refused without five before it', () => {
    const random = makeRandom(20261130);
    for (let round = 0; round < 200; round += 1) {
      let sitting: Sitting = noRestarts;
      const restarts: number[] = [];
      let nowMs = 0;
      for (let death = 0; death < 30; death += 1) {
        nowMs += random.uniform() < 0.5 ? random.uniform() * 10_000 : random.uniform() * windowMs;
        const decision = afterExit(sitting, killed, { ...nobody, nowMs });
        const recent = restarts.filter((at) => nowMs - at < windowMs).length;
        expect(decision.do).toBe(recent < mostRestarts ? 'restart' : 'close');
        if (decision.do !== 'restart') break;
        ({ sitting } = decision);
        restarts.push(nowMs);
      }
    }
  });

  it('BS3: waits longer before each restart, and never long', () => {
    let sitting: Sitting = noRestarts;
    const waits: number[] = [];
    for (let count = 0; count < mostRestarts; count += 1) {
      const decision = afterExit(sitting, killed, nobody);
      if (decision.do !== 'restart') throw new Error('no restart');
      waits.push(decision.afterMs);
      ({ sitting } = decision);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000]);
  });

  it('BS4: does not start it again once a stop was asked for, by a request, to the babysitter or to the process itself', () => {
    expect(afterExit(noRestarts, killed, { nowMs: 0, stopAskedBy: 'ada' })).toMatchObject({ do: 'close', status: 'stopped', text: 'stopped by ada; its process had died (killed by SIGKILL) and was not started again' });
    expect(afterExit({ ...noRestarts, isAskedToEnd: true }, killed, nobody)).toMatchObject({ do: 'close', status: 'stopped' });
    for (const signal of ['SIGTERM', 'SIGINT']) expect(afterExit(noRestarts, { exitCode: null, signal }, nobody)).toMatchObject({ do: 'close', status: 'stopped' });
    expect(beforeRestart(noRestarts, 'x', null)).toBeNull();
    expect(beforeRestart(noRestarts, 'x', 'ada')).toMatchObject({ status: 'stopped' });
    expect(beforeRestart({ ...noRestarts, isAskedToEnd: true }, 'x', null)).toMatchObject({ status: 'stopped' });
    // One that ended itself after all has said so itself.
    expect(afterExit({ ...noRestarts, isAskedToEnd: true }, { exitCode: campaignExit.notCompleted, signal: null }, { nowMs: 0, stopAskedBy: 'ada' })).toEqual({ do: 'leave', exitCode: campaignExit.notCompleted });
  });

  it('BS3: tells in words how often it started it again', () => {
    expect([1, 2].map((count) => restartedText('killed by SIGKILL', count))).toEqual(['the process died (killed by SIGKILL); restarted once', 'the process died (killed by SIGKILL); restarted 2 times']);
  });
});

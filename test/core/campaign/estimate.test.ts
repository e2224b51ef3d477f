import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDeviceTime } from '../../../src-main/core/campaign/device-time.ts';
import { outlookOf, secondsFor, secondsOf, verifyReserveS } from '../../../src-main/core/campaign/estimate.ts';
import { planNext } from '../../../src-main/core/campaign/search-plan.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { judgesOnPaper, recordOf, searchOnPaper, walkPlan } from './study-on-paper.ts';

describe('device time', () => {
  it('CA17: is the union of intervals, over earlier runs as well', () => {
    const event = fc.record({ at: fc.nat(1000), forMs: fc.nat(1000) });
    fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), fc.nat(100), async (spans, already) => {
        const clock = makeFakeClock();
        const device = makeDeviceTime(clock, already);
        const moments = [...new Set(spans.flatMap((one) => [one.at, one.at + one.forMs]))].sort((a, b) => a - b);
        const held = new Map<number, () => void>();
        for (const moment of moments) {
          await clock.advance(moment - clock.monotonicMs());
          for (const [index, span] of spans.entries()) if (span.at === moment) held.set(index, device.hold());
          for (const [index, span] of spans.entries()) if (span.at + span.forMs === moment) held.get(index)?.();
        }
        const covered = Array.from({ length: 2001 }, (_, ms) => spans.some((one) => one.at <= ms && ms < one.at + one.forMs)).filter(Boolean).length;
        expect(device.spentS()).toBeCloseTo(already + covered / 1000, 9);
      }),
      { numRuns: 60 },
    );
  });

  it('CA17: counts while it is held, once, and not while the machine sleeps', async () => {
    const clock = makeFakeClock();
    const device = makeDeviceTime(clock, 10);
    const letGo = device.hold();
    await clock.advance(1500);
    expect(device.spentS()).toBe(11.5);
    clock.suspend(3600_000);
    letGo();
    letGo();
    await clock.advance(5000);
    expect(device.spentS()).toBe(11.5);
  });
});

describe('estimates', () => {
  const search = searchOnPaper();
  const screened = recordOf(search.plan('screen', 'a', 42, 0), { wall_s: 2 });
  const refined = recordOf(search.plan('refine', 'a', 42, 0), { wall_s: 5 });
  const failed = recordOf(search.plan('screen', 'b', 42, 0), { status: 'failed', wall_s: 0.1, reason: { code: 'nan', text: '', cause: 'own', step: 1, value: null } });

  it('CA19: come from finished trials of that length, scaled where there is none, and from nothing before', () => {
    expect(secondsOf([], 1000)).toBeNull();
    expect(secondsOf([failed], 1000)).toBeNull();
    expect(secondsOf([screened, failed], 1000)).toBe(2);
    expect(secondsOf([screened, failed], 3000)).toBe(6);
    expect(secondsOf([screened, refined], 3000)).toBe(5);
    expect(secondsFor([screened, refined], [1000, 1000, 3000], 2)).toBe(4.5);
    expect(secondsFor([], [1000], 2)).toBeNull();
    expect(secondsFor([], [], 2)).toBe(0);
  });

  it('CA18: the reserve is (1 + 2 * last look) * refine time * 1.2, less what verify has done, shared by the slots', () => {
    const reserve = (records: Parameters<typeof verifyReserveS>[0]['records'], slots = 1) => verifyReserveS({ records, refineTimesteps: 3000, lastLook: 3, slots });
    expect(reserve([])).toBeNull();
    expect(reserve([screened])).toBeCloseTo(7 * 6 * 1.2);
    expect(reserve([screened, refined])).toBeCloseTo(7 * 5 * 1.2);
    expect(reserve([screened, refined], 2)).toBeCloseTo((7 * 5 * 1.2) / 2);
    const verified = recordOf(search.plan('verify', 'a', 42, 1), { wall_s: 5 });
    expect(reserve([screened, refined, verified])).toBeCloseTo(6 * 5 * 1.2);
  });

  it('CA19: the outlook counts verify up to its next look, never shrinks the done, and ends with nothing left', () => {
    const all = walkPlan((records) => planNext(search, records, judgesOnPaper())).records;
    let done = -1;
    for (let count = 0; count <= all.length; count += 1) {
      const records = all.slice(0, count);
      const step = planNext(search, records, judgesOnPaper());
      const next = { batch: step.kind === 'train' ? step.trials : [], look: step.kind === 'train' ? step.look : null, isConcluded: step.kind === 'conclude' };
      const outlook = outlookOf(search, records, next);
      expect(outlook.done).toBe(count);
      expect(outlook.done).toBeGreaterThan(done);
      done = outlook.done;
      expect(outlook.planned).toBe(count + outlook.left.length);
      // 4 noise, 4 screen, 3 refine, repeat and 2 pairs; the third pair once the first look wants it.
      expect(outlook.planned).toBe(count < 16 ? 16 : 18);
      expect(outlook.toLastLook).toBe(18);
    }
    expect(outlookOf(search, all, { batch: [], look: null, isConcluded: true })).toEqual({ done: 18, planned: 18, toLastLook: 18, left: [] });
  });
});

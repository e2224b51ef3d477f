import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MetricPoint } from '../../../src-main/core/metrics/metric-point.ts';
import { makeTagMatch } from '../../../src-main/core/metrics/tag-match.ts';
import { adapter, decide, monitor, point, tick } from './monitor-cases.ts';

const nothing = [NaN, -Infinity] as const;

describe('monitor, rules that a point decides', () => {
  it.each(['reward', 'length', 'loss', 'std', 'entropy'])('M1 ends when %s was finite and is not any more', (tag) => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      const decision = decide(monitor(), [point(tag, 10, 1), point(tag, 20, bad), point(tag, 30, 1)]);
      expect(decision).toMatchObject({ rule: 'nan', step: 20, value: bad });
    }
  });

  it('M1 does not watch tags the adapter does not map', () => {
    expect(decide(monitor(), [point('other tag', 10, 1), point('other tag', 20, NaN)])).toBeNull();
  });

  it('M2 ends when the reward is not finite although an episode finished at that step, whichever is written first', () => {
    for (const bad of nothing) {
      expect(decide(monitor(), [point('length', 10, 25), point('reward', 10, bad)])).toMatchObject({ rule: 'nan', step: 10, value: bad });
      expect(decide(monitor(), [point('reward', 10, bad), point('length', 10, 25)])).toMatchObject({ rule: 'nan', step: 10, value: bad });
    }
  });

  it('M2 looks at the same step only, and a length of nothing is no episode', () => {
    expect(decide(monitor(), [point('length', 10, 25), point('reward', 20, NaN)])).toBeNull();
    expect(decide(monitor(), [point('length', 10, NaN), point('reward', 10, NaN)])).toBeNull();
    expect(decide(monitor(), [point('length', 10, 0), point('reward', 10, NaN)])).toBeNull();
  });

  it.each(['loss', 'std'])('M3 ends when %s is not finite on two successive points', (tag) => {
    expect(decide(monitor(), [point(tag, 10, NaN)])).toBeNull();
    expect(decide(monitor(), [point(tag, 10, NaN), point(tag, 20, Infinity)])).toMatchObject({ rule: 'nan', step: 20 });
    expect(decide(monitor(), [point('loss', 10, NaN), point('std', 10, NaN), point('entropy', 20, NaN), point('entropy', 30, NaN)])).toBeNull();
  });

  it('M4 asks a gate of the first finite smoothed point at or past its step', () => {
    const rules = { min_reward_gates: [{ step: 100, min_reward: 5 }], smoothing: 0 };
    expect(decide(monitor(rules), [point('reward', 99, 0), point('reward', 100, 4)])).toMatchObject({ rule: 'gate', step: 100, value: 4 });
    expect(decide(monitor(rules), [point('reward', 99, 0), point('reward', 130, 4)])).toMatchObject({ rule: 'gate', step: 130, value: 4 });
    expect(decide(monitor(rules), [point('reward', 100, 5), point('reward', 200, 0)])).toBeNull();
    expect(decide(monitor(rules), [point('reward', 100, NaN), point('reward', 110, 4)])).toMatchObject({ rule: 'gate', step: 110 });
  });

  it('M4 judges the smoothed value, not the point', () => {
    const rules = { min_reward_gates: [{ step: 100, min_reward: 5 }], smoothing: 0.9 };
    const points = [10, 20, 30, 40, 50, 60, 70, 80, 90].map((step) => point('reward', step, 10));
    expect(decide(monitor(rules), [...points, point('reward', 100, 0)])).toBeNull();
  });

  it('M4 asks several gates in the order of their steps', () => {
    const rules = { min_reward_gates: [{ step: 200, min_reward: 8 }, { step: 100, min_reward: 5 }], smoothing: 0 };
    expect(decide(monitor(rules), [point('reward', 100, 6), point('reward', 200, 7)])).toMatchObject({ rule: 'gate', step: 200 });
    expect(decide(monitor(rules), [point('reward', 250, 7)])).toMatchObject({ rule: 'gate', step: 250, value: 7 });
  });

  describe('plateau', () => {
    const rules = { plateau: { after_frac: 0.5, window_frac: 0.3, min_improve: 0.04 }, smoothing: 0 };
    const curve = (value: (step: number) => number, until = 1000, every = 25) =>
      Array.from({ length: until / every }, (_, index) => point('reward', (index + 1) * every, value((index + 1) * every)));
    const flat = (step: number) => Math.min(step, 300);

    it('M7 ends a refine trial whose reward has stopped moving, at the first point that shows it', () => {
      expect(decide(monitor(rules, { stage: 'refine' }), curve(flat))).toMatchObject({ rule: 'plateau', step: 600, value: 300 });
    });

    it('M7 waits for after_frac of the timesteps', () => {
      expect(decide(monitor(rules, { stage: 'refine' }), curve(() => 7))).toMatchObject({ rule: 'plateau', step: 500 });
    });

    it('M7 lets a curve that still rises go on', () => {
      expect(decide(monitor(rules, { stage: 'refine' }), curve((step) => step))).toBeNull();
    });

    it('M7 needs eight points after the point it compares with', () => {
      expect(decide(monitor(rules, { stage: 'refine' }), curve(() => 7, 1000, 50))).toBeNull();
      expect(decide(monitor(rules, { stage: 'refine' }), curve(() => 7, 1000, 300 / 8))).toMatchObject({ rule: 'plateau' });
    });

    it('M7 flags a larger fall as declining and does not end it', () => {
      const subject = monitor(rules, { stage: 'refine' });
      expect(decide(subject, curve((step) => 1000 - step))).toBeNull();
      expect(subject.view().isDeclining).toBe(true);
    });

    it('M7 is for refine, verify and extra trials only', () => {
      for (const stage of ['noise', 'screen'] as const) expect(decide(monitor(rules, { stage }), curve(flat))).toBeNull();
      for (const stage of ['verify', 'extra'] as const) expect(decide(monitor(rules, { stage }), curve(flat))).toMatchObject({ rule: 'plateau' });
      expect(decide(monitor({ smoothing: 0 }, { stage: 'refine' }), curve(flat))).toBeNull();
    });
  });

  it('AD18: tells the final step by the tags that come at regular distances', () => {
    const metrics = { ...adapter.metrics, episodes: { meaning: 'reward', axis: 'step', per: 'episode' } } as const;
    const match = makeTagMatch(metrics);
    const at = (tag: string, step: number) => ({ tag, mapped: match(tag), step, wallTimeS: step, value: 1 });
    const seen = (...points: readonly (readonly [string, number])[]) => {
      const subject = monitor({}, { adapter: { axis: 'step', metrics }, timesteps: 1000 });
      subject.see(points.map(([tag, step]) => at(tag, step)));
      const { lastStep, stride, isAtFinalStep, isFinalStepCertain, stretchStartS } = subject.view();
      return { lastStep, stride, isAtFinalStep, isFinalStepCertain, stretchStartS };
    };
    // Updates every 96 steps: the one at 960 is the last of 1000, whatever episodes ended between.
    expect(seen(['loss', 768], ['episodes', 790], ['loss', 864], ['episodes', 955], ['episodes', 955], ['loss', 960])).toEqual({ lastStep: 960, stride: 96, isAtFinalStep: true, isFinalStepCertain: false, stretchStartS: 864 });
    // Dead after an episode of 500 steps near the end: the next update would have come at 768.
    expect(seen(['loss', 576], ['loss', 672], ['episodes', 200], ['episodes', 700])).toMatchObject({ lastStep: 700, stride: 96, isAtFinalStep: false });
    expect(seen(['episodes', 400], ['episodes', 900])).toMatchObject({ lastStep: 900, stride: 0, isAtFinalStep: false });
    expect(seen(['episodes', 1000])).toMatchObject({ isAtFinalStep: true, isFinalStepCertain: true });
  });

  it('M6 knows a final step that none can follow from one that may be the last', () => {
    const after = (timesteps: number, steps: readonly number[]) => {
      const subject = monitor({}, { timesteps });
      subject.see(steps.map((step) => point('reward', step, 1)));
      const { isAtFinalStep, isFinalStepCertain } = subject.view();
      return [isAtFinalStep, isFinalStepCertain];
    };
    expect(after(1000, [])).toEqual([false, false]);
    expect(after(1000, [500])).toEqual([false, false]);
    expect(after(1000, [600, 800])).toEqual([true, false]);
    expect(after(1000, [600, 800, 1000])).toEqual([true, true]);
    expect(after(1000, [1024])).toEqual([true, true]);
    expect(after(1000, [0, 500])).toEqual([true, false]);
    expect(after(3, [0, 1])).toEqual([false, false]);
    expect(after(3, [0, 1, 2])).toEqual([true, true]);
    expect(after(3, [1, 2])).toEqual([true, false]);
  });

  const value = fc.oneof(fc.double({ min: -100, max: 100, noNaN: true }), fc.constantFrom(NaN, Infinity, -Infinity));
  const anyPoint = fc.record({ tag: fc.constantFrom('reward', 'length', 'loss', 'std', 'entropy', 'unmapped'), step: fc.integer({ min: 0, max: 1000 }), value });
  const rules = { min_reward_gates: [{ step: 300, min_reward: -20 }], plateau: { after_frac: 0.2, window_frac: 0.1, min_improve: 0.5 } };

  it('M10 never ends a trial whose reward is NaN or -Infinity while no episode has finished', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ step: fc.integer({ min: 0, max: 5000 }), bad: fc.constantFrom(...nothing) }), { maxLength: 200 }), fc.boolean(), (points, withLoss) => {
        const subject = monitor(rules, { stage: 'refine' });
        for (const { step, bad } of points) {
          subject.see([point('reward', step, bad), ...(withLoss ? [point('loss', step, 0.5), point('length', step, NaN)] : [])].slice(0, withLoss ? 2 : 1));
          expect(subject.tick(tick(step))).toBeNull();
        }
      }),
    );
  });

  it('M11 decides the same however the points are cut into batches', () => {
    fc.assert(
      fc.property(fc.array(anyPoint, { maxLength: 120 }), fc.array(fc.nat(119), { maxLength: 12 }), fc.boolean(), (raw, cuts, sorted) => {
        const points: MetricPoint[] = raw.map((each) => point(each.tag, each.step, each.value));
        if (sorted) points.sort((a, b) => a.step - b.step);
        const whole = monitor(rules, { stage: 'refine' });
        const cut = monitor(rules, { stage: 'refine' });
        const expected = decide(whole, points);
        let from = 0;
        let early = null;
        for (const to of [...cuts, points.length].sort((a, b) => a - b)) {
          cut.see(points.slice(from, to));
          early = cut.tick(tick(1));
          from = Math.max(from, to);
        }
        expect(early).toEqual(expected);
        expect(cut.view()).toEqual(whole.view());
      }),
    );
  });

  it('M12 lets nothing after the deciding point into the record', () => {
    const subject = monitor();
    subject.see([point('reward', 10, 1), point('loss', 20, 1), point('loss', 30, NaN)]);
    const before = structuredClone(subject.view());
    subject.see([point('reward', 900, 100), point('loss', 40, NaN)]);
    expect(subject.view()).toEqual(before);
    expect(subject.view().lastStep).toBe(30);
    expect(subject.tick(tick(1e12))).toMatchObject({ rule: 'nan', step: 30 });
  });

  it('M12 replaces points at and after a step to which the trainer went back', () => {
    const subject = monitor({ smoothing: 0.5 });
    subject.see([point('reward', 10, 1), point('reward', 20, 2), point('reward', 30, 30), point('reward', 20, 3)]);
    const clean = monitor({ smoothing: 0.5 });
    clean.see([point('reward', 10, 1), point('reward', 20, 3)]);
    expect(subject.view().reward).toEqual(clean.view().reward);
  });
});

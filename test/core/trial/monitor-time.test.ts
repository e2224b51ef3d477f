import { describe, expect, it } from 'vitest';
import { monitor, point, tick } from './monitor-cases.ts';

const rules = { startup_s: 90, hang_s: 60, grace_s: 20 };

describe('monitor, rules that a clock decides', () => {
  it('M5 waits startup_s for the first event', () => {
    const subject = monitor(rules);
    expect(subject.tick(tick(89_999))).toBeNull();
    expect(subject.tick(tick(90_000))).toMatchObject({ rule: 'hung', step: null, value: null });
  });

  it('M5 waits hang_s after every event, of any tag, and names the last step', () => {
    const subject = monitor(rules);
    subject.see([point('reward', 10, 1)]);
    expect(subject.tick(tick(80_000))).toBeNull();
    subject.see([point('not mapped', 20, 1)]);
    expect(subject.tick(tick(139_000))).toBeNull();
    expect(subject.tick(tick(198_999))).toBeNull();
    expect(subject.tick(tick(199_000))).toMatchObject({ rule: 'hung', step: 10 });
  });

  it('M5 lets console progress extend the wait to three times hang_s and no further', () => {
    const subject = monitor(rules);
    subject.see([point('reward', 10, 1)]);
    subject.tick(tick(0));
    for (let second = 1; second < 180; second += 1) expect(subject.tick(tick(second * 1000, { consoleProgress: true }))).toBeNull();
    expect(subject.tick(tick(180_000, { consoleProgress: true }))).toMatchObject({ rule: 'hung' });
  });

  it('M5 counts hang_s from the last console progress when that ends', () => {
    const subject = monitor(rules);
    subject.see([point('reward', 10, 1)]);
    subject.tick(tick(0));
    subject.tick(tick(30_000, { consoleProgress: true }));
    expect(subject.tick(tick(89_999))).toBeNull();
    expect(subject.tick(tick(90_000))).toMatchObject({ rule: 'hung' });
  });

  it('M5 lets console progress during the start extend to three times hang_s, never below startup_s', () => {
    const long = monitor({ ...rules, startup_s: 900 });
    for (let second = 1; second < 900; second += 1) expect(long.tick(tick(second * 1000, { consoleProgress: true }))).toBeNull();
    expect(long.tick(tick(900_000, { consoleProgress: true }))).toMatchObject({ rule: 'hung' });
  });

  it('M5 says nothing about a process that has gone', () => {
    expect(monitor(rules).tick(tick(1e9, { isAlive: false }))).toBeNull();
  });

  it('M6 ends a process that lives grace_s after its work was done', () => {
    const subject = monitor(rules);
    subject.see([point('reward', 1000, 1)]);
    expect(subject.tick(tick(1000, { artifactsDone: true }))).toBeNull();
    expect(subject.tick(tick(20_999, { artifactsDone: true }))).toBeNull();
    expect(subject.tick(tick(21_000, { artifactsDone: true }))).toMatchObject({ rule: 'linger', step: 1000 });
  });

  it('M6 starts counting again when the process still writes', () => {
    const subject = monitor(rules);
    subject.tick(tick(1000, { artifactsDone: true }));
    subject.see([point('reward', 1010, 1)]);
    subject.tick(tick(15_000, { artifactsDone: true }));
    expect(subject.tick(tick(21_000, { artifactsDone: true }))).toBeNull();
    subject.tick(tick(22_000, { artifactsDone: false }));
    subject.tick(tick(23_000, { artifactsDone: true }));
    expect(subject.tick(tick(42_999, { artifactsDone: true }))).toBeNull();
    expect(subject.tick(tick(43_000, { artifactsDone: true }))).toMatchObject({ rule: 'linger' });
  });

  it('M6 waits as long as the last stretch took: a last update may follow the last logged step', () => {
    const at = (step: number, wallTimeS: number) => ({ ...point('reward', step, 1), wallTimeS });
    const slow = monitor(rules);
    slow.see([at(900, 1000), at(1000, 1045)]);
    expect(slow.tick(tick(0, { artifactsDone: true }))).toBeNull();
    expect(slow.tick(tick(44_999, { artifactsDone: true }))).toBeNull();
    expect(slow.tick(tick(45_000, { artifactsDone: true }))).toMatchObject({ rule: 'linger' });
    const jumped = monitor(rules);
    jumped.see([at(900, 1000), at(1000, 1e6)]);
    jumped.tick(tick(0, { artifactsDone: true }));
    expect(jumped.tick(tick(60_000, { artifactsDone: true }))).toMatchObject({ rule: 'linger' });
  });

  it('M6 comes before hung: finished work is not a hang', () => {
    const subject = monitor({ ...rules, hang_s: 5 });
    subject.see([point('reward', 1000, 1)]);
    subject.tick(tick(0, { artifactsDone: true }));
    subject.tick(tick(1, { artifactsDone: true }));
    expect(subject.tick(tick(15_000, { artifactsDone: true }))).toBeNull();
    expect(subject.tick(tick(20_001, { artifactsDone: true }))).toMatchObject({ rule: 'linger' });
  });

  it('M8 ends a trial that has used up its own budget, and one whose campaign has', () => {
    const subject = monitor(rules, { maxTrialMs: 50_000 });
    expect(subject.tick(tick(49_999))).toBeNull();
    const own = subject.tick(tick(50_000));
    expect(own).toMatchObject({ rule: 'budget' });
    expect(own?.isCampaignBudget).toBeUndefined();
    expect(monitor(rules).tick(tick(1, { campaignLeftMs: 0 }))).toMatchObject({ rule: 'budget', isCampaignBudget: true });
    expect(monitor(rules).tick(tick(1, { campaignLeftMs: 1 }))).toBeNull();
  });

  it('M9 ends a living process that said memory ran out, once no event follows', () => {
    const subject = monitor(rules);
    const outOfMemory = 'CUDA out of memory';
    subject.see([point('reward', 20, 1)]);
    subject.tick(tick(1000, { outOfMemory }));
    expect(subject.tick(tick(10_999, { outOfMemory }))).toBeNull();
    expect(subject.tick(tick(11_000, { outOfMemory }))).toMatchObject({ rule: 'oom', step: 20 });
  });

  it('M9 forgets the message of a trainer that caught it and went on', () => {
    const subject = monitor(rules);
    const outOfMemory = 'CUDA out of memory';
    subject.tick(tick(1000, { outOfMemory }));
    subject.see([point('reward', 20, 1)]);
    for (let ms = 5000; ms < 65_000; ms += 5000) expect(subject.tick(tick(ms, { outOfMemory }))).toBeNull();
    expect(subject.tick(tick(65_000, { outOfMemory }))).toMatchObject({ rule: 'hung' });
  });

  it('M13 does not count time in which the machine or this program stood still', () => {
    const subject = monitor(rules);
    subject.see([point('reward', 10, 1)]);
    subject.tick(tick(0));
    expect(subject.tick(tick(3_600_000, { suspendedMs: 3_595_000 }))).toBeNull();
    expect(subject.tick(tick(3_654_999, { suspendedMs: 3_595_000 }))).toBeNull();
    expect(subject.tick(tick(3_655_000, { suspendedMs: 3_595_000 }))).toMatchObject({ rule: 'hung' });
  });

  it('M13 counts budgets on the monotonic clock alone', () => {
    expect(monitor(rules, { maxTrialMs: 50_000 }).tick(tick(50_000, { suspendedMs: 49_000 }))).toMatchObject({ rule: 'budget' });
  });

  it('gives the same decision for ever', () => {
    const subject = monitor(rules);
    const first = subject.tick(tick(90_000));
    subject.see([point('reward', 1, NaN)]);
    expect(subject.tick(tick(90_001))).toBe(first);
  });
});

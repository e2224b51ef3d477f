import { describe, expect, it } from 'vitest';
import { runInSlots, type SlotOptions } from '../../../src-main/core/campaign/slots.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';

/** Jobs that run for the given times; what happened is told as `time name slot`. */
function scene(jobs: readonly { readonly name: string; readonly ms: number }[], over: Partial<SlotOptions> = {}) {
  const clock = makeFakeClock();
  const queue = [...jobs];
  const told: string[] = [];
  let isPaused = false;
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (wake = resolve));
  const tell = () => {
    const before = wake;
    next = new Promise<void>((resolve) => (wake = resolve));
    before();
  };
  const use = runInSlots({
    clock,
    slots: 2,
    staggerS: 0,
    changed: () => next,
    mayComeBack: () => queue.length > 0,
    take() {
      const job = isPaused ? undefined : queue.shift();
      if (job === undefined) return null;
      return {
        async run(slot, busy) {
          busy();
          told.push(`${clock.monotonicMs()} ${job.name} ${slot}`);
          await clock.sleep(job.ms);
        },
      };
    },
    ...over,
  });
  return {
    clock,
    told,
    use: () => clock.settle(use),
    putBack(name: string, ms: number) {
      queue.unshift({ name, ms });
      tell();
    },
    pause(is: boolean) {
      isPaused = is;
      tell();
    },
  };
}

describe('slots', () => {
  it('CA16: a freed slot takes the next job at once', async () => {
    const { told, use } = scene([{ name: 'a', ms: 100 }, { name: 'b', ms: 30 }, { name: 'c', ms: 30 }, { name: 'd', ms: 60 }]);
    expect(await use()).toEqual({ slotMs: 240, idleMs: 0 });
    expect(told).toEqual(['0 a 0', '0 b 1', '30 c 1', '60 d 1']);
  });

  it('CA16: never runs more jobs than slots, and every job once', async () => {
    const jobs = Array.from({ length: 20 }, (_, index) => ({ name: String(index), ms: 10 + ((index * 7) % 5) * 13 }));
    const { told, use } = scene(jobs, { slots: 3 });
    await use();
    expect(told.map((line) => Number(line.split(' ')[1]))).toEqual(jobs.map((_, index) => index));
    const spans = told.map((line) => ({ from: Number(line.split(' ')[0]), ms: jobs[Number(line.split(' ')[1])]?.ms ?? 0 }));
    for (const { from } of spans) expect(spans.filter((one) => one.from <= from && from < one.from + one.ms).length).toBeLessThanOrEqual(3);
  });

  it('CA16: stagger parts the starts of the first wave only, and is not idle', async () => {
    const { told, use } = scene([{ name: 'a', ms: 5000 }, { name: 'b', ms: 5000 }, { name: 'c', ms: 100 }, { name: 'd', ms: 100 }], { staggerS: 2 });
    expect(await use()).toMatchObject({ idleMs: 0 });
    expect(told).toEqual(['0 a 0', '2000 b 1', '5000 c 0', '5100 d 0']);
  });

  it('CA21: what is paused while it waits for its stagger does not start', async () => {
    const run = scene([{ name: 'a', ms: 9000 }, { name: 'b', ms: 100 }], { staggerS: 2 });
    await run.clock.advance(1000);
    run.pause(true);
    await run.clock.advance(5000);
    expect(run.told).toEqual(['0 a 0']);
    run.pause(false);
    await run.use();
    expect(run.told).toEqual(['0 a 0', '6000 b 1']);
  });

  it('CA16: a pause is not idle, and what was put back runs again', async () => {
    const run = scene([{ name: 'a', ms: 100 }, { name: 'b', ms: 100 }]);
    await run.clock.advance(50);
    run.pause(true);
    run.putBack('a', 70);
    await run.clock.advance(10_000);
    expect(run.told).toHaveLength(2);
    run.pause(false);
    expect(await run.use()).toMatchObject({ idleMs: 0 });
    expect(run.told.at(-1)).toMatch(/^10050 a /);
  });

  it('CA16: a slot is idle until the work of its next job is under way', async () => {
    const clock = makeFakeClock();
    const jobs = [{ startsMs: 40, ms: 100 }, { startsMs: 25, ms: 100 }, { startsMs: 7, ms: 100 }];
    const use = runInSlots({
      clock,
      slots: 1,
      staggerS: 0,
      changed: () => new Promise(() => undefined),
      mayComeBack: () => false,
      take() {
        const job = jobs.shift();
        if (job === undefined) return null;
        return {
          async run(_slot, busy) {
            await clock.sleep(job.startsMs);
            busy();
            busy();
            await clock.sleep(job.ms);
          },
        };
      },
    });
    // The first one waits for nothing that could have run before.
    expect(await clock.settle(use)).toEqual({ slotMs: 372, idleMs: 32 });
  });

  it('ends when nothing runs and nothing may come back, however early', async () => {
    const { use, told } = scene([]);
    expect(await use()).toEqual({ slotMs: 0, idleMs: 0 });
    expect(told).toEqual([]);
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTrial, type RunTrialOptions } from '../../../src-main/core/trial/run-trial.ts';
import { makeFakePorts, type FakePorts } from '../../fakes/fake-ports.ts';
import type { FakeProgram } from '../../fakes/fake-processes.ts';
import { makeEventWriter } from '../../../src-main/tfevents/event-writer.ts';
import { trialOptions, type TrialCase } from './trial-cases.ts';

interface Script extends TrialCase {
  /** Seconds at which the trainer writes a point; steps rise by 100 each. */
  readonly pointsAtS: readonly number[];
  readonly program?: Partial<FakeProgram>;
  readonly meanwhile?: (ports: FakePorts) => Promise<void>;
}

/** A scripted trainer on a clock that jumps: no process, no disk, no waiting. */
function scripted({ pointsAtS, program = {}, meanwhile, ...rest }: Script): { readonly ports: FakePorts; readonly options: RunTrialOptions; readonly signalledAtS: () => number | null } {
  let startMs = 0;
  let signalledMs: number | null = null;
  const ports: FakePorts = makeFakePorts({
    programFor: () => ({
      runsMs: 'forever',
      ...program,
      act: async () => {
        startMs = ports.clock.monotonicMs();
        void meanwhile?.(ports);
        const records: Uint8Array[] = [];
        const writer = makeEventWriter((record) => records.push(record), ports.clock.wallMs() / 1000);
        const file = join(options.folder, 'logs', 'events.out.tfevents.1767225600.fake.1.0');
        for (const [index, atS] of pointsAtS.entries()) {
          await ports.clock.sleep(startMs + atS * 1000 - ports.clock.monotonicMs());
          writer.scalars({ step: (index + 1) * 100, wallTime: ports.clock.wallMs() / 1000 }, [{ tag: 'train/reward', value: index }]);
          ports.files.plant(file, Buffer.concat(records));
        }
      },
    }),
  });
  const { end } = ports.processes;
  ports.processes.end = (target, how) => {
    signalledMs ??= ports.clock.monotonicMs() - startMs;
    return end(target, how);
  };
  const options = trialOptions({ ...rest, change: { maxTrialMs: 1e9, ...rest.change }, ports, rules: { startup_s: 90, hang_s: 60, grace_s: 5, ...rest.rules } });
  return { ports, options, signalledAtS: () => (signalledMs === null ? null : signalledMs / 1000) };
}

/** Looks at the folder that is searched, by whichever call. */
function countLooks(ports: FakePorts, folder: string): () => number {
  let looks = 0;
  const { stat, statEach } = ports.files;
  ports.files.stat = (path) => ((looks += path === folder ? 1 : 0), stat(path));
  ports.files.statEach = (paths) => ((looks += paths.includes(folder) ? 1 : 0), statEach(paths));
  return () => looks;
}

describe('run trial, on a clock that jumps', () => {
  it('M5 M14 signals a silent trial within a quarter second of hang_s', async () => {
    const { ports, options, signalledAtS } = scripted({ pointsAtS: [10, 20, 30] });
    const outcome = await ports.clock.settle(runTrial(options));
    expect(outcome).toMatchObject({ status: 'failed', rule: 'hung', steps: 300 });
    expect(signalledAtS()).toBeGreaterThanOrEqual(90);
    expect(signalledAtS()).toBeLessThanOrEqual(90.5);
    expect(ports.processes.alive()).toEqual([]);
  });

  it('M5 waits startup_s for the first event', async () => {
    const { ports, options, signalledAtS } = scripted({ pointsAtS: [] });
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ status: 'failed', rule: 'hung', steps: 0, reason: { step: null } });
    expect(signalledAtS()).toBeCloseTo(90, 0);
  });

  it('M5 lets console progress extend the wait to three times hang_s', async () => {
    const outputs = Array.from({ length: 400 }, (_, index) => ({ afterMs: index * 1000, text: `\rwriting buffer ${index}` }));
    const { ports, options, signalledAtS } = scripted({ pointsAtS: [10], program: { outputs } });
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ rule: 'hung' });
    expect(signalledAtS()).toBeCloseTo(190, 0);
  });

  it('M13 does not take the machine\'s sleep for a hang, and ME4 leaves it out of t90_s', async () => {
    const { ports, options, signalledAtS } = scripted({
      pointsAtS: [10, 20, 70],
      meanwhile: async ({ clock }) => {
        await clock.sleep(40_000);
        clock.suspend(8 * 3600_000);
      },
    });
    const outcome = await ports.clock.settle(runTrial(options));
    expect(outcome).toMatchObject({ rule: 'hung', steps: 300, t90_steps: 300 });
    expect(signalledAtS()).toBeCloseTo(130, 0);
    expect(outcome.t90_s).toBeCloseTo(60, 0);
    expect(outcome.wall_s).toBeLessThan(200);
  });

  it.each([1, -1])('MT31 a wall clock that is set by %d h changes neither the wait, nor the budget, nor t90_s', async (hours) => {
    const { ports, options, signalledAtS } = scripted({
      pointsAtS: [10, 20, 70],
      change: { campaignLeftMs: () => 140_000 - ports.clock.monotonicMs() },
      meanwhile: async ({ clock }) => {
        await clock.sleep(40_000);
        clock.suspend(hours * 3600_000);
      },
    });
    const outcome = await ports.clock.settle(runTrial(options));
    expect(outcome).toMatchObject({ rule: 'hung', steps: 300, t90_steps: 300 });
    expect(signalledAtS()).toBeCloseTo(130, 0);
    expect(outcome.t90_s).toBeCloseTo(60, 0);
    expect(outcome.wall_s).toBeLessThan(200);
  });

  it('M13 does not take its own standstill for a hang', async () => {
    const { ports, options, signalledAtS } = scripted({ pointsAtS: [10, 20] });
    // For a minute nothing of ours runs: the first look afterwards comes 60 s late.
    const list = ports.files.list.bind(ports.files);
    let isStill = false;
    ports.files.list = async (folder) => {
      if (!isStill && ports.clock.monotonicMs() > 40_000) {
        isStill = true;
        await ports.clock.sleep(60_000);
      }
      return list(folder);
    };
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ rule: 'hung', steps: 200 });
    expect(signalledAtS()).toBeGreaterThan(138);
    expect(signalledAtS()).toBeLessThan(142);
  });

  it('M8 counts the budget on the monotonic clock', async () => {
    const { ports, options, signalledAtS } = scripted({
      pointsAtS: [10, 20, 30, 40, 50],
      change: { maxTrialMs: 50_000 },
      meanwhile: async ({ clock }) => {
        await clock.sleep(5_000);
        clock.suspend(3600_000);
      },
    });
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ status: 'early_stopped', rule: 'budget' });
    expect(signalledAtS()).toBeCloseTo(50, 0);
  });

  it('TR8 calls a full disk a failure of the machine, and lives', async () => {
    const { ports, options } = scripted({ pointsAtS: [] });
    ports.files.setFreeBytes(0);
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ status: 'failed', reason: { code: 'disk', cause: 'infrastructure' } });
    expect(ports.processes.launches).toEqual([]);
  });

  it('TR12 keeps the result when the manifest cannot be finished', async () => {
    const { ports, options } = scripted({ pointsAtS: [10] });
    ports.files.failNth('replaceFile', 2, 'ENOSPC', { suffix: 'manifest.json' });
    expect(await ports.clock.settle(runTrial(options))).toMatchObject({ rule: 'hung', steps: 100 });
  });

  it('CO2: looks no more often because the trainer prints, and still hears what it says', async () => {
    const outputs = Array.from({ length: 2_000 }, (_, index) => ({ afterMs: index * 20, text: `\rbatch ${index} of 2000` }));
    const { ports, options } = scripted({ pointsAtS: [10], program: { outputs: [...outputs, { afterMs: 41_000, text: 'RuntimeError: CUDA out of memory' }] } });
    const looks = countLooks(ports, options.folder);
    const outcome = await ports.clock.settle(runTrial(options));
    expect(outcome).toMatchObject({ rule: 'oom', reason: { cause: 'infrastructure', text: expect.stringContaining('CUDA out of memory') as string } });
    // 51 s at four looks a second, and a few beside: 2,000 prints would have made 2,000.
    expect(looks()).toBeGreaterThan(170);
    expect(looks()).toBeLessThan(230);
  });

  it('CO7: looks every 500 ms where changes are told of, every 250 ms where they are not, and a hang is seen at the same time', async () => {
    const looksOf = async (tells: boolean): Promise<number> => {
      const { ports, options, signalledAtS } = scripted({ pointsAtS: [0.1] });
      if (!tells) ports.files.watch = () => () => undefined;
      const looks = countLooks(ports, options.folder);
      expect(await ports.clock.settle(runTrial(options))).toMatchObject({ rule: 'hung', steps: 100 });
      expect(signalledAtS()).toBeLessThanOrEqual(60.1 + 0.75);
      return looks();
    };
    const [told, untold] = [await looksOf(true), await looksOf(false)];
    expect(untold).toBeGreaterThan(235);
    expect(told).toBeGreaterThan(115);
    expect(told).toBeLessThan(140);
  });

  it('TR11 ends the tree before a fault of ours goes further', async () => {
    const { ports, options } = scripted({ pointsAtS: [10] });
    const fault = new TypeError('ours');
    await expect(ports.clock.settle(runTrial({ ...options, onProgress: () => { throw fault; } }))).rejects.toBe(fault);
    expect(ports.processes.alive()).toEqual([]);
  });
});

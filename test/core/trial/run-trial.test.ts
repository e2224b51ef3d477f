import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import { trialRecord } from '../../../src-protocol/files/record.ts';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import { stringifyWire } from '../../../src-protocol/number.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import { runTrial, type RunTrialOptions } from '../../../src-main/core/trial/run-trial.ts';
import { lastLine } from '../../../src-main/core/trial/training-verdict.ts';
import type { StopCause } from '../../../src-main/core/trial/trial-outcome.ts';
import type { TrialProgress } from '../../../src-main/core/trial/trial-progress.ts';
import { fileError } from '../../fakes/fake-files.ts';
import { makeRealPorts, trialOptions } from './trial-cases.ts';

const readJson = (options: RunTrialOptions, name: string): unknown => JSON.parse(readFileSync(join(options.folder, name), 'utf8'));
const leftAlive = (options: RunTrialOptions) => options.ports.processes.findTagged(`rlxp:${options.campaignRunId}`);

describe('run trial, how soon', () => {
  it('M14 gives the first signal to a diverging trial within 1 s of the NaN being flushed', async () => {
    const options = trialOptions({ fake: { nan_at: 500, points: 100, every_ms: 10, ignore: ['SIGINT'] } });
    let firstSignalMs = 0;
    const { end } = options.ports.processes;
    options.ports.processes.end = (target, rest) => {
      firstSignalMs ||= Date.now();
      return end(target, rest);
    };
    const outcome = await runTrial(options);
    const flushedMs = Number(/nan flushed at (\d+)/.exec(readFileSync(join(options.folder, 'console.log'), 'utf8'))?.[1]);
    console.log(`NaN flushed to first signal: ${firstSignalMs - flushedMs} ms`);
    expect(firstSignalMs - flushedMs).toBeLessThan(1000);
    expect(outcome).toMatchObject({ status: 'failed', rule: 'nan', steps: 500, evaluation: null, reason: { code: 'nan', cause: 'own', step: 500, value: NaN } });
    expect(outcome.train_reward_final).not.toBeNull();
    expect(await leftAlive(options)).toEqual([]);
  });

  it.each(['sleep', 'spin'])('M14 ends a silent trial that hangs (%s) within hang_s + 1 s', async (hang) => {
    const options = trialOptions({ fake: { hang_at: 500, hang, ignore: ['SIGINT'], child: true }, rules: { hang_s: 1.5 }, change: { graceMs: 200 } });
    let firstSignalMs = 0;
    let lastStepMs = 0;
    const { end } = options.ports.processes;
    options.ports.processes.end = (target, rest) => {
      firstSignalMs ||= performance.now();
      return end(target, rest);
    };
    const outcome = await runTrial({ ...options, onProgress: () => (lastStepMs = performance.now()) });
    console.log(`last event seen to first signal, hang_s 1.5: ${Math.round(firstSignalMs - lastStepMs)} ms`);
    expect(firstSignalMs - lastStepMs).toBeLessThan(2500);
    expect(outcome).toMatchObject({ status: 'failed', rule: 'hung', steps: 450, evaluation: null, reason: { code: 'hung', cause: 'own', step: 450, value: null } });
    expect(await leftAlive(options)).toEqual([]);
  });
});

describe.concurrent('run trial, real processes side by side', () => {
  it('MT5 runs an evaluation that the disk refused again alone, and does not count the wait', async () => {
    const ports = makeRealPorts();
    const { replaceFile } = ports.files;
    let writes = 0;
    ports.files.replaceFile = (path, ...rest) => {
      // trial.json is written before the training, and before each evaluation.
      if (path.endsWith('trial.json') && [2, 3].includes((writes += 1))) return Promise.reject(fileError('EDQUOT', path));
      return replaceFile(path, ...rest);
    };
    const asked: string[] = [];
    const untilRoom = async (why: string) => {
      asked.push(why);
      await ports.clock.sleep(1_500);
      return true;
    };
    const startMs = performance.now();
    const outcome = await runTrial(trialOptions({ ports, change: { untilRoom } }));
    const tookS = (performance.now() - startMs) / 1000;
    expect(asked).toEqual(Array(2).fill(expect.stringContaining('the disk took no more: EDQUOT')));
    expect(outcome).toMatchObject({ status: 'completed', steps: 1000, evaluation: { valid: true } });
    expect(outcome.wall_s).toBeLessThan(tookS - 2.9);
    writes = 0;
    const refused = await runTrial(trialOptions({ ports, change: { untilRoom: () => Promise.resolve(false) } }));
    expect(refused).toMatchObject({ status: 'failed', reason: { code: 'disk', cause: 'infrastructure' } });
  });

  it('TR1 TR12 trains, evaluates and gives a record that holds', async () => {
    const seen: TrialProgress[] = [];
    const options = trialOptions({ change: { onProgress: (progress) => seen.push(progress) } });
    const outcome = await runTrial(options);
    expect(outcome).toMatchObject({ status: 'completed', rule: null, flags: [], steps: 1000, timesteps: 1000, folder: 'screen-one-s1', train_reward_min: 5 });
    expect(outcome.evaluation).toMatchObject({ valid: true, episodes: 6, score: 11.25 });
    expect(outcome.checkpoint_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(outcome.t90_steps).toBeGreaterThan(500);
    expect(trialRecord.parse(JSON.parse(stringifyWire({ ...outcome, seq: 0 })))).toEqual({ ...outcome, seq: 0 });
    expect(manifestFile.parse(readJson(options, 'manifest.json'))).toMatchObject({ status: 'completed', facts: { status: 'completed', checkpoint: 'checkpoints/step_1000.safetensors' } });
    expect(trialFile.parse(readJson(options, 'trial.json')).checkpoint).toBe('checkpoints/step_1000.safetensors');
    expect(seen.at(-1)).toMatchObject({ phase: 'evaluating', step: 1000, lastReward: 100 });
    expect(seen.some(({ phase, step }) => phase === 'training' && step > 0 && step < 1000)).toBe(true);
    expect(await leftAlive(options)).toEqual([]);
  });

  it('TR12 gives equal records for equal trials, ended by a rule or not', async () => {
    const twice = async (fake: PlainMap) => {
      const [one, two] = await Promise.all([runTrial(trialOptions({ fake })), runTrial(trialOptions({ fake }))]);
      const { wall_s: _w, t90_s: _t, ended_at: _e, ...first } = one;
      expect(two).toMatchObject(first);
    };
    await twice({});
    await twice({ nan_at: 500, every_ms: 2, points: 200 });
  });

  it('M4 ends a trial below its gate and does not evaluate it', async () => {
    const options = trialOptions({ fake: { curve: 'flat', every_ms: 20 }, rules: { min_reward_gates: [{ step: 300, min_reward: 60 }] } });
    expect(await runTrial(options)).toMatchObject({ status: 'early_stopped', rule: 'gate', steps: 300, evaluation: null, reason: { code: 'gate', cause: null, step: 300, value: 50 } });
  });

  it('M10 leaves a trial alone whose reward is -Infinity before its first episode', async () => {
    expect(await runTrial(trialOptions({ fake: { first_episode_at: 700 } }))).toMatchObject({ status: 'completed', train_reward_min: 70 });
  });

  it('TR7 evaluates the checkpoint that a plateau leaves behind, and the trial counts', async () => {
    const rules = { plateau: { after_frac: 0.5, window_frac: 0.3, min_improve: 0.04 }, smoothing: 0.9 };
    const options = trialOptions({ fake: { curve: 'flat', points: 40, every_ms: 20 }, stage: 'refine', rules });
    const outcome = await runTrial(options);
    expect(outcome).toMatchObject({ status: 'plateau', rule: 'plateau', steps: 500, reason: { code: 'plateau', step: 500, value: 50 }, evaluation: { valid: true, score: 11.25 } });
    expect(outcome.flags).toEqual([]);
  });

  it('M6 TR6 ends a process that lives on after its work, and the trial is complete', async () => {
    const outcome = await runTrial(trialOptions({ fake: { linger: true, ignore: ['SIGINT'] }, rules: { grace_s: 0.3 }, change: { graceMs: 200 } }));
    expect(outcome).toMatchObject({ status: 'completed', rule: 'linger', flags: ['linger'], evaluation: { valid: true } });
  });

  it('TR4 calls an exit with code 0 and nothing behind it a failure', async () => {
    const outcome = await runTrial(trialOptions({ fake: { checkpoint: 'none' } }));
    expect(outcome).toMatchObject({ status: 'failed', evaluation: null, reason: { code: 'no_checkpoint', cause: 'own' } });
    expect(outcome.reason.text).toContain('code 0');
  });

  it('TR4 does not take a torn checkpoint for one', async () => {
    expect(await runTrial(trialOptions({ fake: { checkpoint: 'torn' } }))).toMatchObject({ status: 'failed', reason: { code: 'no_checkpoint', cause: 'own' } });
  });

  it('TR4 calls an early exit with code 0 a failure, whatever checkpoint it left', async () => {
    expect(await runTrial(trialOptions({ fake: { stop_at: 600 } }))).toMatchObject({ status: 'failed', steps: 600, reason: { code: 'crashed', cause: 'own' } });
  });

  it('TR8 says what a crash said, not where: the message above the frames of a stack', () => {
    const consoleTail = 'step 8/64\ntrain: Error: boom in step\n    at Object.step (file:///r/env.mjs:32:23)\n    at new Env (/r/env.mjs:2:1)\n    at async file:///r/train.js:684:1\n';
    expect(lastLine(consoleTail)).toBe('train: Error: boom in step');
    expect(lastLine('Error: boom\n    at Object.step (file:///r/env.mjs:32:23)\n\nNode.js v20.20.2\n')).toBe('Error: boom');
    expect(lastLine('at 5 of 9: lost the simulator\n')).toBe('at 5 of 9: lost the simulator');
  });

  it('TR5 calls a bad exit after all the work complete and dirty', async () => {
    expect(await runTrial(trialOptions({ fake: { exit: 3 } }))).toMatchObject({ status: 'completed', flags: ['dirty_exit'], evaluation: { valid: true } });
    expect(await runTrial(trialOptions({ fake: { signal: 'SIGABRT' } }))).toMatchObject({ status: 'completed', flags: ['dirty_exit'] });
  });

  it('TR5 does not let an old checkpoint stand for the last stretch', async () => {
    const ended = (fake: PlainMap, step: number) => runTrial(trialOptions({ fake: { old_checkpoint: true, ...fake, evaluation: { step } } }));
    expect(await ended({ exit: 3 }, 500)).toMatchObject({ status: 'failed', evaluation: { valid: false, score: null }, reason: { code: 'crashed', cause: 'own' } });
    expect(await ended({ exit: 3 }, 1000)).toMatchObject({ status: 'completed', flags: ['dirty_exit'] });
    expect(await ended({ exit: 3, old_checkpoint: false }, 0)).toMatchObject({ status: 'completed', flags: ['dirty_exit'] });
    // The last step, 1000, was never logged: 950 and its distance to 900 reach it.
    expect(await ended({ stop_at: 950 }, 500)).toMatchObject({ status: 'failed', steps: 950, reason: { code: 'crashed', cause: 'own' } });
    expect(await ended({ stop_at: 950 }, 950)).toMatchObject({ status: 'completed', steps: 950, flags: [] });
    expect(await ended({}, 0)).toMatchObject({ status: 'completed', steps: 1000, flags: [] });
  });

  it('TR5 runs a trial again that was killed between its last step and its last checkpoint', async () => {
    const killed = (fake: PlainMap) => runTrial(trialOptions({ fake: { signal: 'SIGKILL', ...fake } }));
    expect(await killed({})).toMatchObject({ status: 'completed', flags: ['dirty_exit'] });
    // Logged at 1000, and the newest checkpoint is the one that was saved between 950 and 1000.
    expect(await killed({ checkpoint: 'before_last', every_ms: 20 })).toMatchObject({ status: 'failed', steps: 1000, reason: { cause: 'infrastructure' }, evaluation: null });
    // Saved whole at 950, one distance before 1000: a trainer that went by itself may log no more, one that was killed might have.
    expect(await killed({ stop_at: 950 })).toMatchObject({ status: 'failed', steps: 950, reason: { cause: 'infrastructure' } });
    expect(await runTrial(trialOptions({ fake: { checkpoint: 'before_last' } }))).toMatchObject({ status: 'completed', flags: [] });
  });

  it('M6 takes a trainer for lingering that hangs while closing before it logged its last step', async () => {
    const closing = (fake: PlainMap) => runTrial(trialOptions({ fake: { stop_at: 950, linger: true, ignore: ['SIGINT'], ...fake }, rules: { hang_s: 0.8 } }));
    expect(await closing({})).toMatchObject({ status: 'completed', rule: 'linger', flags: ['linger'], steps: 950, evaluation: { valid: true } });
    expect(await closing({ old_checkpoint: true, evaluation: { step: 100 } })).toMatchObject({ status: 'failed', rule: 'hung', evaluation: { valid: false }, reason: { code: 'hung', cause: 'own' } });
  });

  it('M6 leaves a living trainer alone whose last step or last checkpoint is yet to come', async () => {
    // Two points: after the first, at half the way, the next would be the last.
    const slow = await runTrial(trialOptions({ fake: { points: 2, every_ms: 1200, early_checkpoint: true }, rules: { grace_s: 0.2 } }));
    expect(slow).toMatchObject({ status: 'completed', rule: null, flags: [], steps: 1000 });
    const saving = await runTrial(trialOptions({ fake: { save_ms: 1200, early_checkpoint: true }, rules: { grace_s: 0.2 } }));
    expect(saving).toMatchObject({ status: 'completed', rule: null, flags: [], steps: 1000 });
  });

  it('TR8 tells a crash of its own from one of the machine', async () => {
    const fail = { stop_at: 500, exit: 1, checkpoint: 'none' };
    expect(await runTrial(trialOptions({ fake: { ...fail, say_at_end: 'ValueError: bad shape' } }))).toMatchObject({ status: 'failed', rule: null, reason: { code: 'crashed', cause: 'own', text: expect.stringContaining('ValueError: bad shape') as string } });
    expect(await runTrial(trialOptions({ fake: { ...fail, say_at_end: 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB' } }))).toMatchObject({ status: 'failed', rule: 'oom', reason: { code: 'oom', cause: 'infrastructure' } });
    expect(await runTrial(trialOptions({ fake: { ...fail, say_at_end: 'OSError: [Errno 28] No space left on device' } }))).toMatchObject({ status: 'failed', reason: { code: 'disk', cause: 'infrastructure' } });
    expect(await runTrial(trialOptions({ fake: { ...fail, signal: 'SIGKILL' } }))).toMatchObject({ status: 'failed', rule: 'oom', reason: { code: 'oom', cause: 'infrastructure' } });
  });

  it('M9 ends a living process that ran out of memory and goes no further', async () => {
    const outcome = await runTrial(trialOptions({ fake: { say: 'CUDA error: out of memory', hang_at: 1 }, rules: { hang_s: 1 } }));
    expect(outcome).toMatchObject({ status: 'failed', rule: 'oom', reason: { code: 'oom', cause: 'infrastructure' } });
  });

  it('TR8 calls a program that is not there a failed launch', async () => {
    const options = trialOptions({});
    const outcome = await runTrial({ ...options, plan: { ...options.plan, trainArgv: ['/nowhere/python'] } });
    expect(outcome).toMatchObject({ status: 'failed', steps: 0, reason: { code: 'launch', cause: 'infrastructure' } });
  });

  it('M8 ends a trial at its own budget, and lets one run again whose campaign had none left', async () => {
    const fake = { hang_at: 500 };
    expect(await runTrial(trialOptions({ fake, change: { maxTrialMs: 700 } }))).toMatchObject({ status: 'early_stopped', rule: 'budget', reason: { code: 'budget' } });
    const until = performance.now() + 500;
    expect(await runTrial(trialOptions({ fake, change: { campaignLeftMs: () => until - performance.now() } }))).toMatchObject({ status: 'cancelled', rule: 'budget', reason: { code: 'stop' } });
  });

  it.each(['stop', 'skip', 'pause_now'] as const)('TR9 ends on %s and says so', async (cause: StopCause) => {
    const controller = new AbortController();
    const options = trialOptions({ fake: { hang_at: 500 }, change: { control: { signal: controller.signal, cause } } });
    const running = runTrial(options);
    setTimeout(() => controller.abort(), 600);
    expect(await running).toMatchObject({ status: 'cancelled', rule: null, evaluation: null, reason: { code: cause === 'skip' ? 'skip' : 'stop', cause: null } });
    expect(manifestFile.parse(readJson(options, 'manifest.json')).status).toBe('interrupted');
    expect(await leftAlive(options)).toEqual([]);
  });

  it('TR10 fails without a valid evaluation, whatever the training reward', async () => {
    const evaluated = (evaluation: Record<string, boolean | number | string>) => runTrial(trialOptions({ fake: { evaluation } }));
    expect(await evaluated({ write: false })).toMatchObject({ status: 'failed', evaluation: null, reason: { code: 'no_evaluation', cause: 'own' } });
    expect(await evaluated({ drop: 1 })).toMatchObject({ status: 'failed', evaluation: { valid: false, score: null }, reason: { code: 'invalid_evaluation', cause: 'own' } });
    expect(await evaluated({ seed: 3 })).toMatchObject({ status: 'failed', evaluation: { valid: false }, reason: { code: 'invalid_evaluation' } });
    expect(await evaluated({ sha256: 'f'.repeat(64) })).toMatchObject({ status: 'failed', evaluation: { valid: false, score: null }, reason: { code: 'invalid_evaluation' } });
    expect(await evaluated({ write: false, exit: 1, say: 'std::bad_alloc' })).toMatchObject({ status: 'failed', rule: 'oom', reason: { code: 'oom', cause: 'infrastructure' } });
    expect(await evaluated({ exit: 1 })).toMatchObject({ status: 'completed', flags: ['dirty_exit'] });
  });

  it('TR10 ends an evaluation that hangs, and one that lives on', async () => {
    const rules = { startup_s: 1, hang_s: 0.4, grace_s: 0.3 };
    expect(await runTrial(trialOptions({ fake: { evaluation: { hang: true } }, rules, change: { graceMs: 200 } }))).toMatchObject({ status: 'failed', rule: 'hung', reason: { code: 'hung' } });
    expect(await runTrial(trialOptions({ fake: { evaluation: { linger: true } }, rules, change: { graceMs: 200 } }))).toMatchObject({ status: 'completed', flags: ['linger'] });
  });

  it('TR2 starts nothing without the approval, and asks again before the evaluation', async () => {
    const never = trialOptions({ change: { checkLaunch: () => Promise.reject(new RefusalError({ code: 'approval_lapsed', message: 'changed', next: 'approve' })) } });
    await expect(runTrial(never)).rejects.toThrow(RefusalError);
    expect(existsSync(join(never.folder, 'console.log'))).toBe(false);
    expect(manifestFile.parse(readJson(never, 'manifest.json'))).toMatchObject({ status: 'failed', error: { message: 'changed' } });
    let asked = 0;
    const once = trialOptions({
      change: {
        checkLaunch: async () => {
          asked += 1;
          if (asked === 2) refuse('over_budget', 'no budget');
        },
      },
    });
    await expect(runTrial(once)).rejects.toThrow('no budget');
    expect(existsSync(join(once.folder, 'evaluation.json'))).toBe(false);
  });

  it('TR3 never touches the folder of an earlier attempt', async () => {
    const options = trialOptions({});
    await runTrial(options);
    const before = readFileSync(join(options.folder, 'manifest.json'), 'utf8');
    await expect(runTrial(options)).rejects.toThrow(RefusalError);
    expect(readFileSync(join(options.folder, 'manifest.json'), 'utf8')).toBe(before);
  });

  it('TR11 leaves no process behind, strays of a good end included', async () => {
    const options = trialOptions({ fake: { child: true }, ports: makeRealPorts() });
    expect(await runTrial(options)).toMatchObject({ status: 'completed' });
    expect(await leftAlive(options)).toEqual([]);
  });
});

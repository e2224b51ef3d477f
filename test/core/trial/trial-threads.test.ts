// How many threads a trial is held to, by whose word, and that it reaches the processes.
import { describe, expect, it } from 'vitest';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import { planLaunch } from '../../../src-main/core/trial/launch-plan.ts';
import { threadNames, threadsPerTrial } from '../../../src-main/core/trial/trial-threads.ts';
import { makeFakeMachine } from '../../fakes/fake-small-ports.ts';
import { trialFile } from './trial-cases.ts';

const adapterWith = (threads_per_trial?: number | 'off') => adapterFile.parse({ framework: 'command', train: ['t'], evaluate: ['e'], metrics: {}, ...(threads_per_trial === undefined ? {} : { threads_per_trial }) });
const on = (usableCores: number, env: Readonly<Record<string, string>> = {}) => makeFakeMachine({ env, hardware: { usableCores } });

/** The thread variables that a trial's processes get. */
async function given(of: { readonly cores: number; readonly slots: number; readonly said?: number | 'off'; readonly env?: Readonly<Record<string, string>> }): Promise<Readonly<Record<string, string>>> {
  const machine = on(of.cores, of.env);
  const adapter = adapterWith(of.said);
  const threads = await threadsPerTrial({ adapter, slots: of.slots, machine });
  const { env } = planLaunch({ node: { execPath: '/node', engineFolder: '/engine', relaxedSimdFlags: [] }, machine, adapter, trial: trialFile({}, { threads }), folder: '/repo/trial', root: '/repo' });
  return Object.fromEntries(Object.entries(env).filter(([name]) => threadNames.includes(name)));
}
const all = (count: number) => Object.fromEntries(threadNames.map((name) => [name, String(count)]));

describe('threads of a trial', () => {
  it.each([[8, 2, 4], [8, 3, 2], [2, 2, 1], [2, 5, 1], [1, 2, 1], [64, 4, 16]])('AD20 shares %d cores among %d slots: %d each, by every name that a library reads', async (cores, slots, each) => {
    expect(await given({ cores, slots })).toEqual(all(each));
    expect(Object.keys(all(each))).toEqual(expect.arrayContaining(['OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS']));
  });

  it('AD20 leaves a trial that runs alone every core', async () => {
    expect(await given({ cores: 8, slots: 1 })).toEqual({});
  });

  it('AD21 keeps what the environment says; OMP_NUM_THREADS speaks for those that are not said', async () => {
    expect(await given({ cores: 8, slots: 2, env: { OMP_NUM_THREADS: '3' } })).toEqual(all(3));
    expect(await given({ cores: 8, slots: 2, env: { OMP_NUM_THREADS: '6,2', MKL_NUM_THREADS: '1' } })).toEqual({ ...all(6), OMP_NUM_THREADS: '6,2', MKL_NUM_THREADS: '1' });
    expect(await given({ cores: 8, slots: 2, env: { MKL_NUM_THREADS: '1' } })).toEqual({ ...all(4), MKL_NUM_THREADS: '1' });
    expect(await given({ cores: 8, slots: 1, env: { OMP_NUM_THREADS: '3' } })).toEqual(all(3));
    for (const nonsense of ['', '0', '-1', 'many', '1e3']) expect(await given({ cores: 8, slots: 2, env: { OMP_NUM_THREADS: nonsense } }), nonsense).toEqual({ OMP_NUM_THREADS: nonsense });
  });

  it('AD21 takes the number of adapter.yaml before anything else, and `off` sets nothing', async () => {
    expect(await given({ cores: 8, slots: 2, said: 2, env: { OMP_NUM_THREADS: '7', MKL_NUM_THREADS: '7' } })).toEqual(all(2));
    expect(await given({ cores: 8, slots: 1, said: 2 })).toEqual(all(2));
    expect(await given({ cores: 8, slots: 2, said: 'off' })).toEqual({});
    expect(await given({ cores: 8, slots: 2, said: 'off', env: { OMP_NUM_THREADS: '7' } })).toEqual({ OMP_NUM_THREADS: '7' });
    expect(adapterFile.safeParse({ framework: 'bundled', metrics: {}, threads_per_trial: 0 }).success).toBe(false);
  });

  it('AD22 puts nothing of the machine into what is approved: an adapter that is silent has no such key', () => {
    expect(Object.keys(adapterWith())).not.toContain('threads_per_trial');
  });
});

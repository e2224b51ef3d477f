// PPO on CartPole-v1: the bundled runner's SIMD kernels against Stable-Baselines3 on the CPU. Imported by parts.ts.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { relaxedSimdFlags } from '../../../src-main/adapters/node-runtime.ts';
import type { Bench, BenchPart, PartReport } from '../bench-part.ts';
import { runSideBySide, type Contender } from '../side-by-side.ts';

const run = promisify(execFile);

interface Size {
  readonly envs: number;
  readonly rollouts: number;
  readonly epochs: number;
  readonly miniBatch: number;
  readonly hidden: readonly number[];
}

/** What both sides train; 64 x 64 tanh networks for policy and value, Adam at 3e-4. */
const sizes: Readonly<Record<'small' | 'wide' | 'big', Size>> = {
  small: { envs: 8, rollouts: 256, epochs: 10, miniBatch: 256, hidden: [64, 64] },
  wide: { envs: 64, rollouts: 64, epochs: 4, miniBatch: 512, hidden: [64, 64] },
  big: { envs: 8, rollouts: 256, epochs: 10, miniBatch: 256, hidden: [256, 256] },
};
const peer = 'Stable-Baselines3, the better of one and two threads';

const bars = {
  small: `8 x 256, minibatch 256, 10 epochs: at least 6 times ${peer}`,
  wide: `64 x 64, minibatch 512, 4 epochs: at least 3.5 times ${peer}`,
  solve: 'mean return 475 over 100 episodes in at most 5 s, the median of five seeds',
  big: '256 x 256 networks, minibatch 256: at least twice tfjs-node',
};

export const ppoPart: BenchPart = {
  name: 'ppo',
  title: 'PPO on CartPole-v1, environment steps a second',
  measures:
    'Two tanh networks for policy and value, one process, `simd` kernels; every round trains each side for the same seconds on the same sizes, a new seed each round. ' +
    'Stable-Baselines3 trains with one torch thread and with two, and the faster one counts.',
  peers: ['Stable-Baselines3 (test/bench/ppo/requirements.txt)'],
  bars: Object.values(bars),
  options: { 'ppo-s': '4', backend: 'simd' },
  run: measure,
};

async function measure(bench: Bench): Promise<PartReport> {
  const seconds = bench.isQuick ? 1 : Number(bench.options['ppo-s']);
  const report = await runSideBySide(bench, {
    figures: [
      { name: 'small', title: '8 x 256, minibatch 256, 10 epochs', isBetter: 'higher' },
      { name: 'wide', title: '64 x 64, minibatch 512, 4 epochs', isBetter: 'higher' },
      { name: 'big', title: '8 x 256, minibatch 256, 10 epochs, 256 x 256 networks', isBetter: 'higher' },
      { name: 'solve', title: 'seconds to a mean return of 475', isBetter: 'lower' },
    ],
    contenders: [ours(seconds), stableBaselines(seconds)],
    rounds: { full: 5, quick: 1 },
    bars: [
      { text: bars.small, figure: 'small', against: peer, atLeast: 6 },
      { text: bars.wide, figure: 'wide', against: peer, atLeast: 3.5 },
      { text: bars.solve, figure: 'solve', atMost: 5 },
    ],
  });
  return { ...report, notRun: [...report.notRun, { what: 'tfjs-node', why: 'no built tfjs-node is part of this bench yet' }] };
}

function ours(seconds: number): Contender {
  return {
    name: 'bundled runner',
    async prepare(bench) {
      const program = bench.program('ppo/runner-ppo.process');
      const backend = bench.options['backend'] ?? 'simd';
      const flags = backend === 'simd-relaxed' ? relaxedSimdFlags(process.versions.node) : [];
      const train = async (size: Size, more: object): Promise<RunnerResult> => {
        const { envs, rollouts, epochs, miniBatch, hidden } = size;
        const wish = { backend, envs, rollouts, epochs, miniBatches: (envs * rollouts) / miniBatch, hidden, ...more };
        return JSON.parse((await run(process.execPath, [...flags, program, JSON.stringify(wish)])).stdout) as RunnerResult;
      };
      return {
        versions: { backend },
        async measure(round) {
          const seed = round + 1;
          const speed = async (size: Size): Promise<number> => (await train(size, { seconds, seed, untilReturn: null })).stepsPerS;
          const solved = await train(sizes.small, { seconds: 60, seed, untilReturn: 475 });
          return { small: await speed(sizes.small), wide: await speed(sizes.wide), big: await speed(sizes.big), solve: solved.reachedS ?? Infinity };
        },
      };
    },
  };
}

interface RunnerResult {
  readonly stepsPerS: number;
  readonly reachedS: number | null;
}

function stableBaselines(seconds: number): Contender {
  return {
    name: peer,
    async prepare(bench) {
      const python = await bench.python('test/bench/ppo/requirements.txt');
      const script = join(bench.home, 'test/bench/programs/sb3_ppo.py');
      const { stdout } = await run(python, ['-c', 'import stable_baselines3, torch; print(stable_baselines3.__version__, torch.__version__)']);
      const [sb3 = '', torch = ''] = stdout.trim().split(' ');
      return {
        versions: { 'Stable-Baselines3': sb3, torch },
        async measure(round) {
          const speed = async (size: Size): Promise<number> => {
            const each: number[] = [];
            for (const threads of [1, 2]) {
              const result = await run(python, [script, JSON.stringify({ ...size, seconds, seed: round + 1, threads })]);
              each.push((JSON.parse(result.stdout) as { readonly stepsPerS: number }).stepsPerS);
            }
            return Math.max(...each);
          };
          return { small: await speed(sizes.small), wide: await speed(sizes.wide), big: await speed(sizes.big) };
        },
      };
    },
  };
}

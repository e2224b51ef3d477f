// The bundled runner's side of the PPO benchmark: trains CartPole-v1 as trial training does, and prints one JSON line.
// node runner-ppo.mjs '{"backend":"simd","envs":8,"rollouts":256,"epochs":10,"miniBatches":8,"hidden":[64,64],"seconds":4,"seed":1,"untilReturn":null}'
import { bundledAgent } from '../../../src-protocol/files/agent.ts';
import { chooseBackend } from '../../../src-runner/backend/choose.ts';
import { makeEnv } from '../../../src-runner/envs/make-env.ts';
import { makePpo } from '../../../src-runner/learners/ppo.ts';
import { makeStreams } from '../../../src-runner/seeding/streams.ts';

interface Wish {
  readonly backend: string;
  readonly envs: number;
  readonly rollouts: number;
  readonly epochs: number;
  readonly miniBatches: number;
  readonly hidden: readonly number[];
  readonly seconds: number;
  readonly seed: number;
  /** Stops at this mean return of the last 100 episodes. */
  readonly untilReturn: number | null;
}

const wish = JSON.parse(process.argv[2] ?? '{}') as Wish;
const config = bundledAgent.parse({
  agent: { rollouts: wish.rollouts, learning_epochs: wish.epochs, mini_batches: wish.miniBatches, normalize_observations: false, learning_rate: 3e-4 },
  models: { hidden: wish.hidden },
});
const streams = makeStreams(wish.seed);
const env = await makeEnv({ entry: 'CartPole-v1', entryRoot: '', envCfg: {}, numEnvs: wish.envs, streams });
const ppo = await makePpo({ env, backend: await chooseBackend(wish.backend), config, streams });
if (wish.untilReturn === null) await ppo.iterate(wish.rollouts, 0); // compiled and warm
const started = performance.now();
let steps = 0;
let meanReturn = 0;
let reachedS: number | null = null;
while (performance.now() - started < wish.seconds * 1000) {
  await ppo.iterate(wish.rollouts, 0);
  steps += wish.rollouts * wish.envs;
  const summary = ppo.window.summary();
  meanReturn = summary?.meanReturn ?? 0;
  if (wish.untilReturn !== null && summary !== null && summary.episodes >= 100 && meanReturn >= wish.untilReturn) {
    reachedS = (performance.now() - started) / 1000;
    break;
  }
}
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ stepsPerS: steps / seconds, steps, seconds, meanReturn, reachedS, rssMb: process.memoryUsage.rss() / 1e6 }));

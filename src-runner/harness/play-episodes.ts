// Plays a fixed set of episodes: exactly the first `episodesPerEnv` of every environment. Imported by harness/evaluate-trial.ts.
// Counting the first N to finish instead would favour short episodes.
import type { EpisodeRow } from '../../src-protocol/files/evaluation.ts';
import type { VectorEnv } from '../envs/vector-env.ts';

/** Chooses an action for every environment from `env.observations`, into `actions`. */
export type Actor = (env: VectorEnv, actions: Int32Array) => Promise<void>;

export interface PlayOptions {
  readonly episodesPerEnv: number;
  /** Steps after which one episode is cut with cause `unfinished`, unless the environment's own limit ended it there. */
  readonly maxSteps: number;
  /** Called once per step of all environments. */
  readonly onStep?: (finishedEpisodes: number) => void;
}

/** Rows in order of environment, then episode. Returns are sums of `trueRewards`. */
export async function playEpisodes(env: VectorEnv, act: Actor, options: PlayOptions): Promise<readonly EpisodeRow[]> {
  const { episodesPerEnv, maxSteps } = options;
  const rows: EpisodeRow[][] = Array.from({ length: env.numEnvs }, () => []);
  const returns = new Float64Array(env.numEnvs);
  const lengths = new Int32Array(env.numEnvs);
  const actions = new Int32Array(env.numEnvs);
  let missing = env.numEnvs * episodesPerEnv;
  env.reset();
  while (missing > 0) {
    await act(env, actions);
    env.step(actions);
    for (let i = 0; i < env.numEnvs; i++) {
      returns[i]! += env.trueRewards[i]!;
      lengths[i]! += 1;
      const isDone = env.terminated[i] === 1 || env.truncated[i] === 1;
      if (!isDone && lengths[i]! < maxSteps) continue;
      if (rows[i]!.length < episodesPerEnv) {
        const facts = { env: i, episode: rows[i]!.length, return: returns[i]!, length: lengths[i]! };
        rows[i]!.push({ ...facts, ...(isDone ? endOf(env, i) : { cause: 'unfinished' }) });
        missing -= 1;
      }
      if (!isDone) env.reset(i);
      returns[i] = 0;
      lengths[i] = 0;
    }
    options.onStep?.(env.numEnvs * episodesPerEnv - missing);
  }
  return rows.flat();
}

function endOf(env: VectorEnv, i: number): Pick<EpisodeRow, 'cause' | 'success' | 'metrics'> {
  const cause: unknown = env.cause(i);
  const success = env.success?.(i);
  const metrics = env.metrics?.(i);
  return {
    cause: typeof cause === 'string' && cause !== '' ? cause : 'unattributed',
    ...(success === undefined ? {} : { success }),
    ...(metrics === undefined || Object.keys(metrics).length === 0 ? {} : { metrics: { ...metrics } }),
  };
}

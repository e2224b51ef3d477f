// Lifts an environment written for one copy into the vectorised contract. Imported by the toolkit and tests.
import type { Generator } from '../seeding/generator.ts';
import { TIME_OUT, type VectorEnv } from './vector-env.ts';

export interface StepResult {
  readonly observation: ArrayLike<number>;
  readonly reward: number;
  /** What an evaluation counts, if that differs from `reward`. */
  readonly trueReward?: number;
  readonly terminated: boolean;
  /** Required where `terminated`: why. */
  readonly cause?: string;
  readonly success?: boolean;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** One copy. `reset` draws everything random from the generator it was made with. */
export interface SingleEnv {
  reset(): ArrayLike<number>;
  step(action: number): StepResult;
}

export interface VectoriseOptions {
  readonly numEnvs: number;
  readonly observationSize: number;
  readonly actionCount: number;
  /** Steps after which an episode is truncated; null for none. */
  readonly timeLimit: number | null;
  readonly generators: readonly Generator[];
}

export function vectorise(makeOne: (generator: Generator) => SingleEnv, options: VectoriseOptions): VectorEnv {
  const { numEnvs, observationSize, actionCount, timeLimit } = options;
  const copies = Array.from({ length: numEnvs }, (_, i) => makeOne(options.generators[i]!));
  const observations = new Float32Array(numEnvs * observationSize);
  const finalObservations = new Float32Array(numEnvs * observationSize);
  const rewards = new Float64Array(numEnvs);
  const trueRewards = new Float64Array(numEnvs);
  const terminated = new Uint8Array(numEnvs);
  const truncated = new Uint8Array(numEnvs);
  const elapsed = new Int32Array(numEnvs);
  const last: (StepResult | undefined)[] = Array.from({ length: numEnvs }, () => undefined);

  const put = (into: Float32Array, env: number, from: ArrayLike<number>): void => {
    if (from.length !== observationSize) throw new RangeError(`an observation has ${from.length} numbers, not ${observationSize}`);
    into.set(from, env * observationSize);
  };
  const start = (env: number): void => {
    put(observations, env, copies[env]!.reset());
    elapsed[env] = 0;
  };

  return {
    numEnvs,
    observationSize,
    actionCount,
    timeLimit,
    observations,
    rewards,
    trueRewards,
    terminated,
    truncated,
    finalObservations,
    reset(env) {
      if (env !== undefined) start(env);
      else for (let i = 0; i < numEnvs; i++) start(i);
    },
    step(actions) {
      for (let env = 0; env < numEnvs; env++) {
        const result = copies[env]!.step(actions[env]!);
        last[env] = result;
        rewards[env] = result.reward;
        trueRewards[env] = result.trueReward ?? result.reward;
        terminated[env] = result.terminated ? 1 : 0;
        truncated[env] = timeLimit !== null && ++elapsed[env]! >= timeLimit ? 1 : 0;
        put(observations, env, result.observation);
        if (terminated[env] === 1 || truncated[env] === 1) {
          put(finalObservations, env, result.observation);
          start(env);
        }
      }
    },
    cause: (env) => (terminated[env] === 1 ? (last[env]?.cause ?? 'unattributed') : TIME_OUT),
    success: (env) => last[env]?.success ?? false,
    metrics: (env) => last[env]?.metrics ?? {},
  };
}

// The contract of a vectorised environment: N copies in a struct of typed arrays. Imported by learners, harness and entries.

/**
 * N copies stepped together, discrete actions. The arrays are the same objects for the environment's whole life; `step`
 * overwrites them. A finished copy is reset in the same step: its `observations` row is the first of the next episode and
 * its `finalObservations` row the last of the finished one.
 */
export interface VectorEnv {
  readonly numEnvs: number;
  readonly observationSize: number;
  readonly actionCount: number;
  /** The environment's own limit on an episode's steps, null if it has none. */
  readonly timeLimit: number | null;
  /** numEnvs x observationSize, row-major: what the policy sees next. */
  readonly observations: Float32Array;
  /** numEnvs: the reward that a learner optimises, shaping included. */
  readonly rewards: Float64Array;
  /** numEnvs: the reward that an evaluation counts; the same array as `rewards` where nothing shapes it. */
  readonly trueRewards: Float64Array;
  /** numEnvs: 1 where the step ended an episode by the task's own rules: nothing follows, its value is 0. */
  readonly terminated: Uint8Array;
  /** numEnvs: 1 where the step ended an episode by a limit: the final observation still has a value. */
  readonly truncated: Uint8Array;
  /** numEnvs x observationSize: rows are valid where `terminated` or `truncated` is 1. */
  readonly finalObservations: Float32Array;
  /** Starts a new episode in every copy, or in copy `env` alone. */
  reset(env?: number): void;
  /** numEnvs actions, each in 0..actionCount-1. */
  step(actions: Int32Array): void;
  /** Why the episode that the last step ended in `env` ended: `time_out` or a name of the task's own. */
  cause(env: number): string;
  /** Whether that episode reached the task's goal; absent where the task knows no goal. */
  readonly success?: (env: number) => boolean;
  /** Further numbers about that episode, by name. */
  readonly metrics?: (env: number) => Readonly<Record<string, number>>;
}

/** The cause of an episode that ran into the environment's own limit. */
export const TIME_OUT = 'time_out';

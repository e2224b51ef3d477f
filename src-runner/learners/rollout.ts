// The arrays of one rollout. Imported by learners.

/** Index of step t in environment e: t * numEnvs + e; observation rows likewise. */
export interface Rollout {
  readonly capacity: number;
  readonly numEnvs: number;
  /** As the networks saw them: normalised if the agent normalises. */
  readonly observations: Float32Array;
  readonly actions: Int32Array;
  readonly logProbabilities: Float32Array;
  readonly rewards: Float32Array;
  readonly values: Float32Array;
  readonly nextValues: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly advantages: Float32Array;
  readonly targets: Float32Array;
}

/** Room for `steps` steps of `numEnvs` environments. */
export function makeRollout(steps: number, numEnvs: number, observationSize: number): Rollout {
  const capacity = steps * numEnvs;
  return {
    capacity,
    numEnvs,
    observations: new Float32Array(capacity * observationSize),
    actions: new Int32Array(capacity),
    logProbabilities: new Float32Array(capacity),
    rewards: new Float32Array(capacity),
    values: new Float32Array(capacity),
    nextValues: new Float32Array(capacity),
    terminated: new Uint8Array(capacity),
    truncated: new Uint8Array(capacity),
    advantages: new Float32Array(capacity),
    targets: new Float32Array(capacity),
  };
}

// PPO's clipped surrogate for discrete actions: value and gradient by the logits. A pure function; imported by learners.
// Source: Schulman et al. 2017, equation 7: min(A r, A clip(r, 1 - e, 1 + e)), negated and averaged.

export interface SurrogateInput {
  readonly rows: number;
  readonly count: number;
  /** rows x count: log-probabilities of the current policy. */
  readonly logProbabilities: Float32Array;
  readonly actions: Int32Array;
  /** rows: log-probability of each action when it was taken. */
  readonly oldLogProbabilities: Float32Array;
  readonly advantages: Float32Array;
  readonly clip: number;
}

export interface SurrogateValue {
  /** Mean of -min(A r, A clip(r)). */
  readonly loss: number;
  /** Mean of (r - 1) - log r, an unbiased low-variance estimate of KL(old || new) (Schulman 2020). */
  readonly approximateKl: number;
  /** Share of rows whose ratio lies outside the clip range. */
  readonly clipFraction: number;
}

/** Adds the gradient of `loss` by the logits (rows x count) to `gradient`. */
export function ppoSurrogate(input: SurrogateInput, gradient: Float32Array): SurrogateValue {
  const { rows, count, logProbabilities, clip } = input;
  let loss = 0;
  let kl = 0;
  let clipped = 0;
  for (let row = 0; row < rows; row++) {
    const at = row * count;
    const action = input.actions[row]!;
    const advantage = input.advantages[row]!;
    const logRatio = logProbabilities[at + action]! - input.oldLogProbabilities[row]!;
    const ratio = Math.exp(logRatio);
    const limited = Math.min(Math.max(ratio, 1 - clip), 1 + clip);
    const free = advantage * ratio;
    const bounded = advantage * limited;
    loss -= Math.min(free, bounded);
    kl += ratio - 1 - logRatio;
    if (Math.abs(ratio - 1) > clip) clipped += 1;
    // d(-A r)/d logits = -A r (onehot - p), where the unclipped branch is the smaller one. NaN follows the free branch.
    if (!(bounded < free)) {
      const slope = -free / rows;
      for (let j = 0; j < count; j++) {
        gradient[at + j]! += slope * ((j === action ? 1 : 0) - Math.exp(logProbabilities[at + j]!));
      }
    }
  }
  return { loss: loss / rows, approximateKl: kl / rows, clipFraction: clipped / rows };
}

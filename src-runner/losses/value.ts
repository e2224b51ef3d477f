// The value loss: squared error with an optional cap per item, value and gradient. A pure function; imported by learners.

export interface ValueInput {
  readonly rows: number;
  readonly values: Float32Array;
  readonly targets: Float32Array;
  /** Weight of the loss in the gradient. */
  readonly scale: number;
  /** Cap on each squared error (RLlib's `vf_clip_param`: not a trust region); Infinity for none. */
  readonly cap?: number;
}

/** Writes `scale` x the gradient by the values to `gradient` (rows); gives the unscaled mean, without a factor of 1/2. */
export function valueLoss({ rows, values, targets, scale, cap = Infinity }: ValueInput, gradient: Float32Array): number {
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const error = values[row]! - targets[row]!;
    const square = error * error;
    total += square > cap ? cap : square;
    gradient[row] = square > cap ? 0 : (2 * scale * error) / rows;
  }
  return total / rows;
}

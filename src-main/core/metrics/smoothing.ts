// Debiased exponential moving average per point, as the rules and the screens use it. Rooms from metrics leftwards may import it.
// The recurrence s += a * (x - s) with a = (1 - w) / (1 - w^n) equals the textbook form (biased mean over 1 - w^n),
// and a constant series stays exactly constant, so that no gate trips over a rounding error.

/** State after n finite values; null before the first. `bias` is w^n. */
export interface Smoothed {
  readonly value: number;
  readonly bias: number;
}

/** The state after one more value. A non-finite value leaves it as it was. `weight` in [0, 1). */
export function smoothNext(state: Smoothed | null, value: number, weight: number): Smoothed | null {
  if (!Number.isFinite(value)) return state;
  if (state === null) return { value, bias: weight };
  const bias = state.bias * weight;
  const gain = (1 - weight) / (1 - bias);
  return { value: state.value + gain * (value - state.value), bias };
}

/** One smoothed value per input value; NaN where the input is not finite. */
export function smoothSeries(values: readonly number[], weight: number): readonly number[] {
  let state: Smoothed | null = null;
  return values.map((value) => {
    state = smoothNext(state, value, weight);
    return Number.isFinite(value) && state !== null ? state.value : Number.NaN;
  });
}

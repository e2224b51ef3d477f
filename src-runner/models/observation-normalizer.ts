// Running mean and variance of observations, and their use. Imported by learners and the harness.
// Source: Chan et al. 1979 for merging; the clip at 10 and the starting count of 1e-4 as in Stable-Baselines3.

const CLIP = 10;
const EPSILON = 1e-8;
const START_COUNT = 1e-4;

export interface NormalizerState {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly count: number;
}

export interface ObservationNormalizer {
  /** Merges `rows` observations (rows x size) into the statistics. */
  update(observations: Float32Array, rows: number): void;
  /** out = clip((observation - mean) / sqrt(variance + 1e-8), +-10) with the present statistics. */
  apply(observations: Float32Array, rows: number, out: Float32Array): void;
  read(): NormalizerState;
}

/** With `state`, continues from it: an evaluation loads a checkpoint's statistics and never calls `update`. */
export function makeObservationNormalizer(size: number, state?: NormalizerState): ObservationNormalizer {
  const mean = state?.mean.slice() ?? new Float64Array(size);
  const variance = state?.variance.slice() ?? new Float64Array(size).fill(1);
  let count = state?.count ?? START_COUNT;
  return {
    update(observations, rows) {
      const total = count + rows;
      for (let j = 0; j < size; j++) {
        let batchMean = 0;
        for (let r = 0; r < rows; r++) batchMean += observations[r * size + j]!;
        batchMean /= rows;
        let squares = 0;
        for (let r = 0; r < rows; r++) squares += (observations[r * size + j]! - batchMean) ** 2;
        const shift = batchMean - mean[j]!;
        variance[j] = (variance[j]! * count + squares + (shift * shift * count * rows) / total) / total;
        mean[j]! += (shift * rows) / total;
      }
      count = total;
    },
    apply(observations, rows, out) {
      for (let j = 0; j < size; j++) {
        const centre = mean[j]!;
        const scale = 1 / Math.sqrt(variance[j]! + EPSILON);
        for (let i = j; i < rows * size; i += size) {
          const z = (observations[i]! - centre) * scale;
          out[i] = z > CLIP ? CLIP : z < -CLIP ? -CLIP : z;
        }
      }
    },
    read: () => ({ mean: mean.slice(), variance: variance.slice(), count }),
  };
}

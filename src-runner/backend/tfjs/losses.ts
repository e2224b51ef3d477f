// PPO's losses written in TensorFlow.js, whose automatic differentiation gives the gradient: the same formulas as src-runner/losses,
// which give theirs in closed form. Imported by backend/tfjs and tests.
import type { Scalar, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import type { Tf } from './engine.ts';

export interface SurrogateTensors {
  readonly logProbabilities: Tensor2D;
  /** rows x count: 1 at the action that was taken, else 0. */
  readonly taken: Tensor2D;
  readonly oldLogProbabilities: Tensor1D;
  readonly advantages: Tensor1D;
  readonly clip: number;
}

/** rows x count: 1 at each action. Not by oneHot: in float32 it is wrong on the wasm backend (4.22), and it refuses a single action. */
export function takenOf(tf: Tf, actions: Int32Array, rows: number, count: number): Tensor2D {
  if (actions.length < rows) throw new RangeError(`${actions.length} actions given where ${rows} are needed`);
  const taken = new Float32Array(rows * count);
  for (let row = 0; row < rows; row++) taken[row * count + actions[row]!] = 1;
  return tf.tensor2d(taken, [rows, count]);
}

export interface SurrogateFigures {
  readonly loss: Scalar;
  readonly approximateKl: Scalar;
  readonly clipFraction: Scalar;
}

/** losses/ppo-surrogate.ts */
export function surrogate(tf: Tf, { logProbabilities, taken, oldLogProbabilities, advantages, clip }: SurrogateTensors): SurrogateFigures {
  const logRatio = tf.sub(tf.sum(tf.mul(logProbabilities, taken), 1), oldLogProbabilities);
  const ratio = tf.exp(logRatio);
  const limited = tf.clipByValue(ratio, 1 - clip, 1 + clip);
  const outside = tf.cast(tf.greater(tf.abs(tf.sub(ratio, 1)), clip), 'float32');
  return {
    loss: tf.neg(tf.mean(tf.minimum(tf.mul(advantages, ratio), tf.mul(advantages, limited)))),
    approximateKl: tf.mean(tf.sub(tf.sub(ratio, 1), logRatio)),
    clipFraction: tf.mean(outside),
  };
}

/** losses/entropy.ts, for finite log-probabilities. */
export function meanEntropy(tf: Tf, logProbabilities: Tensor2D): Scalar {
  return tf.neg(tf.mean(tf.sum(tf.mul(tf.exp(logProbabilities), logProbabilities), 1)));
}

/** losses/kl.ts, for finite log-probabilities. */
export function meanKl(tf: Tf, old: Tensor2D, now: Tensor2D): Scalar {
  return tf.mean(tf.sum(tf.mul(tf.exp(old), tf.sub(old, now)), 1));
}

/** losses/value.ts; `cap` Infinity for none. */
export function valueLoss(tf: Tf, values: Tensor1D, targets: Tensor1D, cap: number): Scalar {
  const squares = tf.squaredDifference(values, targets);
  return tf.mean(Number.isFinite(cap) ? tf.minimum(squares, cap) : squares);
}

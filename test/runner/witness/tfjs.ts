// TensorFlow.js as a third witness: the losses and the MLP written as its programs, differentiated by it. Imported by tests only.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-cpu';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { layersOf, type NetworkShape, type PolicyBatch } from '../../../src-runner/backend/compute.ts';

setWasmPaths(`${dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm/package.json'))}/wasm-out/`);

export const witnesses = ['cpu', 'wasm'] as const;
export type Witness = (typeof witnesses)[number];

export async function use(witness: Witness): Promise<void> {
  if (!(await tf.setBackend(witness))) throw new Error(`the ${witness} backend of TensorFlow.js does not start`);
  await tf.ready();
}

/** A scalar of a tensor of this shape: its value and its gradient at `at`. */
export function differentiate(scalar: (x: tf.Tensor) => tf.Tensor, at: Float32Array, shape: readonly number[]): { readonly value: number; readonly gradient: Float32Array } {
  return tf.tidy(() => {
    const { value, grad } = tf.valueAndGrad((x: tf.Tensor) => tf.reshape(scalar(x), []) as tf.Scalar)(tf.tensor(at, [...shape]));
    return { value: value.dataSync()[0] ?? NaN, gradient: grad.dataSync() as Float32Array };
  });
}

/**
 * The product whose gradient transposes first and multiplies then: with the transpose flags of the library's own gradient the wasm
 * backend takes a path that is two to five times slower.
 */
const product = tf.customGrad((a, b, save) => {
  const [left, right] = [a as tf.Tensor2D, b as tf.Tensor2D];
  (save as tf.GradSaveFunc)([left, right]);
  return {
    value: tf.matMul(left, right),
    gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => [tf.matMul(dy as tf.Tensor2D, tf.transpose(saved[1] as tf.Tensor2D)), tf.matMul(tf.transpose(saved[0] as tf.Tensor2D), dy as tf.Tensor2D)],
  };
});

/** The outputs of an MLP whose flat parameters are one tensor, in the layout of backend/compute.ts. */
export function forward(shape: NetworkShape, parameters: tf.Tensor, inputs: tf.Tensor): tf.Tensor {
  const layers = layersOf(shape);
  return layers.reduce((x, layer, i) => {
    const weights = tf.reshape(tf.slice(parameters, [layer.weights], [layer.inputs * layer.outputs]), [layer.outputs, layer.inputs]);
    const biases = tf.slice(parameters, [layer.biases], [layer.outputs]);
    const y = tf.add(product(x, tf.transpose(weights)), biases);
    return i < layers.length - 1 ? tf.tanh(y) : y;
  }, inputs);
}

/** Mean of -min(A r, A clip(r)). Source: Schulman et al. 2017, equation 7. */
export function surrogate(logits: tf.Tensor, batch: PolicyBatch, count: number): tf.Tensor {
  const chosen = tf.sum(tf.mul(tf.logSoftmax(logits as tf.Tensor2D), tf.oneHot(tf.tensor1d(batch.actions, 'int32'), count)), 1);
  const ratio = tf.exp(tf.sub(chosen, tf.tensor1d(batch.oldLogProbabilities)));
  const advantages = tf.tensor1d(batch.advantages);
  return tf.neg(tf.mean(tf.minimum(tf.mul(advantages, ratio), tf.mul(advantages, tf.clipByValue(ratio, 1 - batch.clip, 1 + batch.clip)))));
}

export function entropy(logits: tf.Tensor): tf.Tensor {
  const log = tf.logSoftmax(logits as tf.Tensor2D);
  return tf.neg(tf.mean(tf.sum(tf.mul(tf.exp(log), log), 1)));
}

/** KL(old || new) in nats, the mean over the rows. */
export function divergence(oldLogProbabilities: Float32Array, logits: tf.Tensor): tf.Tensor {
  const old = tf.tensor(oldLogProbabilities, logits.shape);
  return tf.mean(tf.sum(tf.mul(tf.exp(old), tf.sub(old, tf.logSoftmax(logits as tf.Tensor2D))), 1));
}

export function squaredError(values: tf.Tensor, targets: Float32Array): tf.Tensor {
  return tf.mean(tf.square(tf.sub(tf.reshape(values, [targets.length]), tf.tensor1d(targets))));
}

export { tf };

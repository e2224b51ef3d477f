// The product of a layer, in the two forms that TensorFlow.js's backends are fast at. Imported by backend/tfjs.
import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core';
import type { Product } from './engine.ts';

/** By the transpose flag, with TensorFlow.js's own gradient. */
export const flaggedProduct: Product = (tf, inputs, weights) => tf.matMul<Tensor2D>(inputs, weights, false, true);

/** Only products without a flag, in the gradient too; transposes are made first. */
export const transposedProduct: Product = (tf, inputs, weights) => {
  const product = tf.customGrad<Tensor2D>((...given) => {
    const [x, w, save] = given as unknown as [Tensor2D, Tensor2D, (tensors: Tensor[]) => void];
    save([x, w]);
    return {
      value: tf.matMul<Tensor2D>(x, tf.transpose<Tensor2D>(w)),
      gradFunc: (slope, saved) => {
        const [savedInputs, savedWeights] = saved as [Tensor2D, Tensor2D];
        return [tf.matMul(slope, savedWeights), tf.matMul(tf.transpose(slope), savedInputs)];
      },
    };
  });
  return product(inputs, weights);
};

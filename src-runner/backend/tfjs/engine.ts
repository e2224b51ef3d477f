// What the tfjs program needs of one TensorFlow.js: its functions, and which of its backends computes. Imported by backend/tfjs.
import type * as core from '@tensorflow/tfjs-core';
import type { Tensor2D } from '@tensorflow/tfjs-core';

export type Tf = typeof core;

/** rows x inputs by the weights of a layer [outputs, inputs]: rows x outputs, with a gradient by both. */
export type Product = (tf: Tf, inputs: Tensor2D, weights: Tensor2D) => Tensor2D;

export interface TfjsEngine {
  readonly tf: Tf;
  /** TensorFlow.js's own name of the backend. */
  readonly backend: string;
  /** Where it computes: `cpu`, `cuda`. */
  readonly device: string;
  readonly product: Product;
}

/**
 * Makes this engine's backend the one that computes. Call it at the start of every piece of work, after the last `await` before it:
 * TensorFlow.js has one current backend for the whole process. A started one is taken at once, though the call gives a promise.
 */
export function use({ tf, backend }: TfjsEngine): void {
  if (tf.getBackend() !== backend) void tf.setBackend(backend);
}

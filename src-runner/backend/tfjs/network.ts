// The MLP of the tfjs backends: parameters as one flat tensor in the seam's layout, gradients by automatic differentiation.
// Imported by backend/tfjs.ts.
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import { layersOf, parameterCount, type Layer, type Network, type NetworkShape, type PolicyBatch } from '../compute.ts';
import { use, type Tf, type TfjsEngine } from './engine.ts';
import { meanEntropy, surrogate, takenOf, valueLoss } from './losses.ts';

/** What Adam needs of a network. */
export interface TfjsNetwork extends Network {
  readonly engine: TfjsEngine;
  parameters(): Tensor1D;
  gradient(): Tensor1D;
  /** Takes the tensor over and lets go of the one before. */
  replace(parameters: Tensor1D): void;
}

/** Throws RangeError when `initial` does not fit the shape. */
export function makeTfjsNetwork(engine: TfjsEngine, shape: NetworkShape, initial: Float32Array): TfjsNetwork {
  const { tf } = engine;
  const count = parameterCount(shape);
  const layers = layersOf(shape);
  let parameters: Tensor1D | null = null;
  let parts: readonly Tensor[] = [];
  let gradient: Tensor1D | null = null;
  let last: { readonly inputs: Float32Array; readonly rows: number } = { inputs: new Float32Array(0), rows: 0 };

  const replace = (next: Tensor1D): void => {
    tf.dispose([...(parameters === null ? [] : [parameters]), ...parts]);
    parameters = next;
    parts = tf.tidy(() => partsOf(tf, next, layers));
  };
  const write = (values: Float32Array): void => {
    if (values.length !== count) throw new RangeError(`${values.length} parameters given, the network has ${count}`);
    use(engine);
    // A copy: TensorFlow.js may keep the array that it is given.
    replace(tf.tensor1d(values.slice()));
  };
  const setGradient = (grads: readonly Tensor[]): void => {
    gradient?.dispose();
    gradient = tf.tidy(() => tf.concat1d(grads.map((grad) => tf.reshape(grad, [-1]) as Tensor1D)));
    tf.dispose([...grads]);
  };
  /** The gradient of a loss of the outputs, by all parts; `loss` may keep other tensors that it works out. */
  const differentiate = (inputs: Float32Array, rows: number, loss: (outputs: Tensor2D) => Scalar): void => {
    const x = tensorOf(tf, inputs, rows, shape.inputs);
    const { value, grads } = tf.valueAndGrads((...weights: Tensor[]) => loss(runLayers(engine, x, weights)))([...parts]);
    setGradient(grads);
    tf.dispose([value, x]);
  };
  write(initial);

  return {
    shape,
    parameterCount: count,
    engine,
    parameters: () => parameters!,
    gradient() {
      if (gradient === null) throw new Error('an optimizer step before any backward');
      return gradient;
    },
    replace,
    async forward(inputs, rows) {
      use(engine);
      const outputs = tf.tidy(() => runLayers(engine, tensorOf(tf, inputs, rows, shape.inputs), parts));
      last = { inputs, rows };
      return take(outputs);
    },
    backward(outputGradient, rows) {
      if (rows !== last.rows) throw new RangeError(`backward of ${rows} rows after a forward of ${last.rows}`);
      use(engine);
      const slope = tensorOf(tf, outputGradient, rows, shape.outputs);
      // The forward pass runs once more, on the tape this time.
      differentiate(last.inputs, rows, (outputs) => tf.sum(tf.mul(outputs, slope)));
      slope.dispose();
    },
    async trainPolicy(inputs, { rows, actions, oldLogProbabilities, advantages, clip, entropyScale }: PolicyBatch) {
      use(engine);
      let figures: Tensor | null = null;
      const given = tf.tidy(() => ({
        taken: takenOf(tf, actions, rows, shape.outputs),
        oldLogProbabilities: columnOf(tf, oldLogProbabilities, rows),
        advantages: columnOf(tf, advantages, rows),
      }));
      differentiate(inputs, rows, (logits) => {
        const logProbabilities = tf.logSoftmax(logits);
        const { loss, approximateKl, clipFraction } = surrogate(tf, { logProbabilities, ...given, clip });
        const entropy = meanEntropy(tf, logProbabilities);
        figures = tf.keep(tf.stack([loss, approximateKl, clipFraction, entropy]));
        return tf.sub(loss, tf.mul(entropy, entropyScale));
      });
      tf.dispose(Object.values(given));
      const [loss = NaN, approximateKl = NaN, clipFraction = NaN, entropy = NaN] = await take(figures!);
      return { loss, approximateKl, clipFraction, entropy };
    },
    async trainValue(inputs, rows, targets, scale) {
      if (shape.outputs !== 1) throw new RangeError(`a value network has one output, this one has ${shape.outputs}`);
      use(engine);
      let mean: Tensor | null = null;
      const wanted = columnOf(tf, targets, rows);
      differentiate(inputs, rows, (outputs) => {
        const loss = valueLoss(tf, tf.reshape(outputs, [rows]) as Tensor1D, wanted, Infinity);
        mean = tf.keep(loss.clone());
        return tf.mul(loss, scale);
      });
      wanted.dispose();
      return (await take(mean!))[0]!;
    },
    read: () => parameters!.data<'float32'>().then((values) => values.slice()),
    write,
  };
}

/** The numbers of a tensor, which is let go. */
export async function take(tensor: Tensor): Promise<Float32Array> {
  const values = await tensor.data<'float32'>();
  tensor.dispose();
  return values;
}

/** rows x width. Throws RangeError. */
function tensorOf(tf: Tf, values: Float32Array, rows: number, width: number): Tensor2D {
  return tf.tensor2d(firstOf(values, rows * width), [rows, width]);
}

function columnOf(tf: Tf, values: Float32Array, rows: number): Tensor1D {
  return tf.tensor1d(firstOf(values, rows));
}

/** A copy, which TensorFlow.js may keep. Too few would not fail there: it stretches one number over all rows. */
function firstOf(values: Float32Array, count: number): Float32Array {
  if (values.length < count) throw new RangeError(`${values.length} numbers given where ${count} are needed`);
  return values.slice(0, count);
}

/** Weights [out, in] and biases [out] of each layer, in turn. */
function partsOf(tf: Tf, parameters: Tensor1D, layers: readonly Layer[]): Tensor[] {
  return layers.flatMap(({ inputs, outputs, weights, biases }) => [
    tf.reshape(tf.slice(parameters, weights, inputs * outputs), [outputs, inputs]),
    tf.slice(parameters, biases, outputs),
  ]);
}

function runLayers({ tf, product }: TfjsEngine, inputs: Tensor2D, parts: readonly Tensor[]): Tensor2D {
  let current = inputs;
  for (let i = 0; i < parts.length; i += 2) {
    const sums = tf.add(product(tf, current, parts[i] as Tensor2D), parts[i + 1]!) as Tensor2D;
    current = i + 2 < parts.length ? tf.tanh(sums) : sums;
  }
  return current;
}

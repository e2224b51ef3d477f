// The compute seam: what a backend offers and a learner uses. Imported by learners, backends and the harness.
// Every method may answer at once or by a promise: a learner awaits it, which costs nothing when there is no promise.

export type Maybe<T> = T | Promise<T>;

/** Widths of a multilayer perceptron: inputs, tanh layers, linear outputs. */
export interface NetworkShape {
  readonly inputs: number;
  readonly hidden: readonly number[];
  readonly outputs: number;
}

/** A minibatch for PPO's categorical policy loss; arrays hold at least `rows`. */
export interface PolicyBatch {
  readonly rows: number;
  readonly actions: Int32Array;
  /** Log-probability of each action when it was taken. */
  readonly oldLogProbabilities: Float32Array;
  readonly advantages: Float32Array;
  /** Ratios are limited to 1 - clip .. 1 + clip. */
  readonly clip: number;
  /** Weight of the entropy, which is subtracted from the loss. */
  readonly entropyScale: number;
}

/** Means over the rows, as losses/ppo-surrogate.ts and losses/entropy.ts define them. */
export interface PolicyFigures {
  readonly loss: number;
  readonly approximateKl: number;
  readonly clipFraction: number;
  /** Nats. */
  readonly entropy: number;
}

/**
 * A network's parameters live in one flat array: per layer the weights, row-major [out][in], then the biases [out].
 * A network serves one caller at a time: `forward` may reuse the array that it returned before.
 */
export interface Network {
  readonly shape: NetworkShape;
  readonly parameterCount: number;
  /** `inputs` is rows x shape.inputs; gives rows x shape.outputs (the array may be longer). */
  forward(inputs: Float32Array, rows: number): Maybe<Float32Array>;
  /** From the gradient of a loss by the outputs of the last `forward`; replaces the parameters' gradient. */
  backward(outputGradient: Float32Array, rows: number): Maybe<void>;
  /**
   * `forward`, PPO's policy loss by the logits, and `backward`, in one go, where the backend has them fused; a learner composes them
   * of the losses otherwise, with the same result to rounding. Replaces the parameters' gradient.
   */
  readonly trainPolicy?: (inputs: Float32Array, batch: PolicyBatch) => Maybe<PolicyFigures>;
  /** Likewise for `scale` times the mean squared error of one output per row; gives the unscaled mean. */
  readonly trainValue?: (inputs: Float32Array, rows: number, targets: Float32Array, scale: number) => Maybe<number>;
  /** A copy of the parameters. */
  read(): Maybe<Float32Array>;
  write(parameters: Float32Array): Maybe<void>;
}

export interface OptimizerStep {
  readonly learningRate: number;
  /** Limit on the norm of the gradient over all networks together; 0 for none. */
  readonly maxGradientNorm: number;
}

export interface OptimizerState {
  readonly steps: number;
  /** First and second moments, per network, in the layout of its parameters. */
  readonly first: readonly Float32Array[];
  readonly second: readonly Float32Array[];
}

export interface Optimizer {
  /** Applies the gradients of the last `backward` of every network; gives their norm before clipping. */
  step(options: OptimizerStep): Maybe<number>;
  read(): Maybe<OptimizerState>;
  write(state: OptimizerState): Maybe<void>;
}

export interface Backend {
  readonly name: string;
  /** Where it computes: `cpu`, or the kind of card, such as `cuda`. */
  readonly device: string;
  makeNetwork(shape: NetworkShape, parameters: Float32Array): Maybe<Network>;
  /** Adam with beta .9 and .999, epsilon 1e-8, bias-corrected (Kingma and Ba 2015; torch's defaults). */
  makeAdam(networks: readonly Network[]): Maybe<Optimizer>;
}

export function parameterCount(shape: NetworkShape): number {
  return layersOf(shape).reduce((sum, layer) => sum + layer.outputs * layer.inputs + layer.outputs, 0);
}

export interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  /** Offsets into the flat parameters. */
  readonly weights: number;
  readonly biases: number;
}

/** The layers of a shape with their places in the flat parameters. */
export function layersOf(shape: NetworkShape): readonly Layer[] {
  const widths = [shape.inputs, ...shape.hidden, shape.outputs];
  const layers: Layer[] = [];
  let offset = 0;
  for (let i = 0; i + 1 < widths.length; i++) {
    const inputs = widths[i]!;
    const outputs = widths[i + 1]!;
    layers.push({ inputs, outputs, weights: offset, biases: offset + inputs * outputs });
    offset += inputs * outputs + outputs;
  }
  return layers;
}

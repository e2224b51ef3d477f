// The MLP of the simd backends: the same layers as backend/plain/network.ts, every product by a kernel. Imported by backend/simd.ts.
import { layersOf, parameterCount, type Layer, type Network, type NetworkShape, type PolicyBatch, type PolicyFigures } from '../compute.ts';
import { Arena } from './arena.ts';
import { finish, instantiate, type Kernels, type KernelVariant } from './kernel-module.ts';

/** What Adam needs of a network: where its numbers lie. */
export interface SimdNetwork extends Network {
  readonly variant: KernelVariant;
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly parametersAt: number;
  readonly gradientAt: number;
  /** To be called by whoever changes the parameters in place. */
  changed(): void;
}

/** Byte offsets of what depends on the number of rows. */
interface Buffers {
  readonly rows: number;
  readonly inputs: number;
  /** Per layer: rows x outputs. */
  readonly outputs: readonly number[];
  readonly deltas: readonly number[];
  /** The widest layer input, packed over the rows. */
  readonly packedInputs: number;
  readonly actions: number;
  readonly oldLogProbabilities: number;
  readonly advantages: number;
}

interface Views {
  readonly inputs: Float32Array;
  readonly outputs: Float32Array;
  readonly delta: Float32Array;
  readonly actions: Int32Array;
  readonly oldLogProbabilities: Float32Array;
  /** Of a value network: the targets. */
  readonly advantages: Float32Array;
}

/** Throws RangeError when `initial` does not fit the shape, an Error when the kernels are missing. */
export function makeSimdNetwork(variant: KernelVariant, shape: NetworkShape, initial: Float32Array): SimdNetwork {
  const count = parameterCount(shape);
  const layers = layersOf(shape);
  const last = layers.length - 1;
  const arena = new Arena();
  const kernels = instantiate(variant, arena.memory);
  const parametersAt = arena.take(count);
  const gradientAt = arena.take(count);
  /** Weights as panels of the forward product, and of the product that goes back to the layer's inputs. */
  const forwardPanels = layers.map((layer) => arena.take(kernels.packedSize(layer.inputs, layer.outputs)));
  const backwardPanels = layers.map((layer) => arena.take(kernels.packedSize(layer.outputs, layer.inputs)));
  const scratchAt = arena.take(shape.outputs, 8);
  const figuresAt = arena.take(4, 8);
  let isForwardStale = true;
  let isBackwardStale = true;
  let lastRows = 0;
  let buffers: Buffers = takeBuffers(arena, kernels, layers, 0);
  let views: Views = viewsOf(arena, buffers, layers);

  const grow = (rows: number): void => {
    if (rows <= buffers.rows) return;
    buffers = takeBuffers(arena, kernels, layers, rows);
    views = viewsOf(arena, buffers, layers);
  };
  const weightsAt = (layer: Layer): number => parametersAt + 4 * layer.weights;
  const inputOf = (i: number): number => (i === 0 ? buffers.inputs : buffers.outputs[i - 1]!);

  /** From the inputs that are in place. */
  const runForward = (rows: number): void => {
    if (isForwardStale) layers.forEach((layer, i) => kernels.pack(weightsAt(layer), 1, layer.inputs, layer.inputs, layer.outputs, forwardPanels[i]!));
    isForwardStale = false;
    layers.forEach((layer, i) => {
      const how = i < last ? finish.biasTanh : finish.bias;
      kernels.multiply(inputOf(i), layer.inputs, 1, forwardPanels[i]!, buffers.outputs[i]!, layer.outputs, rows, layer.outputs, layer.inputs, how, parametersAt + 4 * layer.biases);
    });
    lastRows = rows;
  };
  /** From the gradient by the outputs that is in place. */
  const runBackward = (rows: number): void => {
    if (rows !== lastRows) throw new RangeError(`backward of ${rows} rows after a forward of ${lastRows}`);
    for (let i = last; i >= 0; i--) {
      const layer = layers[i]!;
      const delta = buffers.deltas[i]!;
      // Weight gradient [out][in] = delta^T * input.
      kernels.pack(inputOf(i), layer.inputs, 1, rows, layer.inputs, buffers.packedInputs);
      kernels.multiply(delta, 1, layer.outputs, buffers.packedInputs, gradientAt + 4 * layer.weights, layer.inputs, layer.outputs, layer.inputs, rows, finish.plain, 0);
      kernels.sumRows(delta, rows, layer.outputs, gradientAt + 4 * layer.biases);
      if (i === 0) break;
      if (isBackwardStale) kernels.pack(weightsAt(layer), layer.inputs, 1, layer.outputs, layer.inputs, backwardPanels[i]!);
      kernels.multiply(delta, layer.outputs, 1, backwardPanels[i]!, buffers.deltas[i - 1]!, layer.inputs, rows, layer.inputs, layer.outputs, finish.throughTanh, inputOf(i));
    }
    isBackwardStale = false;
  };
  const changed = (): void => {
    isForwardStale = true;
    isBackwardStale = true;
  };
  const put = (inputs: Float32Array, rows: number): void => {
    grow(rows);
    copy(inputs, rows * shape.inputs, views.inputs);
  };
  const write = (values: Float32Array): void => {
    if (values.length !== count) throw new RangeError(`${values.length} parameters given, the network has ${count}`);
    arena.floats(parametersAt, count).set(values);
    changed();
  };
  write(initial);

  return {
    shape,
    parameterCount: count,
    variant,
    arena,
    kernels,
    parametersAt,
    gradientAt,
    changed,
    forward(inputs, rows) {
      put(inputs, rows);
      runForward(rows);
      return views.outputs;
    },
    backward(outputGradient, rows) {
      if (rows !== lastRows) throw new RangeError(`backward of ${rows} rows after a forward of ${lastRows}`);
      copy(outputGradient, rows * shape.outputs, views.delta);
      runBackward(rows);
    },
    trainPolicy(inputs, batch: PolicyBatch): PolicyFigures {
      const { rows } = batch;
      put(inputs, rows);
      copy(batch.actions, rows, views.actions);
      copy(batch.oldLogProbabilities, rows, views.oldLogProbabilities);
      copy(batch.advantages, rows, views.advantages);
      runForward(rows);
      kernels.categoricalHead(buffers.outputs[last]!, rows, shape.outputs, buffers.actions, buffers.oldLogProbabilities, buffers.advantages, batch.clip, batch.entropyScale, buffers.deltas[last]!, scratchAt, figuresAt);
      runBackward(rows);
      const [loss = NaN, kl = NaN, clipped = NaN, entropy = NaN] = arena.doubles(figuresAt, 4);
      return { loss: loss / rows, approximateKl: kl / rows, clipFraction: clipped / rows, entropy: entropy / rows };
    },
    trainValue(inputs, rows, targets, scale) {
      if (shape.outputs !== 1) throw new RangeError(`a value network has one output, this one has ${shape.outputs}`);
      put(inputs, rows);
      copy(targets, rows, views.advantages);
      runForward(rows);
      const squares = kernels.valueHead(buffers.outputs[last]!, buffers.advantages, rows, scale, buffers.deltas[last]!);
      runBackward(rows);
      return squares / rows;
    },
    read: () => arena.floats(parametersAt, count).slice(),
    write,
  };
}

function takeBuffers(arena: Arena, kernels: Kernels, layers: readonly Layer[], rows: number): Buffers {
  const [first] = layers;
  const widest = Math.max(...layers.map((layer) => layer.inputs));
  return {
    rows,
    inputs: arena.take(rows * first!.inputs),
    outputs: layers.map((layer) => arena.take(rows * layer.outputs)),
    deltas: layers.map((layer) => arena.take(rows * layer.outputs)),
    packedInputs: arena.take(kernels.packedSize(rows, widest)),
    actions: arena.take(rows),
    oldLogProbabilities: arena.take(rows),
    advantages: arena.take(rows),
  };
}

function viewsOf(arena: Arena, buffers: Buffers, layers: readonly Layer[]): Views {
  const { rows } = buffers;
  const outputs = layers.at(-1)!.outputs;
  return {
    inputs: arena.floats(buffers.inputs, rows * layers[0]!.inputs),
    outputs: arena.floats(buffers.outputs.at(-1)!, rows * outputs),
    delta: arena.floats(buffers.deltas.at(-1)!, rows * outputs),
    actions: arena.integers(buffers.actions, rows),
    oldLogProbabilities: arena.floats(buffers.oldLogProbabilities, rows),
    advantages: arena.floats(buffers.advantages, rows),
  };
}

/** The first `count` numbers; fewer are a RangeError, for what lay there before would be trained on. */
function copy(from: Float32Array | Int32Array, count: number, into: Float32Array | Int32Array): void {
  if (from.length < count) throw new RangeError(`${from.length} numbers given where ${count} are needed`);
  into.set(from.length === count ? from : from.subarray(0, count));
}

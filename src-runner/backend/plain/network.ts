// The plain backend's MLP: forward with bias and tanh fused after each product, backward in closed form.
// Imported by backend/plain.ts.
import { layersOf, parameterCount, type Layer, type Network, type NetworkShape } from '../compute.ts';
import { multiply, type Matrix } from './gemm.ts';
import { tanhInPlace } from './tanh.ts';

export interface PlainNetwork extends Network {
  readonly parameters: Float32Array;
  readonly gradient: Float32Array;
}

/** Throws RangeError when `initial` does not fit the shape. */
export function makePlainNetwork(shape: NetworkShape, initial: Float32Array): PlainNetwork {
  const count = parameterCount(shape);
  const layers = layersOf(shape);
  const parameters = new Float32Array(count);
  const gradient = new Float32Array(count);
  let outputs: Float32Array[] = [];
  let deltas: Float32Array[] = [];
  let capacity = 0;
  let lastInputs = new Float32Array(0);
  let lastRows = 0;

  const grow = (rows: number): void => {
    if (rows <= capacity) return;
    capacity = rows;
    outputs = layers.map((layer) => new Float32Array(rows * layer.outputs));
    deltas = layers.map((layer) => new Float32Array(rows * layer.outputs));
  };
  const write = (values: Float32Array): void => {
    if (values.length !== count) throw new RangeError(`${values.length} parameters given, the network has ${count}`);
    parameters.set(values);
  };
  write(initial);

  return {
    shape,
    parameterCount: count,
    parameters,
    gradient,
    forward(inputs, rows) {
      grow(rows);
      let current = inputs;
      layers.forEach((layer, i) => {
        const out = outputs[i]!;
        multiply(rowMajor(current, layer.inputs), transposed(parameters, layer), rowMajor(out, layer.outputs), rows, layer.outputs, layer.inputs);
        addBias(out, parameters, layer, rows);
        if (i < layers.length - 1) tanhInPlace(out, rows * layer.outputs);
        current = out;
      });
      lastInputs = inputs as Float32Array<ArrayBuffer>;
      lastRows = rows;
      return current;
    },
    backward(outputGradient, rows) {
      if (rows !== lastRows) throw new RangeError(`backward of ${rows} rows after a forward of ${lastRows}`);
      let delta = outputGradient;
      for (let i = layers.length - 1; i >= 0; i--) {
        const layer = layers[i]!;
        const input = i === 0 ? lastInputs : outputs[i - 1]!;
        // Weight gradient [out][in] = delta^T * input.
        multiply(columnMajor(delta, layer.outputs), rowMajor(input, layer.inputs), { data: gradient, at: layer.weights, row: layer.inputs, column: 1 }, layer.outputs, layer.inputs, rows);
        sumRows(delta, gradient, layer, rows);
        if (i === 0) break;
        const next = deltas[i - 1]!;
        multiply(rowMajor(delta, layer.outputs), { data: parameters, at: layer.weights, row: layer.inputs, column: 1 }, rowMajor(next, layer.inputs), rows, layer.inputs, layer.outputs);
        throughTanh(next, input, rows * layer.inputs);
        delta = next;
      }
    },
    read: () => parameters.slice(),
    write,
  };
}

function rowMajor(data: Float32Array, width: number): Matrix {
  return { data, at: 0, row: width, column: 1 };
}

/** The transpose of a row-major matrix of `width` columns. */
function columnMajor(data: Float32Array, width: number): Matrix {
  return { data, at: 0, row: 1, column: width };
}

/** The layer's weights [out][in] read as [in][out]. */
function transposed(parameters: Float32Array, layer: Layer): Matrix {
  return { data: parameters, at: layer.weights, row: 1, column: layer.inputs };
}

function addBias(out: Float32Array, parameters: Float32Array, layer: Layer, rows: number): void {
  const { outputs, biases } = layer;
  for (let r = 0, o = 0; r < rows; r++) {
    for (let j = 0; j < outputs; j++, o++) out[o] = out[o]! + parameters[biases + j]!;
  }
}

function sumRows(delta: Float32Array, gradient: Float32Array, layer: Layer, rows: number): void {
  const { outputs, biases } = layer;
  for (let j = 0; j < outputs; j++) {
    let sum = 0;
    for (let r = 0, o = j; r < rows; r++, o += outputs) sum += delta[o]!;
    gradient[biases + j] = sum;
  }
}

/** delta *= 1 - tanh^2, from the layer's stored outputs. */
function throughTanh(delta: Float32Array, outputs: Float32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const y = outputs[i]!;
    delta[i] = delta[i]! * (1 - y * y);
  }
}

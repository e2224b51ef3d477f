// Orthogonal initialisation of a multilayer perceptron. Imported by learners.
// Source: Saxe et al. 2014; gains as in Stable-Baselines3 (sqrt 2 for tanh layers, the head's own gain for the last).
import { layersOf, parameterCount, type NetworkShape } from '../backend/compute.ts';
import type { Generator } from '../seeding/generator.ts';

/** Flat parameters in the layout of `Network`: orthogonal weights, zero biases. */
export function orthogonalParameters(shape: NetworkShape, headGain: number, generator: Generator): Float32Array {
  const parameters = new Float32Array(parameterCount(shape));
  const layers = layersOf(shape);
  layers.forEach((layer, i) => {
    const gain = i === layers.length - 1 ? headGain : Math.SQRT2;
    parameters.set(orthogonal(layer.outputs, layer.inputs, gain, generator), layer.weights);
  });
  return parameters;
}

/** rows x columns, row-major, whose shorter side is orthonormal, times `gain`: Gram-Schmidt on normal draws. */
export function orthogonal(rows: number, columns: number, gain: number, generator: Generator): Float32Array {
  const isWide = columns >= rows;
  const count = isWide ? rows : columns;
  const length = isWide ? columns : rows;
  const vectors: Float64Array[] = [];
  while (vectors.length < count) {
    const vector = Float64Array.from({ length }, () => generator.normal());
    // Twice: one pass leaves rounding errors that a second removes.
    for (let pass = 0; pass < 2; pass++) for (const other of vectors) subtractProjection(vector, other);
    const norm = Math.sqrt(dot(vector, vector));
    if (norm > 1e-6) vectors.push(vector.map((x) => x / norm));
  }
  const matrix = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) matrix[r * columns + c] = gain * (isWide ? vectors[r]![c]! : vectors[c]![r]!);
  }
  return matrix;
}

function subtractProjection(vector: Float64Array, unit: Float64Array): void {
  const share = dot(vector, unit);
  for (let i = 0; i < vector.length; i++) vector[i]! -= share * unit[i]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

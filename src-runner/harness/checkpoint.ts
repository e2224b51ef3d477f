// A checkpoint's content in safetensors: networks, optimizer moments, observation statistics, step. Imported by the harness.
import { layersOf, type NetworkShape, type OptimizerState } from '../backend/compute.ts';
import type { ActorCriticShape } from '../models/actor-critic.ts';
import type { NormalizerState } from '../models/observation-normalizer.ts';
import { readSafetensors, writeSafetensors, type Tensor } from './safetensors.ts';

const FORMAT = 'rlxp-checkpoint-1';

export interface Checkpoint {
  /** Environment steps summed over environments. */
  readonly step: number;
  readonly policy: Float32Array;
  readonly value: Float32Array;
  /** Moments of policy and value, in this order. */
  readonly optimizer: OptimizerState;
  /** Null when the agent sees raw observations. */
  readonly normalizer: NormalizerState | null;
}

/** Tensors: `policy.<layer>.weight` [out, in] and `.bias` [out], `value.*`, `adam.{first,second}.{policy,value}`, `observation_normalizer.*`. */
export function encodeCheckpoint(checkpoint: Checkpoint, shape: ActorCriticShape): Uint8Array {
  const tensors = new Map<string, Tensor>();
  putNetwork(tensors, 'policy', shape.policy, checkpoint.policy);
  putNetwork(tensors, 'value', shape.value, checkpoint.value);
  const { first, second, steps } = checkpoint.optimizer;
  for (const [index, network] of (['policy', 'value'] as const).entries()) {
    putFlat(tensors, `adam.first.${network}`, first[index]!);
    putFlat(tensors, `adam.second.${network}`, second[index]!);
  }
  putFlat(tensors, 'adam.steps', BigInt64Array.of(BigInt(steps)));
  const { normalizer } = checkpoint;
  if (normalizer !== null) {
    putFlat(tensors, 'observation_normalizer.mean', normalizer.mean);
    putFlat(tensors, 'observation_normalizer.variance', normalizer.variance);
    putFlat(tensors, 'observation_normalizer.count', Float64Array.of(normalizer.count));
  }
  const metadata = new Map([
    ['format', FORMAT],
    ['step', String(checkpoint.step)],
    ['normalize_observations', String(normalizer !== null)],
  ]);
  return writeSafetensors({ tensors, metadata });
}

/** What an evaluation needs. */
export interface LoadedPolicy {
  readonly step: number;
  readonly policy: Float32Array;
  readonly normalizer: NormalizerState | null;
}

export interface PolicyExpectation {
  readonly shape: NetworkShape;
  readonly normalizes: boolean;
}

/** Throws SafetensorsError on malformed bytes and Error on a checkpoint that does not fit the agent's configuration. */
export function decodePolicy(bytes: Uint8Array, { shape, normalizes }: PolicyExpectation): LoadedPolicy {
  const { tensors, metadata } = readSafetensors(bytes);
  if (metadata.get('format') !== FORMAT) throw new Error(`format is ${JSON.stringify(metadata.get('format') ?? null)}, not "${FORMAT}"`);
  const step = Number(metadata.get('step'));
  if (!Number.isSafeInteger(step) || step < 0) throw new Error(`step ${JSON.stringify(metadata.get('step') ?? null)} is not a count`);
  const wasNormalized = metadata.get('normalize_observations') === 'true';
  if (wasNormalized && !normalizes) throw new Error('it was trained on normalised observations, but the agent does not normalise them');
  return {
    step,
    policy: takeNetwork(tensors, 'policy', shape),
    normalizer: normalizes ? takeNormalizer(tensors, shape.inputs) : null,
  };
}

function putNetwork(tensors: Map<string, Tensor>, name: string, shape: NetworkShape, parameters: Float32Array): void {
  layersOf(shape).forEach(({ inputs, outputs, weights, biases }, i) => {
    tensors.set(`${name}.${i}.weight`, { shape: [outputs, inputs], data: parameters.slice(weights, biases) });
    tensors.set(`${name}.${i}.bias`, { shape: [outputs], data: parameters.slice(biases, biases + outputs) });
  });
}

function putFlat(tensors: Map<string, Tensor>, name: string, data: Tensor['data']): void {
  tensors.set(name, { shape: [data.length], data });
}

function takeNetwork(tensors: ReadonlyMap<string, Tensor>, name: string, shape: NetworkShape): Float32Array {
  const layers = layersOf(shape);
  const last = layers.at(-1)!;
  const parameters = new Float32Array(last.biases + last.outputs);
  layers.forEach(({ inputs, outputs, weights, biases }, i) => {
    parameters.set(takeFloats(tensors, `${name}.${i}.weight`, [outputs, inputs]), weights);
    parameters.set(takeFloats(tensors, `${name}.${i}.bias`, [outputs]), biases);
  });
  if (tensors.has(`${name}.${layers.length}.weight`)) throw new Error(`${name} has more layers than the agent's ${layers.length}`);
  return parameters;
}

function takeFloats(tensors: ReadonlyMap<string, Tensor>, name: string, shape: readonly number[]): Float32Array {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new Error(`tensor "${name}" is missing`);
  if (!(tensor.data instanceof Float32Array)) throw new Error(`tensor "${name}" is not F32`);
  if (tensor.shape.join() !== shape.join()) throw new Error(`tensor "${name}" has shape [${tensor.shape.join()}], the agent's has [${shape.join()}]`);
  return tensor.data;
}

function takeNormalizer(tensors: ReadonlyMap<string, Tensor>, size: number): NormalizerState {
  const take = (part: string, length: number): Float64Array => {
    const name = `observation_normalizer.${part}`;
    const data = tensors.get(name)?.data;
    if (data === undefined) throw new Error(`its observation statistics ("${name}") are missing, but the agent normalises observations`);
    if (!(data instanceof Float64Array) || data.length !== length) throw new Error(`"${name}" is not F64 of length ${length}`);
    return data;
  };
  return { mean: take('mean', size), variance: take('variance', size), count: take('count', 1)[0]! };
}

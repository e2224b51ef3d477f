// Every loss by three witnesses: its closed form, finite differences, and TensorFlow.js's own differentiation on two of its backends.
import type { Scalar, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { layersOf, parameterCount, type Backend, type NetworkShape } from '../../src-runner/backend/compute.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { simdBackend } from '../../src-runner/backend/simd.ts';
import type { TfjsEngine, Tf } from '../../src-runner/backend/tfjs/engine.ts';
import { openShipped } from '../../src-runner/backend/tfjs/library.ts';
import * as theirs from '../../src-runner/backend/tfjs/losses.ts';
import { policyTraining, valueTraining } from '../../src-runner/learners/ppo-losses.ts';
import { logSoftmax } from '../../src-runner/losses/categorical.ts';
import { meanEntropy } from '../../src-runner/losses/entropy.ts';
import { meanKl } from '../../src-runner/losses/kl.ts';
import { ppoSurrogate } from '../../src-runner/losses/ppo-surrogate.ts';
import { valueLoss } from '../../src-runner/losses/value.ts';
import { makeGenerator, type Generator } from '../../src-runner/seeding/generator.ts';
import { expectEqual, floats, policyBatch } from './random-batches.ts';

/** One loss on one set of data, as a function of `at` (logits or values). */
interface Subject {
  readonly at: Float32Array;
  /** Value; the gradient by `at` goes into `gradient`. */
  closed(at: Float32Array, gradient: Float32Array): number;
  tfjs(tf: Tf, at: Tensor2D): Scalar;
}

type MakeSubject = (rows: number, count: number, generator: Generator) => Subject;

const losses: Readonly<Record<string, MakeSubject>> = {
  'the clipped surrogate': surrogateSubject,
  entropy(rows, count, generator) {
    return {
      at: floats(rows * count, generator),
      closed: (at, gradient) => meanEntropy(logProbabilitiesOf(at, count), rows, count, 1, gradient),
      tfjs: (tf, at) => theirs.meanEntropy(tf, tf.logSoftmax(at)),
    };
  },
  'the divergence'(rows, count, generator) {
    const old = logProbabilitiesOf(floats(rows * count, generator), count);
    return {
      at: floats(rows * count, generator),
      closed: (at, gradient) => meanKl(old, logProbabilitiesOf(at, count), rows, count, 1, gradient),
      tfjs: (tf, at) => theirs.meanKl(tf, tf.tensor2d(old, [rows, count]), tf.logSoftmax(at)),
    };
  },
  'log-probabilities'(rows, count, generator) {
    // Any weighted sum of them: its gradient is w - sum(w) p, which the policy losses build on.
    const weights = floats(rows * count, generator, 1 / rows);
    return {
      at: floats(rows * count, generator),
      closed(at, gradient) {
        const log = logProbabilitiesOf(at, count);
        for (let i = 0; i < log.length; i++) {
          const row = weights.subarray(i - (i % count), i - (i % count) + count);
          gradient[i] = weights[i]! - row.reduce((sum, w) => sum + w, 0) * Math.exp(log[i]!);
        }
        return log.reduce((sum, l, i) => sum + l * weights[i]!, 0);
      },
      tfjs: (tf, at) => tf.sum(tf.mul(tf.logSoftmax(at), tf.tensor2d(weights, [rows, count]))),
    };
  },
  'the value loss': (rows, _count, generator) => valueSubject(rows, generator, Infinity),
  'the capped value loss': (rows, _count, generator) => valueSubject(rows, generator, 2),
};

const sizes = [fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 7 }), fc.integer({ min: 1, max: 1e6 })] as const;

describe.each(['cpu', 'wasm'] as const)('TensorFlow.js on %s', (name) => {
  let engine: TfjsEngine;
  beforeAll(async () => {
    engine = await openShipped(name);
  }, 60_000);

  it.each(Object.keys(losses))('BK1: value and gradient of %s are those of its differentiation, and of finite differences', (loss) => {
    fc.assert(
      fc.property(...sizes, (rows, count, seed) => {
        const subject = losses[loss]!(rows, count, makeGenerator(seed));
        const { tf } = engine;
        const gradient = new Float32Array(subject.at.length);
        const value = subject.closed(subject.at, gradient);
        const [theirValue, theirGradient] = tf.tidy(() => {
          const { value: v, grad } = tf.valueAndGrad((at) => subject.tfjs(tf, at as Tensor2D))(tf.tensor2d(subject.at, [rows, subject.at.length / rows]));
          return [v.dataSync()[0]!, grad.dataSync() as Float32Array];
        });
        expectEqual([value], [theirValue]);
        expectEqual(gradient, theirGradient);
        const i = seed % subject.at.length;
        expect(Math.abs(slopeOf(subject, i) - gradient[i]!), `finite difference at ${i}`).toBeLessThan(2e-3);
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it.each([plainBackend, simdBackend])('BK2: thirty updates of $name by closed forms end where TensorFlow.js ends by itself, its own Adam included', async (backend) => {
    const generator = makeGenerator(77);
    const shape: NetworkShape = { inputs: 4, hidden: [16, 16], outputs: 2 };
    const valueShape = { ...shape, outputs: 1 };
    const initial = [floats(parameterCount(shape), generator, 0.3), floats(parameterCount(valueShape), generator, 0.3)] as const;
    const ours = await updateOurs(backend, [shape, valueShape], initial);
    const own = updateTheirs(engine.tf, [shape, valueShape], initial);
    const probe = floats(20 * 4, makeGenerator(5));
    const { tf } = engine;
    for (const [i, form] of [shape, valueShape].entries()) {
      const outputs = (at: Float32Array) => tf.tidy(() => layered(tf, form, tf.tensor1d(at), tf.tensor2d(probe, [20, 4])).dataSync());
      expectEqual(outputs(ours[i]!), outputs(own[i]!));
    }
  });
});

function surrogateSubject(rows: number, count: number, generator: Generator): Subject {
  const batch = policyBatch(rows, count, generator);
  const at = floats(rows * count, generator);
  // At the edge of the clip range the gradient jumps, and rounding decides on which side a row lies.
  const now = logProbabilitiesOf(at, count);
  const oldLogProbabilities = batch.oldLogProbabilities.map((old, row) => {
    const distance = Math.abs(Math.abs(Math.exp(now[row * count + batch.actions[row]!]! - old) - 1) - batch.clip);
    return distance < 0.02 ? old + 0.1 : old;
  });
  return {
    at,
    closed: (logits, gradient) => ppoSurrogate({ ...batch, oldLogProbabilities, count, logProbabilities: logProbabilitiesOf(logits, count) }, gradient).loss,
    tfjs: (tf, logits) =>
      theirs.surrogate(tf, {
        logProbabilities: tf.logSoftmax(logits),
        taken: theirs.takenOf(tf, batch.actions, rows, count),
        oldLogProbabilities: tf.tensor1d(oldLogProbabilities),
        advantages: tf.tensor1d(batch.advantages),
        clip: batch.clip,
      }).loss,
  };
}

function valueSubject(rows: number, generator: Generator, cap: number): Subject {
  const targets = floats(rows, generator);
  // Away from the edge of the cap, where the gradient jumps.
  const at = targets.map((target, row) => (row % 3 === 0 ? target + 1.6 : row % 3 === 1 ? target - 0.9 : target + 0.4 * generator.normal()));
  return {
    at,
    closed: (values, gradient) => valueLoss({ rows, values, targets, scale: 1, cap }, gradient),
    tfjs: (tf, values) => theirs.valueLoss(tf, tf.reshape(values, [rows]) as Tensor1D, tf.tensor1d(targets), cap),
  };
}

/** The slope along number `i`, by a symmetric difference. */
function slopeOf({ at, closed }: Subject, i: number): number {
  const h = 2 ** -7;
  const value = (step: number): number => closed(at.map((x, j) => (j === i ? x + step : x)), new Float32Array(at.length));
  return (value(h) - value(-h)) / (2 * h);
}

function logProbabilitiesOf(logits: Float32Array, count: number): Float32Array {
  const out = new Float32Array(logits.length);
  logSoftmax(logits, logits.length / count, count, out);
  return out;
}

const rows = 32;
const rate = 3e-4;

/** The same data for everybody. */
function updates() {
  const data = makeGenerator(123);
  return Array.from({ length: 30 }, () => ({ inputs: floats(rows * 4, data), batch: policyBatch(rows, 2, data), targets: floats(rows, data) }));
}

type Pair<T> = readonly [T, T];

async function updateOurs(backend: Backend, shapes: Pair<NetworkShape>, initial: Pair<Float32Array>): Promise<readonly Float32Array[]> {
  const [policy, value] = [await backend.makeNetwork(shapes[0], initial[0]), await backend.makeNetwork(shapes[1], initial[1])];
  const adam = await backend.makeAdam([policy, value]);
  const [trainPolicy, trainValue] = [policyTraining(policy, rows), valueTraining(value, rows)];
  for (const { inputs, batch, targets } of updates()) {
    await trainPolicy(inputs, batch);
    await trainValue(inputs, rows, targets, 0.5);
    await adam.step({ learningRate: rate, maxGradientNorm: 0 });
  }
  return [await policy.read(), await value.read()];
}

/** Nothing of ours but the formulas of the losses: its layers, its differentiation, its optimizer. */
function updateTheirs(tf: Tf, shapes: Pair<NetworkShape>, initial: Pair<Float32Array>): readonly Float32Array[] {
  const [policy, value] = [tf.variable(tf.tensor1d(initial[0].slice())), tf.variable(tf.tensor1d(initial[1].slice()))];
  const adam = tf.train.adam(rate, 0.9, 0.999, 1e-8);
  for (const { inputs, batch, targets } of updates()) {
    tf.tidy(() => {
      const x = tf.tensor2d(inputs, [rows, 4]);
      adam.minimize(() => {
        const logProbabilities = tf.logSoftmax(layered(tf, shapes[0], policy, x));
        const taken = theirs.takenOf(tf, batch.actions, rows, 2);
        const { loss } = theirs.surrogate(tf, { logProbabilities, taken, oldLogProbabilities: tf.tensor1d(batch.oldLogProbabilities), advantages: tf.tensor1d(batch.advantages), clip: batch.clip });
        const policyLoss = tf.sub(loss, tf.mul(batch.entropyScale, theirs.meanEntropy(tf, logProbabilities)));
        const values = tf.reshape(layered(tf, shapes[1], value, x), [rows]) as Tensor1D;
        return tf.add(policyLoss, tf.mul(0.5, theirs.valueLoss(tf, values, tf.tensor1d(targets), Infinity))) as Scalar;
      });
    });
  }
  const end = [policy, value].map((one) => one.dataSync<'float32'>().slice());
  tf.dispose([policy, value]);
  return end;
}

function layered(tf: Tf, shape: NetworkShape, parameters: Tensor1D, inputs: Tensor2D): Tensor2D {
  const layers = layersOf(shape);
  return layers.reduce((x, layer, i) => {
    const weights = tf.reshape(tf.slice(parameters, [layer.weights], [layer.inputs * layer.outputs]), [layer.outputs, layer.inputs]) as Tensor2D;
    const sums = tf.add(tf.matMul(x, weights, false, true), tf.slice(parameters, [layer.biases], [layer.outputs])) as Tensor2D;
    return i < layers.length - 1 ? tf.tanh(sums) : sums;
  }, inputs);
}

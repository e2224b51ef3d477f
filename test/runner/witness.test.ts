// Every loss and the network's gradient against TensorFlow.js's own differentiation, on its cpu and its wasm backend.
import { beforeAll, describe, expect, it } from 'vitest';
import { parameterCount, type Backend, type NetworkShape, type PolicyBatch } from '../../src-runner/backend/compute.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { simdBackend } from '../../src-runner/backend/simd.ts';
import { policyTraining, valueTraining } from '../../src-runner/learners/ppo-losses.ts';
import { logSoftmax } from '../../src-runner/losses/categorical.ts';
import { meanEntropy } from '../../src-runner/losses/entropy.ts';
import { meanKl } from '../../src-runner/losses/kl.ts';
import { ppoSurrogate } from '../../src-runner/losses/ppo-surrogate.ts';
import { valueLoss } from '../../src-runner/losses/value.ts';
import { makeGenerator, type Generator } from '../../src-runner/seeding/generator.ts';
import { differentiate, divergence, entropy, forward, squaredError, surrogate, tf, use, witnesses } from './witness/tfjs.ts';

const floats = (count: number, generator: Generator, scale = 1): Float32Array => Float32Array.from({ length: count }, () => scale * generator.normal());
const expectEqual = (a: ArrayLike<number>, b: ArrayLike<number>): void => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < b.length; i++) expect(Math.abs(a[i]! - b[i]!), `at ${i}: ${a[i]} and ${b[i]}`).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(b[i]!)));
};
/** Rows, actions, seed. */
const cases = [[1, 2, 1], [7, 2, 2], [33, 5, 3], [64, 3, 4]] as const;

function batchOf(rows: number, count: number, generator: Generator): PolicyBatch {
  return {
    rows,
    actions: Int32Array.from({ length: rows }, () => generator.integerBelow(count)),
    oldLogProbabilities: Float32Array.from({ length: rows }, () => -Math.log(count) + 0.4 * generator.normal()),
    advantages: floats(rows, generator),
    clip: 0.2,
    entropyScale: 0.01,
  };
}

describe.each(witnesses)('TensorFlow.js on %s', (witness) => {
  beforeAll(() => use(witness));

  it.each(cases)('RU57: the clipped surrogate of %i rows and %i actions', (rows, count, seed) => {
    const generator = makeGenerator(seed);
    const [logits, batch] = [floats(rows * count, generator), batchOf(rows, count, generator)];
    const logProbabilities = new Float32Array(rows * count);
    logSoftmax(logits, rows, count, logProbabilities);
    const gradient = new Float32Array(rows * count);
    const { loss } = ppoSurrogate({ ...batch, count, logProbabilities }, gradient);
    const theirs = differentiate((x) => surrogate(x, batch, count), logits, [rows, count]);
    expectEqual([loss], [theirs.value]);
    expectEqual(gradient, theirs.gradient);
  });

  it.each(cases)('RU57: entropy and KL of %i rows and %i actions', (rows, count, seed) => {
    const generator = makeGenerator(seed + 10);
    const logits = floats(rows * count, generator);
    const [logProbabilities, old] = [new Float32Array(rows * count), new Float32Array(rows * count)];
    logSoftmax(logits, rows, count, logProbabilities);
    logSoftmax(floats(rows * count, generator), rows, count, old);
    const [entropyGradient, klGradient] = [new Float32Array(rows * count), new Float32Array(rows * count)];
    const ours = [meanEntropy(logProbabilities, rows, count, 1, entropyGradient), meanKl(old, logProbabilities, rows, count, 1, klGradient)];
    const theirs = [differentiate(entropy, logits, [rows, count]), differentiate((x) => divergence(old, x), logits, [rows, count])] as const;
    expectEqual(ours, [theirs[0].value, theirs[1].value]);
    expectEqual(entropyGradient, theirs[0].gradient);
    expectEqual(klGradient, theirs[1].gradient);
  });

  it.each(cases)('RU57: the value loss of %i rows (%i, seed %i)', (rows, _count, seed) => {
    const generator = makeGenerator(seed + 20);
    const [values, targets, gradient] = [floats(rows, generator), floats(rows, generator), new Float32Array(rows)];
    const loss = valueLoss({ rows, values, targets, scale: 1 }, gradient);
    const theirs = differentiate((x) => squaredError(x, targets), values, [rows, 1]);
    expectEqual([loss], [theirs.value]);
    expectEqual(gradient, theirs.gradient);
  });

  it.each([plainBackend, simdBackend])('RU57: thirty updates of both networks end where its own do: $name', async (backend) => {
    const generator = makeGenerator(77);
    const shape: NetworkShape = { inputs: 4, hidden: [16, 16], outputs: 2 };
    const valueShape = { ...shape, outputs: 1 };
    const initial = [floats(parameterCount(shape), generator, 0.3), floats(parameterCount(valueShape), generator, 0.3)] as const;
    const ours = await updateOurs(backend, shape, valueShape, initial);
    const theirs = updateTheirs(shape, valueShape, initial);
    const probe = floats(20 * 4, makeGenerator(5));
    for (const [i, form] of [shape, valueShape].entries()) {
      const outputs = (at: Float32Array): Float32Array => tf.tidy(() => forward(form, tf.tensor1d(at), tf.tensor2d(probe, [20, 4])).dataSync() as Float32Array);
      expectEqual(outputs(ours[i]!), outputs(theirs[i]!));
    }
  });
});

const rows = 32;
const rate = 3e-4;

interface Update {
  readonly inputs: Float32Array;
  readonly batch: PolicyBatch;
  readonly targets: Float32Array;
}

/** The same for everybody. */
function updates(): readonly Update[] {
  const data = makeGenerator(123);
  return Array.from({ length: 30 }, () => ({ inputs: floats(rows * 4, data), batch: batchOf(rows, 2, data), targets: floats(rows, data) }));
}

async function updateOurs(backend: Backend, shape: NetworkShape, valueShape: NetworkShape, initial: readonly [Float32Array, Float32Array]): Promise<readonly Float32Array[]> {
  const [policy, value] = [await backend.makeNetwork(shape, initial[0]), await backend.makeNetwork(valueShape, initial[1])];
  const adam = await backend.makeAdam([policy, value]);
  const [trainPolicy, trainValue] = [policyTraining(policy, rows), valueTraining(value, rows)];
  for (const { inputs, batch, targets } of updates()) {
    await trainPolicy(inputs, batch);
    await trainValue(inputs, rows, targets, 0.5);
    await adam.step({ learningRate: rate, maxGradientNorm: 0 });
  }
  return [await policy.read(), await value.read()];
}

/** The same with its own optimizer: Adam with .9, .999 and 1e-8. */
function updateTheirs(shape: NetworkShape, valueShape: NetworkShape, initial: readonly [Float32Array, Float32Array]): readonly Float32Array[] {
  const [policy, value] = [tf.variable(tf.tensor1d(initial[0])), tf.variable(tf.tensor1d(initial[1]))];
  const adam = tf.train.adam(rate, 0.9, 0.999, 1e-8);
  for (const { inputs, batch, targets } of updates()) {
    const x = tf.tensor2d(inputs, [rows, 4]);
    adam.minimize(() => {
      const logits = forward(shape, policy, x);
      const policyLoss = tf.sub(surrogate(logits, batch, 2), tf.mul(batch.entropyScale, entropy(logits)));
      return tf.reshape(tf.add(policyLoss, tf.mul(0.5, squaredError(forward(valueShape, value, x), targets))), []) as tf.Scalar;
    });
  }
  return [policy.dataSync().slice() as Float32Array, value.dataSync().slice() as Float32Array];
}

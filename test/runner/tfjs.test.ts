// The tfjs backends against the plain one: whole networks, PPO's losses, Adam, thirty updates; what they keep and what they refuse.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseBackend } from '../../src-runner/backend/choose.ts';
import { parameterCount, type Backend, type Network, type NetworkShape } from '../../src-runner/backend/compute.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { openInstalled, restoreUtil } from '../../src-runner/backend/tfjs/installed.ts';
import { composedPolicyTraining, composedValueTraining, policyTraining, valueTraining } from '../../src-runner/learners/ppo-losses.ts';
import { makeGenerator, type Generator } from '../../src-runner/seeding/generator.ts';
import { expectEqual, floats, policyBatch } from './random-batches.ts';

const shapes: fc.Arbitrary<NetworkShape> = fc.record({
  inputs: fc.integer({ min: 1, max: 19 }),
  hidden: fc.array(fc.integer({ min: 1, max: 21 }), { maxLength: 3 }),
  outputs: fc.integer({ min: 1, max: 9 }),
});

describe.each(['tfjs-cpu', 'tfjs-wasm'])('%s', (name) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await chooseBackend(name);
  }, 60_000);

  const both = async (shape: NetworkShape, generator: Generator): Promise<readonly [Network, Network]> => {
    const parameters = floats(parameterCount(shape), generator, 0.5);
    return [await backend.makeNetwork(shape, parameters), await plainBackend.makeNetwork(shape, parameters)];
  };

  it('BK3: forward, backward and one step of Adam equal the plain backend for every shape', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 1, max: 37 }), fc.integer({ min: 1, max: 1e6 }), async (shape, rows, seed) => {
        const generator = makeGenerator(seed);
        const [ours, plain] = await both(shape, generator);
        const inputs = floats(rows * shape.inputs, generator);
        const slope = floats(rows * shape.outputs, generator, 1 / rows);
        expectEqual((await ours.forward(inputs, rows)).subarray(0, rows * shape.outputs), (await plain.forward(inputs, rows)).subarray(0, rows * shape.outputs));
        await ours.backward(slope, rows);
        await plain.backward(slope, rows);
        const [a, b] = [await gradientOf(backend, ours), await gradientOf(plainBackend, plain)];
        expect(a.norm).toBeCloseTo(b.norm, 4);
        expectEqual(a.gradient, b.gradient);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('BK3: the losses that it differentiates itself equal the composed closed forms: figures and gradients', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 1, max: 33 }), fc.integer({ min: 1, max: 1e6 }), async (shape, rows, seed) => {
        const generator = makeGenerator(seed);
        const [ours, plain] = await both(shape, generator);
        const inputs = floats(rows * shape.inputs, generator);
        const batch = policyBatch(rows, shape.outputs, generator);
        const a = await ours.trainPolicy!(inputs, batch);
        const b = await composedPolicyTraining(plain, rows)(inputs, batch);
        expectEqual([a.loss, a.approximateKl, a.entropy, a.clipFraction], [b.loss, b.approximateKl, b.entropy, b.clipFraction]);
        expectEqual((await gradientOf(backend, ours)).gradient, (await gradientOf(plainBackend, plain)).gradient);
        const [value, plainValue] = await both({ ...shape, outputs: 1 }, generator);
        const targets = floats(rows, generator);
        expectEqual([await value.trainValue!(inputs, rows, targets, 0.5)], [await composedValueTraining(plainValue, rows)(inputs, rows, targets, 0.5)]);
        expectEqual((await gradientOf(backend, value)).gradient, (await gradientOf(plainBackend, plainValue)).gradient);
      }),
      { numRuns: 40, seed: 2 },
    );
  });

  it('BK4: thirty updates of random nets end within 1e-5 of the plain backend, in parameters and in outputs', async () => {
    for (const hidden of [[32, 32], [17], [], [24, 9, 5]]) {
      const generator = makeGenerator(hidden.length + 11);
      const shape = { inputs: 6, hidden, outputs: 3 };
      const valueShape = { inputs: 6, hidden, outputs: 1 };
      const parameters = [floats(parameterCount(shape), generator, 0.3), floats(parameterCount(valueShape), generator, 0.3)] as const;
      const run = async (made: Backend): Promise<readonly Float32Array[]> => {
        const data = makeGenerator(99);
        const [policy, value] = [await made.makeNetwork(shape, parameters[0]), await made.makeNetwork(valueShape, parameters[1])];
        const adam = await made.makeAdam([policy, value]);
        for (let update = 0; update < 30; update++) {
          const inputs = floats(50 * 6, data);
          await policyTraining(policy, 50)(inputs, policyBatch(50, 3, data));
          await valueTraining(value, 50)(inputs, 50, floats(50, data), 0.5);
          await adam.step({ learningRate: 3e-4, maxGradientNorm: 0.5 });
        }
        const probe = floats(40 * 6, makeGenerator(7));
        return [(await policy.forward(probe, 40)).slice(0, 120), (await value.forward(probe, 40)).slice(0, 40), await policy.read(), await value.read()];
      };
      const [a, b] = [await run(backend), await run(plainBackend)];
      b.forEach((numbers, i) => expectEqual(a[i]!, numbers));
      // The same again gives the same bits.
      expect(await run(backend)).toEqual(a);
    }
  });

  it('BK5: parameters and moments go to the plain backend and back unchanged, and training goes on from them', async () => {
    const generator = makeGenerator(3);
    const [ours, plain] = await both({ inputs: 3, hidden: [5], outputs: 2 }, generator);
    expect(await ours.read()).toEqual(await plain.read());
    const [a, b] = [await backend.makeAdam([ours]), await plainBackend.makeAdam([plain])];
    const [inputs, slope] = [floats(12, generator), floats(8, generator)];
    const train = async (network: Network, adam: typeof a) => {
      await network.forward(inputs, 4);
      await network.backward(slope, 4);
      await adam.step({ learningRate: 0.01, maxGradientNorm: 0 });
    };
    await train(ours, a);
    await b.write(await a.read());
    await plain.write(await ours.read());
    expect(await b.read()).toEqual(await a.read());
    await a.write(await b.read());
    await ours.write(await plain.read());
    await train(ours, a);
    await train(plain, b);
    expectEqual(await ours.read(), await plain.read());
  });

  it('BK5: no tensor is left behind by acting and training', async () => {
    const { tf } = await import('../../src-runner/backend/tfjs/library.ts');
    const generator = makeGenerator(8);
    const [network] = await both({ inputs: 4, hidden: [8], outputs: 2 }, generator);
    const adam = await backend.makeAdam([network]);
    const inputs = floats(20 * 4, generator);
    const batch = policyBatch(20, 2, generator);
    const once = async () => {
      await network.forward(inputs, 20);
      await network.backward(floats(40, generator), 20);
      await network.trainPolicy!(inputs, batch);
      await adam.step({ learningRate: 0.01, maxGradientNorm: 0.5 });
      await adam.write(await adam.read());
      await network.write(await network.read());
    };
    await once();
    const before = tf.memory().numTensors;
    for (let i = 0; i < 10; i++) await once();
    expect(tf.memory().numTensors).toBe(before);
  });

  it('BK5: what a caller gives is copied: arrays that are used again change nothing', async () => {
    const parameters = floats(3, makeGenerator(2));
    const network = await backend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, parameters);
    const before = await network.read();
    parameters.fill(9);
    (await network.read()).fill(9);
    expect(await network.read()).toEqual(before);
  });

  it('BK6: what does not fit is refused, never trained on', async () => {
    const network = await backend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(3));
    const promised = async (act: () => unknown) => act();
    await expect(promised(() => network.forward(new Float32Array(3), 2))).rejects.toThrow(RangeError);
    await network.forward(new Float32Array(4), 2);
    await expect(promised(() => network.backward(new Float32Array(3), 3))).rejects.toThrow(RangeError);
    await expect(promised(() => network.write(new Float32Array(2)))).rejects.toThrow(RangeError);
    await expect(promised(() => network.trainValue!(new Float32Array(4), 2, new Float32Array(1), 1))).rejects.toThrow(RangeError);
    for (const short of ['actions', 'oldLogProbabilities', 'advantages'] as const) {
      const batch = policyBatch(2, 1, makeGenerator(1));
      await expect(promised(() => network.trainPolicy!(new Float32Array(4), { ...batch, [short]: batch[short].subarray(1) }))).rejects.toThrow(RangeError);
    }
    await expect(promised(() => backend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(4)))).rejects.toThrow(RangeError);
    const other = await plainBackend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(3));
    await expect(promised(() => backend.makeAdam([other]))).rejects.toThrow(TypeError);
  });

  it('BK6: NaN inputs show as NaN in their row, in the figures and in the norm, and never throw', async () => {
    const network = await backend.makeNetwork({ inputs: 2, hidden: [3], outputs: 2 }, floats(17, makeGenerator(1)));
    const inputs = Float32Array.of(1, NaN, 1, 2);
    const outputs = (await network.forward(inputs, 2)).slice(0, 4);
    expect([...outputs.subarray(0, 2)]).toEqual([NaN, NaN]);
    expect(outputs.subarray(2).every(Number.isFinite)).toBe(true);
    const figures = await network.trainPolicy!(inputs, policyBatch(2, 2, makeGenerator(1)));
    expect([figures.loss, figures.entropy, figures.approximateKl]).toEqual([NaN, NaN, NaN]);
    const adam = await backend.makeAdam([network]);
    expect(await adam.step({ learningRate: 0.1, maxGradientNorm: 0.5 })).toBeNaN();
  });
});

describe('TensorFlow.js that a person installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rlxp-tfjs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const install = (name: string, text: string): string => {
    const at = mkdtempSync(join(folder, 'with-'));
    mkdirSync(join(at, 'node_modules', name), { recursive: true });
    writeFileSync(join(at, 'node_modules', name, 'index.js'), text);
    return `${at}/`;
  };

  it('BK7: absence is normal and told in one plain sentence', async () => {
    await expect(openInstalled('@tensorflow/tfjs-node-gpu', `${folder}/`)).rejects.toThrow(/^@tensorflow\/tfjs-node-gpu is not installed; it is optional$/);
  });

  it('BK7: one that cannot be loaded, or whose card does not answer, says so', async () => {
    const broken = install('@tensorflow/tfjs-node', 'throw new Error("libtensorflow.so.2: cannot open shared object file\\nand more");');
    await expect(openInstalled('@tensorflow/tfjs-node', broken)).rejects.toThrow(/^@tensorflow\/tfjs-node is installed and cannot be loaded: libtensorflow.so.2: cannot open shared object file$/);
    const cardless = install('@tensorflow/tfjs-node-gpu', 'module.exports = { enableProdMode() {}, setBackend: async () => true, backend: () => ({ isUsingGpuDevice: false }) };');
    await expect(openInstalled('@tensorflow/tfjs-node-gpu', cardless)).rejects.toThrow('@tensorflow/tfjs-node-gpu is installed, and no CUDA device answers');
  });

  it('BK7: a card that answers is the device, and what newer Nodes lack is there before the package loads', async () => {
    const text = `
      const util = require('util');
      if (!util.isNullOrUndefined(null) || !util.isArray([])) throw new Error('too late');
      module.exports = { enableProdMode() {}, setBackend: async () => true, backend: () => ({ isUsingGpuDevice: true }) };`;
    const at = install('@tensorflow/tfjs-node-gpu', text);
    expect((await openInstalled('@tensorflow/tfjs-node-gpu', at)).device).toBe('cuda');
    const bare: Parameters<typeof restoreUtil>[0] = {};
    restoreUtil(bare);
    expect([bare.isNullOrUndefined?.(undefined), bare.isNullOrUndefined?.(0), bare.isArray?.([])]).toEqual([true, false, true]);
  });
});

/** Ten times the first moment after one step of Adam without clipping, and the norm that it gave. */
async function gradientOf(backend: Backend, network: Network): Promise<{ readonly norm: number; readonly gradient: Float32Array }> {
  const adam = await backend.makeAdam([network]);
  const norm = await adam.step({ learningRate: 0, maxGradientNorm: 0 });
  return { norm, gradient: (await adam.read()).first[0]!.map((m) => m * 10) };
}

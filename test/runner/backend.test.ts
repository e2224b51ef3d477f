// The plain backend against naive arithmetic, finite differences and known Adam steps.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { layersOf, parameterCount, type NetworkShape } from '../../src-runner/backend/compute.ts';
import { chooseBackend } from '../../src-runner/backend/choose.ts';
import { multiply } from '../../src-runner/backend/plain/gemm.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { tanhInPlace } from '../../src-runner/backend/plain/tanh.ts';
import { makeGenerator, type Generator } from '../../src-runner/seeding/generator.ts';

const shape: NetworkShape = { inputs: 3, hidden: [5, 6], outputs: 2 };
const randomFloats = (count: number, generator: Generator, scale = 1): Float32Array =>
  Float32Array.from({ length: count }, () => scale * generator.normal());

describe('plain backend', () => {
  it('RU7: the tiled product equals the naive one for every size, form and stretch', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 11 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 140 }), fc.integer({ min: 0, max: 3 }), (m, n, k, form) => {
        const generator = makeGenerator(m * 1000 + n * 10 + k);
        const a = { data: randomFloats(m * k + 1, generator), at: 1, ...(form & 1 ? { row: 1, column: m } : { row: k, column: 1 }) };
        const b = { data: randomFloats(n * k, generator), at: 0, ...(form & 2 ? { row: 1, column: k } : { row: n, column: 1 }) };
        const c = { data: new Float32Array(m * n + 2).fill(7), at: 1, row: n, column: 1 };
        multiply(a, b, c, m, n, k);
        for (let i = 0; i < m; i++) {
          for (let j = 0; j < n; j++) {
            let sum = 0;
            for (let l = 0; l < k; l++) sum += a.data[a.at + i * a.row + l * a.column]! * b.data[l * b.row + j * b.column]!;
            expect(Math.abs(c.data[1 + i * n + j]! - sum)).toBeLessThan(1e-5 * (1 + k));
          }
        }
        expect([c.data[0], c.data[m * n + 1]]).toEqual([7, 7]);
      }),
      { numRuns: 150 },
    );
  });

  it('RU7: the fast tanh is within 4e-7 of Math.tanh, odd, exact at 0, and keeps NaN', () => {
    const inputs = Float32Array.from({ length: 20001 }, (_, i) => (i - 10000) / 1000);
    const outputs = inputs.slice();
    tanhInPlace(outputs, outputs.length);
    outputs.forEach((y, i) => expect(Math.abs(y - Math.tanh(inputs[i]!))).toBeLessThan(4e-7));
    expect(outputs[10000]).toBe(0);
    expect(outputs[0]).toBe(-outputs[20000]!);
    const odd = Float32Array.of(NaN, Infinity, -Infinity);
    tanhInPlace(odd, 3);
    expect(odd[0]).toBeNaN();
    expect([odd[1]! > 0.999999, odd[2]! < -0.999999]).toEqual([true, true]);
  });

  it('RU7: forward equals a written-out network', async () => {
    const generator = makeGenerator(1);
    const parameters = randomFloats(parameterCount(shape), generator, 0.5);
    const inputs = randomFloats(7 * 3, generator);
    const network = await plainBackend.makeNetwork(shape, parameters);
    const outputs = await network.forward(inputs, 7);
    for (let row = 0; row < 7; row++) {
      naiveForward(parameters, inputs.subarray(row * 3, row * 3 + 3)).forEach((y, j) => expect(outputs[row * 2 + j]).toBeCloseTo(y, 5));
    }
  });

  it('RU7: backward equals finite differences of every parameter', async () => {
    const generator = makeGenerator(2);
    const parameters = randomFloats(parameterCount(shape), generator, 0.5);
    const inputs = randomFloats(9 * 3, generator);
    const weights = randomFloats(9 * 2, generator);
    const network = await plainBackend.makeNetwork(shape, parameters);
    await network.forward(inputs, 9);
    await network.backward(weights, 9);
    const gradient = (network as unknown as { readonly gradient: Float32Array }).gradient;
    const loss = (changed: Float32Array): number => {
      let sum = 0;
      for (let row = 0; row < 9; row++) {
        naiveForward(changed, inputs.subarray(row * 3, row * 3 + 3)).forEach((y, j) => (sum += y * weights[row * 2 + j]!));
      }
      return sum;
    };
    for (let p = 0; p < parameters.length; p++) {
      const at = (h: number): number => loss(parameters.map((v, i) => (i === p ? v + h : v)));
      const h = 2 ** -10;
      expect(Math.abs((at(h) - at(-h)) / (2 * h) - gradient[p]!)).toBeLessThan(2e-3);
    }
  });

  it('RU8: Adam follows its published steps, and the clip limits the joint norm of all networks', async () => {
    const line: NetworkShape = { inputs: 1, hidden: [], outputs: 1 };
    const networks = [await plainBackend.makeNetwork(line, Float32Array.of(1, 0)), await plainBackend.makeNetwork(line, Float32Array.of(1, 0))];
    const adam = await plainBackend.makeAdam(networks);
    const gradients = [[3, 0.5], [4, -0.5]] as const;
    const reference = [{ w: 1, m: 0, v: 0 }, { w: 1, m: 0, v: 0 }];
    for (let t = 1; t <= 3; t++) {
      // Gradient by weight = x * g, by bias = g; x = 1.
      const g = gradients.map((pair) => (t === 1 ? pair[0] : pair[1]));
      for (const [i, network] of networks.entries()) {
        await network.forward(Float32Array.of(1), 1);
        await network.backward(Float32Array.of(g[i]!), 1);
      }
      const norm = Math.sqrt(2 * (g[0]! ** 2 + g[1]! ** 2));
      expect(await adam.step({ learningRate: 0.1, maxGradientNorm: 2 })).toBeCloseTo(norm, 5);
      const scale = norm > 2 ? 2 / (norm + 1e-6) : 1;
      for (const [i, network] of networks.entries()) {
        const state = reference[i]!;
        state.m = 0.9 * state.m + 0.1 * g[i]! * scale;
        state.v = 0.999 * state.v + 0.001 * (g[i]! * scale) ** 2;
        state.w -= (0.1 * (state.m / (1 - 0.9 ** t))) / (Math.sqrt(state.v / (1 - 0.999 ** t)) + 1e-8);
        expect((await network.read())[0]).toBeCloseTo(state.w, 5);
      }
    }
  });

  it('RU8: optimizer moments survive reading and writing', async () => {
    const one = await steppedPair();
    const other = await plainBackend.makeNetwork(shape, await one.network.read());
    const adam = await plainBackend.makeAdam([other]);
    await adam.write(await one.adam.read());
    for (const pair of [one, { network: other, adam }]) await trainOnce(pair.network, pair.adam);
    expect(await other.read()).toEqual(await one.network.read());
  });

  it('RU8: an unknown backend is refused by name', async () => {
    await expect(chooseBackend('cuda')).rejects.toThrow('unknown backend "cuda"; known: plain');
    expect((await chooseBackend(null)).name).toBe('plain');
  });
});

async function steppedPair() {
  const network = await plainBackend.makeNetwork(shape, randomFloats(parameterCount(shape), makeGenerator(3), 0.5));
  const adam = await plainBackend.makeAdam([network]);
  await trainOnce(network, adam);
  return { network, adam };
}

async function trainOnce(
  network: Awaited<ReturnType<typeof plainBackend.makeNetwork>>,
  adam: Awaited<ReturnType<typeof plainBackend.makeAdam>>,
): Promise<void> {
  await network.forward(Float32Array.of(1, 2, 3), 1);
  await network.backward(Float32Array.of(0.5, -1), 1);
  await adam.step({ learningRate: 0.01, maxGradientNorm: 0 });
}

function naiveForward(parameters: Float32Array, input: Float32Array): number[] {
  const layers = layersOf(shape);
  let current = [...input];
  layers.forEach((layer, i) => {
    current = Array.from({ length: layer.outputs }, (_, o) => {
      let sum = parameters[layer.biases + o]!;
      for (let k = 0; k < layer.inputs; k++) sum += parameters[layer.weights + o * layer.inputs + k]! * current[k]!;
      return i < layers.length - 1 ? Math.tanh(sum) : sum;
    });
  });
  return current;
}

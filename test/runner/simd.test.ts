// The simd backends against the plain one: products, whole networks, PPO's losses, Adam, and thirty updates of everything together.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBackend } from '../../src-runner/backend/choose.ts';
import { parameterCount, type Backend, type Network, type NetworkShape, type PolicyBatch } from '../../src-runner/backend/compute.ts';
import { plainBackend } from '../../src-runner/backend/plain.ts';
import { relaxedBackend, simdBackend } from '../../src-runner/backend/simd.ts';
import { Arena } from '../../src-runner/backend/simd/arena.ts';
import { finish, hasVariant, instantiate } from '../../src-runner/backend/simd/kernel-module.ts';
import { composedPolicyTraining, composedValueTraining, policyTraining, valueTraining } from '../../src-runner/learners/ppo-losses.ts';
import { makeGenerator, type Generator } from '../../src-runner/seeding/generator.ts';

const floats = (count: number, generator: Generator, scale = 1): Float32Array => Float32Array.from({ length: count }, () => scale * generator.normal());
/** The promise of the issue: |a - b| <= 1e-5 * max(1, |b|). */
const expectEqual = (a: ArrayLike<number>, b: ArrayLike<number>, factor = 1): void => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < b.length; i++) expect(Math.abs(a[i]! - b[i]!), `at ${i}: ${a[i]} and ${b[i]}`).toBeLessThanOrEqual(factor * 1e-5 * Math.max(1, Math.abs(b[i]!)));
};
/** The relaxed kernels run where the engine has the instructions: Node 22 and newer, or 20 with a flag. */
const backends: readonly Backend[] = [simdBackend, ...(hasVariant('relaxed') ? [relaxedBackend] : [])];

const shapes: fc.Arbitrary<NetworkShape> = fc.record({
  inputs: fc.integer({ min: 1, max: 19 }),
  hidden: fc.array(fc.integer({ min: 1, max: 21 }), { maxLength: 3 }),
  outputs: fc.integer({ min: 1, max: 9 }),
});

function policyBatch(rows: number, count: number, generator: Generator): PolicyBatch {
  return {
    rows,
    actions: Int32Array.from({ length: rows }, () => generator.integerBelow(count)),
    oldLogProbabilities: Float32Array.from({ length: rows }, () => -Math.log(count) + 0.3 * generator.normal()),
    advantages: floats(rows, generator),
    clip: 0.2,
    entropyScale: 0.01,
  };
}

describe('simd kernels', () => {
  it('RU50: the packed product equals the naive one for every size, form and finish', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 11 }), fc.integer({ min: 1, max: 19 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), (m, n, k, form, how) => {
        const generator = makeGenerator(m * 1000 + n * 10 + k);
        const arena = new Arena();
        const kernels = instantiate('simd', arena.memory);
        const [aAt, bAt, cAt, extraAt] = [arena.take(m * k), arena.take(k * n), arena.take(m * n + 2), arena.take(m * n)];
        const packedAt = arena.take(kernels.packedSize(k, n));
        const [a, b, extra] = [floats(m * k, generator), floats(k * n, generator), floats(m * n, generator, 0.3)];
        arena.floats(aAt, a.length).set(a);
        arena.floats(bAt, b.length).set(b);
        arena.floats(extraAt, extra.length).set(extra);
        arena.floats(cAt, m * n + 2).fill(7);
        const [aRow, aColumn] = form & 1 ? [1, m] : [k, 1];
        const [bRow, bColumn] = form & 2 ? [1, k] : [n, 1];
        kernels.pack(bAt, bRow, bColumn, k, n, packedAt);
        kernels.multiply(aAt, aRow, aColumn, packedAt, cAt + 4, n, m, n, k, how, extraAt);
        const c = arena.floats(cAt, m * n + 2);
        for (let i = 0; i < m; i++) {
          for (let j = 0; j < n; j++) {
            let sum = 0;
            for (let l = 0; l < k; l++) sum += a[i * aRow + l * aColumn]! * b[l * bRow + j * bColumn]!;
            const y = extra[i * n + j]!;
            const wanted = how === finish.throughTanh ? sum * (1 - y * y) : how === finish.biasTanh ? Math.tanh(sum + extra[j]!) : how === finish.bias ? sum + extra[j]! : sum;
            expect(Math.abs(c[1 + i * n + j]! - wanted)).toBeLessThan(1e-5 * (1 + k));
          }
        }
        expect([c[0], c[m * n + 1]]).toEqual([7, 7]);
      }),
      { numRuns: 300 },
    );
  });

  it('RU50: tables of the kernels end before the memory that is handed out', () => {
    const arena = new Arena();
    instantiate('simd', arena.memory);
    const words = new Uint32Array(arena.memory.buffer, 0, 16_384);
    expect(words.findLastIndex((word) => word !== 0) * 4).toBeLessThan(60_000);
    expect(arena.take(1)).toBe(65_536);
  });
});

describe.each(backends)('$name', (backend) => {
  const both = async (shape: NetworkShape, generator: Generator): Promise<readonly [Network, Network]> => {
    const parameters = floats(parameterCount(shape), generator, 0.5);
    return [await backend.makeNetwork(shape, parameters), await plainBackend.makeNetwork(shape, parameters)];
  };

  it('RU51: forward, backward and one step of Adam equal the plain backend for every shape', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 1, max: 37 }), fc.integer({ min: 1, max: 1e6 }), async (shape, rows, seed) => {
        const generator = makeGenerator(seed);
        const [ours, theirs] = await both(shape, generator);
        const inputs = floats(rows * shape.inputs, generator);
        const slope = floats(rows * shape.outputs, generator, 1 / rows);
        expectEqual((await ours.forward(inputs, rows)).subarray(0, rows * shape.outputs), (await theirs.forward(inputs, rows)).subarray(0, rows * shape.outputs));
        await ours.backward(slope, rows);
        await theirs.backward(slope, rows);
        const step = { learningRate: 0, maxGradientNorm: 0 };
        const [a, b] = [await backend.makeAdam([ours]), await plainBackend.makeAdam([theirs])];
        expect(await a.step(step)).toBeCloseTo(await b.step(step), 4);
        // The first moment after one step is a tenth of the gradient.
        expectEqual((await a.read()).first[0]!, (await b.read()).first[0]!);
      }),
      { numRuns: 120 },
    );
  });

  it('RU52: the fused losses equal the composed ones: figures and gradients', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 1, max: 33 }), fc.integer({ min: 1, max: 1e6 }), async (shape, rows, seed) => {
        const generator = makeGenerator(seed);
        const [ours, theirs] = await both(shape, generator);
        const inputs = floats(rows * shape.inputs, generator);
        const batch = policyBatch(rows, shape.outputs, generator);
        const a = await ours.trainPolicy!(inputs, batch);
        const b = await composedPolicyTraining(theirs, rows)(inputs, batch);
        expectEqual([a.loss, a.approximateKl, a.entropy], [b.loss, b.approximateKl, b.entropy]);
        expect(a.clipFraction).toBeCloseTo(b.clipFraction, 6);
        expectEqual(await gradientOf(backend, ours), await gradientOf(plainBackend, theirs));
      }),
      { numRuns: 120 },
    );
    const shape = { inputs: 5, hidden: [7], outputs: 1 };
    const generator = makeGenerator(5);
    const [ours, theirs] = await both(shape, generator);
    const [inputs, targets] = [floats(13 * 5, generator), floats(13, generator)];
    expect(await ours.trainValue!(inputs, 13, targets, 0.5)).toBeCloseTo(await composedValueTraining(theirs, 13)(inputs, 13, targets, 0.5), 5);
    expectEqual(await gradientOf(backend, ours), await gradientOf(plainBackend, theirs));
  });

  it('RU53: thirty updates of random nets end within 1e-5 of the plain backend, in outputs', async () => {
    for (const hidden of [[64, 64], [17], [], [32, 9, 5]]) {
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
        return [(await policy.forward(probe, 40)).slice(0, 120), (await value.forward(probe, 40)).slice(0, 40)];
      };
      const [a, b] = [await run(backend), await run(plainBackend)];
      expectEqual(a[0]!, b[0]!);
      expectEqual(a[1]!, b[1]!);
      // The same again gives the same bits.
      expect(await run(backend)).toEqual(a);
    }
  });

  it('RU54: parameters and moments go from one backend to the other and back unchanged', async () => {
    const generator = makeGenerator(3);
    const shape = { inputs: 3, hidden: [5], outputs: 2 };
    const [ours, theirs] = await both(shape, generator);
    expect(await ours.read()).toEqual(await theirs.read());
    const [a, b] = [await backend.makeAdam([ours]), await plainBackend.makeAdam([theirs])];
    await ours.forward(floats(12, generator), 4);
    await ours.backward(floats(8, generator), 4);
    await a.step({ learningRate: 0.01, maxGradientNorm: 0 });
    await b.write(await a.read());
    expect(await b.read()).toEqual(await a.read());
    await theirs.write(await ours.read());
    expect(await theirs.read()).toEqual(await ours.read());
  });

  it('RU55: what does not fit is refused, never trained on', async () => {
    const network = await backend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(3));
    expect(() => network.forward(new Float32Array(3), 2)).toThrow(RangeError);
    await network.forward(new Float32Array(4), 2);
    expect(() => network.backward(new Float32Array(3), 3)).toThrow(RangeError);
    expect(() => network.write(new Float32Array(2))).toThrow(RangeError);
    expect(() => backend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(4))).toThrow(RangeError);
    const other = await plainBackend.makeNetwork({ inputs: 2, hidden: [], outputs: 1 }, new Float32Array(3));
    expect(() => backend.makeAdam([other])).toThrow(TypeError);
  });

  it('RU55: NaN inputs show as NaN, and rows beyond the batch are not touched by it', async () => {
    const network = await backend.makeNetwork({ inputs: 2, hidden: [3], outputs: 2 }, floats(17, makeGenerator(1)));
    const outputs = (await network.forward(Float32Array.of(1, NaN, 1, 2), 2)).slice(0, 4);
    expect([...outputs.subarray(0, 2)]).toEqual([NaN, NaN]);
    expect(outputs.subarray(2).every(Number.isFinite)).toBe(true);
  });
});

it('RU56: a backend is named, and an unknown name lists those there are', async () => {
  expect((await chooseBackend('simd')).name).toBe('simd');
  expect((await chooseBackend('simd-relaxed')).name).toBe('simd-relaxed');
  await expect(chooseBackend('cuda')).rejects.toThrow(/simd-relaxed/);
});

/** Ten times the first moment after one step of Adam without clipping. */
async function gradientOf(backend: Backend, network: Network): Promise<Float32Array> {
  const adam = await backend.makeAdam([network]);
  await adam.step({ learningRate: 0, maxGradientNorm: 0 });
  return (await adam.read()).first[0]!.map((m) => m * 10);
}

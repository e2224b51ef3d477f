// Seed streams against vectors computed with NumPy.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Generator, makeGenerator } from '../../src-runner/seeding/generator.ts';
import { makeSeedSequence } from '../../src-runner/seeding/seed-sequence.ts';
import { makeStreams } from '../../src-runner/seeding/streams.ts';

const children: readonly (readonly [number, number[], number, bigint | null])[] = [
  [0, [0], 3757552657, 8668861027912758289n],
  [0, [1], 673228719, 4881901421217228719n],
  [0, [2], 3241444873, null],
  [0, [3], 3685993406, null],
  [0, [0, 3], 4023748921, null],
  [0, [1, 3], 1227846671, null],
  [0, [7, 0], 1518520685, null],
  [0, [2 ** 33], 1008912121, null],
  [42, [0], 2684470948, 16138347438539916964n],
  [42, [1], 4091952314, 134183728835869882n],
  [42, [2], 233227757, null],
  [42, [3], 3276785861, null],
];
const roots: readonly (readonly [number, number[]])[] = [
  [0, [2968811710, 3677149159, 745650761, 2884920346]],
  [42, [3444837047, 2669555309, 2046530742, 3581440988]],
  [2 ** 40 + 7, [238885397, 226915041, 1322230113, 2599373530]],
];
const draws: readonly (readonly [number, number, readonly number[], readonly number[]])[] = [
  [0, 0, [0.9429375528828794, 0.3163371523854981], [8, 9, 0, 3, 7, 7]],
  [0, 1, [0.6771968569751019, 0.2429867485428212], [6, 6, 3, 2, 0, 6]],
  [0, 2, [0.8382711479571602, 0.08372444856512495], [6, 8, 4, 0, 9, 6]],
  [0, 3, [0.3644334333698406, 0.5113367953594365], [8, 3, 3, 5, 1, 4]],
  [42, 0, [0.9167441575549085, 0.9109866676343232], [4, 9, 5, 9, 2, 8]],
  [42, 1, [0.4674907799518424, 0.04644889644868733], [0, 4, 1, 0, 6, 5]],
  [42, 2, [0.07123920291270869, 0.7101597228953526], [7, 0, 7, 7, 1, 0]],
  [42, 3, [0.7639328676507445, 0.9713361041904083], [8, 7, 9, 9, 1, 7]],
];

describe('seed streams', () => {
  it('RU1: state words of root seeds equal NumPy SeedSequence', () => {
    for (const [seed, words] of roots) expect([...makeSeedSequence(seed).words(4)]).toEqual(words);
  });

  it('RU1: children by explicit key equal NumPy SeedSequence', () => {
    for (const [seed, key, integer32, integer64] of children) {
      const child = makeSeedSequence(seed).child(key);
      expect(child.integer32()).toBe(integer32);
      if (integer64 !== null) expect(child.integer64()).toBe(integer64);
    }
  });

  it('RU1: a child of a child equals the child by the joined key; empty and negative keys are refused', () => {
    expect(makeSeedSequence(0).child(0).child(3).integer32()).toBe(4023748921);
    expect(() => makeSeedSequence(0).child([])).toThrow(RangeError);
    expect(() => makeSeedSequence(0).child(-1)).toThrow(RangeError);
    expect(() => makeSeedSequence(-1)).toThrow(RangeError);
  });

  it('RU2: uniforms and bounded integers equal NumPy Generator(PCG64)', () => {
    for (const [seed, key, uniforms, integers] of draws) {
      const forUniforms = makeGenerator(seed, [key]);
      expect([forUniforms.uniform(), forUniforms.uniform()]).toEqual(uniforms);
      const forIntegers = makeGenerator(seed, [key]);
      expect(Array.from({ length: 6 }, () => forIntegers.integerBelow(10))).toEqual(integers);
    }
  });

  it('RU2: permutation(10) under seed 42 equals NumPy', () => {
    expect([...makeGenerator(42).permutation(10)]).toEqual([5, 6, 0, 7, 3, 2, 4, 9, 1, 8]);
  });

  it('RU2: a uniform between two 32-bit draws leaves the buffered half alone, and a count of 1 draws nothing', () => {
    const [plain, mixed] = [makeGenerator(5), makeGenerator(5)];
    const first = [plain.next32(), plain.next32()];
    expect(mixed.next32()).toBe(first[0]);
    mixed.uniform();
    expect(mixed.integerBelow(1)).toBe(0);
    expect(mixed.next32()).toBe(first[1]);
  });

  it('RU2: the 32-bit limbs agree with a BigInt PCG64 for any seed', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 2 ** 32 }), (seed, key) => {
        const limbs = makeGenerator(seed, [key]);
        const reference = bigintPcg64(makeSeedSequence(seed, [key]).words(8));
        for (let i = 0; i < 8; i++) expect(limbs.uniform()).toBe(Number(reference() >> 11n) / 2 ** 53);
      }),
      { numRuns: 200 },
    );
  });

  it('RU2: bounded integers stay below their count, whatever its size', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 2 ** 32 }), (seed, count) => {
        const value = makeGenerator(seed).integerBelow(count);
        expect(Number.isInteger(value) && value >= 0 && value < count).toBe(true);
      }),
    );
  });

  it('RU3: streams are named, independent of call order, and shifted together by the offset', () => {
    const streams = makeStreams(7);
    const late = streams.make('policy_sampling', 3).uniform();
    streams.make('environment', 0).uniform();
    expect(makeStreams(7).make('policy_sampling', 3).uniform()).toBe(late);
    expect(new Generator(makeSeedSequence(7, [0, 2, 3])).uniform()).toBe(late);
    expect(makeStreams(7, 1).make('policy_sampling', 3).uniform()).not.toBe(late);
  });
});

function bigintPcg64(words: Uint32Array): () => bigint {
  const mask = (1n << 128n) - 1n;
  const multiplier = 0x2360ed051fc65da44385df649fccf645n;
  const w64 = (i: number): bigint => BigInt(words[2 * i]!) | (BigInt(words[2 * i + 1]!) << 32n);
  const inc = (((((w64(2) << 64n) | w64(3)) << 1n) | 1n) & mask);
  let state = 0n;
  const step = (): void => void (state = (state * multiplier + inc) & mask);
  step();
  state = (state + ((w64(0) << 64n) | w64(1))) & mask;
  step();
  return () => {
    step();
    const value = ((state >> 64n) ^ state) & 0xffffffffffffffffn;
    const turn = state >> 122n;
    return ((value >> turn) | (value << (64n - turn))) & 0xffffffffffffffffn;
  };
}

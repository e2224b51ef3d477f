// The safetensors reader and writer: round trips, hostile files, and a checkpoint's own demands.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decodePolicy, encodeCheckpoint, type Checkpoint } from '../../src-runner/harness/checkpoint.ts';
import { readSafetensors, SafetensorsError, writeSafetensors, type Tensor } from '../../src-runner/harness/safetensors.ts';
import { actorCriticShape } from '../../src-runner/models/actor-critic.ts';

const sample = new Map<string, Tensor>([
  ['a', { shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, NaN, -Infinity) }],
  ['b', { shape: [1], data: BigInt64Array.of(-5n) }],
  ['c', { shape: [], data: Float64Array.of(0.1) }],
  ['empty', { shape: [0, 4], data: new Float32Array(0) }],
]);
const bytes = writeSafetensors({ tensors: sample, metadata: new Map([['step', '12']]) });

function withHeader(header: unknown, dataBytes: number): Uint8Array {
  const json = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + json.length + dataBytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  return file;
}

describe('safetensors', () => {
  it('RU17: what is written is read back, whole and from an unaligned Buffer', () => {
    const shifted = Buffer.concat([Buffer.alloc(3), bytes]).subarray(3);
    for (const source of [bytes, Buffer.from(bytes), shifted]) {
      const file = readSafetensors(source);
      expect(file.tensors).toEqual(sample);
      expect(file.metadata.get('step')).toBe('12');
    }
  });

  it('RU17: the data begins at a multiple of 8, as other readers expect', () => {
    expect(Number(new DataView(bytes.buffer).getBigUint64(0, true)) % 8).toBe(0);
  });

  const entry = (fields: object) => ({ t: { dtype: 'F32', shape: [2], data_offsets: [0, 8], ...fields } });
  const hostile: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['too short', new Uint8Array(7), /fewer than its length field/],
    ['a header length past the limit', new Uint8Array(8).fill(0xff), /over the limit/],
    ['a header past the file', withHeader('{}', 0).subarray(0, 9), /the header ends at 10, the file at 9/],
    ['no JSON', withHeader('{', 0), /not JSON/],
    ['a list', withHeader('[]', 0), /not an object/],
    ['an unknown dtype', withHeader(entry({ dtype: 'toString' }), 8), /dtype "toString"/],
    ['a negative shape', withHeader(entry({ shape: [-2] }), 8), /shape/],
    ['a fractional offset', withHeader(entry({ data_offsets: [0, 8.5] }), 8), /data_offsets/],
    ['a shape that overflows', withHeader(entry({ shape: [2 ** 40, 2 ** 40] }), 8), /its shape needs/],
    ['a size unlike the shape', withHeader(entry({ shape: [3] }), 8), /its shape needs 12 bytes, its offsets span 8/],
    ['data past the file', withHeader(entry({}), 4), /ends at 8, the data at 4/],
    ['data left over', withHeader(entry({}), 12), /end at 8, the data at 12/],
    ['an overlap', withHeader({ ...entry({}), u: { dtype: 'F32', shape: [2], data_offsets: [4, 12] } }, 12), /begins at 4/],
    ['a hole', withHeader(entry({ data_offsets: [4, 12] }), 12), /begins at 4, the one before ends at 0/],
    ['metadata that is no text', withHeader({ __metadata__: { step: 1 } }, 0), /__metadata__.step/],
  ];
  for (const [name, file, message] of hostile) {
    it(`RU17: refuses ${name}`, () => {
      expect(() => readSafetensors(file)).toThrow(SafetensorsError);
      expect(() => readSafetensors(file)).toThrow(message);
    });
  }

  it('RU17: truncated or altered files never fail in any other way', () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.array(change, { maxLength: 4 }), (length, changes) => {
        const file = bytes.slice();
        for (const { at, to } of changes) file[at] = to;
        try {
          readSafetensors(file.subarray(0, length));
        } catch (error) {
          expect(error).toBeInstanceOf(SafetensorsError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('checkpoints', () => {
  const shape = actorCriticShape(4, 2, [3]);
  const counts = [4 * 3 + 3 + 3 * 2 + 2, 4 * 3 + 3 + 3 + 1] as const;
  const floats = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => i / 7);
  const checkpoint: Checkpoint = {
    step: 4096,
    policy: floats(counts[0]),
    value: floats(counts[1]),
    optimizer: { steps: 9, first: counts.map(floats), second: counts.map(floats) },
    normalizer: { mean: Float64Array.of(1, 2, 3, 4), variance: Float64Array.of(1, 1, 1, 1), count: 100.0001 },
  };

  it('RU18: policy, statistics and step come back exactly', () => {
    const loaded = decodePolicy(encodeCheckpoint(checkpoint, shape), { shape: shape.policy, normalizes: true });
    expect(loaded).toEqual({ step: 4096, policy: checkpoint.policy, normalizer: checkpoint.normalizer });
  });

  it('RU18: missing statistics are refused when the agent normalises, and statistics when it does not', () => {
    const without = encodeCheckpoint({ ...checkpoint, normalizer: null }, shape);
    expect(() => decodePolicy(without, { shape: shape.policy, normalizes: true })).toThrow('observation statistics ("observation_normalizer.mean") are missing');
    expect(decodePolicy(without, { shape: shape.policy, normalizes: false }).normalizer).toBeNull();
    expect(() => decodePolicy(encodeCheckpoint(checkpoint, shape), { shape: shape.policy, normalizes: false })).toThrow('trained on normalised observations');
  });

  it('RU18: other widths, fewer layers and foreign files are refused by name', () => {
    const file = encodeCheckpoint(checkpoint, shape);
    const expecting = (hidden: readonly number[]) => () => decodePolicy(file, { shape: actorCriticShape(4, 2, hidden).policy, normalizes: true });
    expect(expecting([5])).toThrow('"policy.0.weight" has shape [3,4], the agent\'s has [5,4]');
    expect(expecting([3, 5])).toThrow('policy.1.weight');
    const deep = actorCriticShape(4, 2, [2, 2]);
    const sizes = [4 * 2 + 2 + 2 * 2 + 2 + 2 * 2 + 2, 4 * 2 + 2 + 2 * 2 + 2 + 2 + 1] as const;
    const deeper = encodeCheckpoint({ ...checkpoint, policy: floats(sizes[0]), value: floats(sizes[1]) }, deep);
    expect(() => decodePolicy(deeper, { shape: actorCriticShape(4, 2, [2]).policy, normalizes: true })).toThrow("policy has more layers than the agent's 2");
    expect(() => decodePolicy(bytes, { shape: shape.policy, normalizes: true })).toThrow('format is null');
  });
});

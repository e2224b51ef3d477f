// A random generator with NumPy's distributions over PCG64, bit for bit. Anyone in src-runner may import it.
import { Pcg64 } from './pcg64.ts';
import { makeSeedSequence, type SeedSequence } from './seed-sequence.ts';

/** Every method matches `numpy.random.Generator` over `PCG64`, except `normal` (Box-Muller; NumPy's ziggurat differs). */
export class Generator {
  private readonly bits: Pcg64;
  private hasSpare = false;
  private spare = 0;

  constructor(seed: SeedSequence) {
    this.bits = new Pcg64(seed);
  }

  /** Uniform in [0, 1) with 53 bits. Does not touch the buffered half of a 32-bit draw. */
  uniform(): number {
    this.bits.next();
    return (this.bits.high * 0x200000 + (this.bits.low >>> 11)) / 0x20000000000000;
  }

  /** Uniform in [low, high), as `low + (high - low) * u`. */
  uniformBetween(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** An unsigned 32-bit integer: the low half of a 64-bit draw first, its high half next time. */
  next32(): number {
    if (this.hasSpare) {
      this.hasSpare = false;
      return this.spare;
    }
    this.bits.next();
    this.hasSpare = true;
    this.spare = this.bits.high;
    return this.bits.low;
  }

  /** Integer in [0, count), 1 <= count <= 2^32: Lemire's multiplication with rejection. A count of 1 draws nothing. */
  integerBelow(count: number): number {
    if (!Number.isInteger(count) || count < 1 || count > 0x100000000) throw new RangeError(`count ${count} is not in 1..2^32`);
    if (count === 1) return 0;
    if (count === 0x100000000) return this.next32();
    let [high, low] = product(this.next32(), count);
    if (low < count) {
      const threshold = (0x100000000 - count) % count;
      while (low < threshold) [high, low] = product(this.next32(), count);
    }
    return high;
  }

  /** Shuffles `items` in place: Fisher-Yates from the top with masked rejection, as `Generator.permutation`. */
  shuffle(items: Int32Array): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.masked(i);
      const kept = items[i]!;
      items[i] = items[j]!;
      items[j] = kept;
    }
  }

  /** 0..count-1 in random order. */
  permutation(count: number): Int32Array {
    const items = Int32Array.from({ length: count }, (_, i) => i);
    this.shuffle(items);
    return items;
  }

  /** Standard normal by Box-Muller (the cosine branch); two uniforms each. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Integer in [0, max] by masking 32-bit draws and rejecting those above. */
  private masked(max: number): number {
    const mask = 0xffffffff >>> Math.clz32(max);
    let value = (this.next32() & mask) >>> 0;
    while (value > max) value = (this.next32() & mask) >>> 0;
    return value;
  }
}

/** The generator of `numpy.random.default_rng(SeedSequence(seed, spawn_key=key))`. */
export function makeGenerator(seed: number, key: readonly number[] = []): Generator {
  return new Generator(makeSeedSequence(seed, key));
}

/** The 64-bit product of two unsigned 32-bit integers as (high, low) halves. */
function product(a: number, b: number): [number, number] {
  const low = Math.imul(a, b) >>> 0;
  const al = a & 0xffff;
  const ah = a >>> 16;
  const cross = ah * (b & 0xffff) + ((al * (b & 0xffff)) >>> 16);
  const middle = al * (b >>> 16) + (cross % 0x10000);
  return [ah * (b >>> 16) + Math.floor(cross / 0x10000) + Math.floor(middle / 0x10000), low];
}

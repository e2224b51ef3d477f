// NumPy's PCG64 (128-bit LCG, XSL-RR output) in 32-bit limbs: the generator proper, without distributions.
// Imported by seeding/generator.ts.
import type { SeedSequence } from './seed-sequence.ts';

/** Multiplier 0x2360ED051FC65DA44385DF649FCCF645, least significant limb first. */
const M0 = 0x9fccf645;
const M1 = 0x4385df64;
const M2 = 0x1fc65da4;
const M3 = 0x2360ed05;

/** A 64-bit draw lands in `low` and `high` of the generator itself, so that drawing allocates nothing. */
export class Pcg64 {
  low = 0;
  high = 0;
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private readonly i0: number;
  private readonly i1: number;
  private readonly i2: number;
  private readonly i3: number;

  constructor(seed: SeedSequence) {
    const w = seed.words(8);
    // 64-bit words are (low, high) pairs; the first 64-bit word of each pair is the more significant one.
    const start = [w[2]!, w[3]!, w[0]!, w[1]!] as const;
    const stream = [w[6]!, w[7]!, w[4]!, w[5]!] as const;
    this.i0 = ((stream[0] << 1) | 1) >>> 0;
    this.i1 = ((stream[1] << 1) | (stream[0] >>> 31)) >>> 0;
    this.i2 = ((stream[2] << 1) | (stream[1] >>> 31)) >>> 0;
    this.i3 = ((stream[3] << 1) | (stream[2] >>> 31)) >>> 0;
    this.advance();
    this.add(start[0], start[1], start[2], start[3]);
    this.advance();
  }

  /** Steps the generator and leaves the 64-bit output in `high` and `low`. */
  next(): void {
    this.advance();
    const low = (this.s2 ^ this.s0) >>> 0;
    const high = (this.s3 ^ this.s1) >>> 0;
    const turn = this.s3 >>> 26;
    const [a, b] = turn < 32 ? [low, high] : [high, low];
    const shift = turn & 31;
    if (shift === 0) {
      this.low = a;
      this.high = b;
    } else {
      this.low = ((a >>> shift) | (b << (32 - shift))) >>> 0;
      this.high = ((b >>> shift) | (a << (32 - shift))) >>> 0;
    }
  }

  private advance(): void {
    const { s0, s1, s2, s3 } = this;
    // Schoolbook product modulo 2^128; only the limbs that survive.
    let r1 = mulHigh(s0, M0) + low32(s0, M1) + low32(s1, M0);
    let r2 = mulHigh(s0, M1) + mulHigh(s1, M0) + low32(s0, M2) + low32(s1, M1) + low32(s2, M0);
    let r3 =
      mulHigh(s0, M2) + mulHigh(s1, M1) + mulHigh(s2, M0) + low32(s0, M3) + low32(s1, M2) + low32(s2, M1) + low32(s3, M0);
    r2 += Math.floor(r1 / 0x100000000);
    r1 = r1 >>> 0;
    r3 += Math.floor(r2 / 0x100000000);
    r2 = r2 >>> 0;
    this.s0 = low32(s0, M0);
    this.s1 = r1;
    this.s2 = r2;
    this.s3 = r3 >>> 0;
    this.add(this.i0, this.i1, this.i2, this.i3);
  }

  private add(a0: number, a1: number, a2: number, a3: number): void {
    const t0 = this.s0 + a0;
    const t1 = this.s1 + a1 + (t0 > 0xffffffff ? 1 : 0);
    const t2 = this.s2 + a2 + (t1 > 0xffffffff ? 1 : 0);
    const t3 = this.s3 + a3 + (t2 > 0xffffffff ? 1 : 0);
    this.s0 = t0 >>> 0;
    this.s1 = t1 >>> 0;
    this.s2 = t2 >>> 0;
    this.s3 = t3 >>> 0;
  }
}

function low32(a: number, b: number): number {
  return Math.imul(a, b) >>> 0;
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit integers. */
function mulHigh(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const cross = ah * bl + ((al * bl) >>> 16);
  const middle = al * bh + (cross & 0xffff);
  // cross can reach 2^32 + ..., so it is split by division, not by shifts.
  return ah * bh + Math.floor(cross / 0x10000) + Math.floor(middle / 0x10000);
}

// Seeded random numbers for simulations inside the statistics and their tests. Anyone in core may import it;
// never a source of secrets or of training seeds.

export interface Random {
  /** Uniform in [0, 1), 32 bits. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Uniform integer in [0, count). */
  below(count: number): number;
}

/**
 * A stream that depends on `seed` (any 32-bit integer) alone, the same on every machine.
 * Source: xoshiro128** (Blackman and Vigna 2018), its state filled by splitmix32; normals by Marsaglia's polar method.
 */
export function makeRandom(seed: number): Random {
  const next = xoshiro(seed);
  let spare: number | null = null;
  const uniform = (): number => next() / 2 ** 32;
  const normal = (): number => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
  return { uniform, normal, below: (count) => Math.floor(uniform() * count) };
}

function xoshiro(seed: number): () => number {
  const fill = splitmix(seed);
  let a = fill();
  let b = fill();
  let c = fill();
  let d = fill();
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
}

function splitmix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

// NumPy's SeedSequence: turns an integer seed and a spawn key into state words. Anyone in src-runner may import it.
// Children are addressed by explicit numeric keys, never by call order, so an added stream moves no other stream.

const MASK32 = 0xffffffffn;
const POOL_WORDS = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_L = 0xca01f9dd;
const MIX_R = 0x4973f715;

export interface SeedSequence {
  readonly entropy: bigint;
  readonly spawnKey: readonly number[];
  /** The child whose spawn key is this one's with `key` appended. Throws RangeError on an empty or negative key. */
  child(key: number | readonly number[]): SeedSequence;
  /** `count` state words of 32 bits, as NumPy's `generate_state(count)`. */
  words(count: number): Uint32Array;
  /** First 32-bit state word: for interfaces that need an integer seed. */
  integer32(): number;
  /** First 64-bit state word. */
  integer64(): bigint;
}

/** `entropy` is a non-negative integer of any size. Throws RangeError otherwise. */
export function makeSeedSequence(entropy: number | bigint, spawnKey: readonly number[] = []): SeedSequence {
  if (typeof entropy === 'number' && !Number.isSafeInteger(entropy)) throw new RangeError(`seed ${entropy} is not a safe integer`);
  const seed = BigInt(entropy);
  if (seed < 0n) throw new RangeError(`seed ${seed} is negative`);
  for (const key of spawnKey) {
    if (!Number.isSafeInteger(key) || key < 0) throw new RangeError(`spawn key ${key} is not a non-negative integer`);
  }
  const pool = mixedPool(entropyWords(seed, spawnKey));
  return {
    entropy: seed,
    spawnKey,
    child(key) {
      const keys = typeof key === 'number' ? [key] : key;
      if (keys.length === 0) throw new RangeError('a spawn key cannot be empty');
      return makeSeedSequence(seed, [...spawnKey, ...keys]);
    },
    words: (count) => stateWords(pool, count),
    integer32: () => stateWords(pool, 1)[0]!,
    integer64: () => {
      const words = stateWords(pool, 2);
      return BigInt(words[0]!) | (BigInt(words[1]!) << 32n);
    },
  };
}

/** Little-endian 32-bit words; 0 gives one zero word. */
function wordsOf(value: bigint): number[] {
  const words: number[] = [];
  do {
    words.push(Number(value & MASK32));
    value >>= 32n;
  } while (value > 0n);
  return words;
}

function entropyWords(seed: bigint, spawnKey: readonly number[]): number[] {
  const words = wordsOf(seed);
  if (spawnKey.length === 0) return words;
  while (words.length < POOL_WORDS) words.push(0);
  for (const key of spawnKey) words.push(...wordsOf(BigInt(key)));
  return words;
}

function mix(x: number, y: number): number {
  const mixed = (Math.imul(MIX_L, x) - Math.imul(MIX_R, y)) >>> 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function mixedPool(words: readonly number[]): Uint32Array {
  let constant = INIT_A;
  const hash = (value: number): number => {
    let v = value ^ constant;
    constant = Math.imul(constant, MULT_A);
    v = Math.imul(v, constant);
    return (v ^ (v >>> 16)) >>> 0;
  };
  const pool = new Uint32Array(POOL_WORDS);
  for (let i = 0; i < POOL_WORDS; i++) pool[i] = hash(words[i] ?? 0);
  for (let source = 0; source < POOL_WORDS; source++) {
    for (let target = 0; target < POOL_WORDS; target++) {
      if (source !== target) pool[target] = mix(pool[target]!, hash(pool[source]!));
    }
  }
  for (let extra = POOL_WORDS; extra < words.length; extra++) {
    for (let target = 0; target < POOL_WORDS; target++) pool[target] = mix(pool[target]!, hash(words[extra]!));
  }
  return pool;
}

function stateWords(pool: Uint32Array, count: number): Uint32Array {
  let constant = INIT_B;
  const state = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    let d = pool[i % POOL_WORDS]! ^ constant;
    constant = Math.imul(constant, MULT_B);
    d = Math.imul(d, constant);
    state[i] = d ^ (d >>> 16);
  }
  return state;
}

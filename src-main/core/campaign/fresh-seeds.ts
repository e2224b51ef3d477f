// The seeds of the verify stage: nobody can know them before they are used, and the same campaign always gets the same.
// Imported by this room only.
import { createHmac } from 'node:crypto';

const exampleKey = 'rlxp bundled example';

export interface FreshSeedOptions {
  /** Null for a bundled example: its seeds are fixed and the same on every machine. */
  readonly machineKey: Uint8Array | null;
  /** Digest of the approval; for a bundled example the study's name. */
  readonly subject: string;
  readonly count: number;
  /** Seeds that were used before (base, noise): never drawn. */
  readonly taken: ReadonlySet<number>;
}

/** `count` different seeds in [0, 2^31), by HMAC-SHA-256 of the subject and a counter. */
export function drawFreshSeeds(options: FreshSeedOptions): readonly number[] {
  const seeds: number[] = [];
  const used = new Set(options.taken);
  for (let counter = 0; seeds.length < options.count; counter += 1) {
    const mac = createHmac('sha256', options.machineKey ?? exampleKey)
      .update(`rlxp fresh seeds v1|${options.subject}|${counter}`)
      .digest();
    const seed = mac.readUInt32BE(0) >>> 1;
    if (used.has(seed)) continue;
    used.add(seed);
    seeds.push(seed);
  }
  return seeds;
}

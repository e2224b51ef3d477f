// The seeds of the verify stage: nobody can know them before they are used, and the same campaign always gets the same.
// Imported by this room and evidence.
import { createHmac } from 'node:crypto';
import type { ApprovalSubject } from '../../../src-protocol/files/approval.ts';
import { amendableGates } from '../contract/approval-in-use.ts';
import { digest } from '../provenance/canonical-json.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { searchDigest } from '../study/study-digest.ts';

const exampleKey = 'rlxp bundled example';

export interface FreshSeedOptions {
  /** Null for a bundled example: its seeds are fixed and the same on every machine. */
  readonly machineKey: Uint8Array | null;
  /** See seedSubject; for a bundled example the study's name. */
  readonly subject: string;
  readonly count: number;
  /** Seeds that were used before (base, noise): never drawn. */
  readonly taken: ReadonlySet<number>;
}

/** Digest of all that an approval covers but what an amendment may change: more budget must never draw new seeds. */
export function seedSubject(subject: ApprovalSubject, study: Pick<LoadedStudy, 'file'>): string {
  const gates = Object.fromEntries(Object.entries(subject.gates).filter(([name]) => !amendableGates.some((gate) => gate === name)));
  return digest({ ...subject, gates, study_digest: searchDigest(study.file) });
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

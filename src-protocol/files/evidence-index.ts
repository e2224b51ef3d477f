// index.json of an evidence bundle: what is in the zip, what was left out, and what was changed on the way in. Written by
// evidence_pack, read by evidence_verify.
import { z } from 'zod';
import { sha256, slug } from './plain.ts';

export const evidenceEntry = z.strictObject({
  /** Path inside the zip; what comes from the repository keeps its place below `.rlxp/`. */
  name: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256,
});
export type EvidenceEntry = z.infer<typeof evidenceEntry>;

export const evidenceIndex = z.strictObject({
  schema: z.literal(1),
  kind: z.literal('rlxp-evidence'),
  study: slug,
  program: z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() }),
  /** Every entry but this one, sorted by name. */
  entries: z.array(evidenceEntry),
  /** What another machine may miss, in words. */
  left_out: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  /** Entries in which something that looks like a secret was blotted out. */
  redacted: z.array(z.string()),
  /** Entries in which folders of the machine were replaced by `<repository>`, `<program>`, `<node>` or `<home>`. */
  without_paths: z.array(z.string()),
  /** The fresh seeds that were used, in the order of the draw: without the machine key they cannot be drawn again. */
  fresh_seeds: z.array(z.number().int().nonnegative()),
});
export type EvidenceIndex = z.infer<typeof evidenceIndex>;

// approval.json: who approved what, bound to the digests of everything that was approved, sealed with the machine key.
import { z } from 'zod';
import { gateName } from './contract.ts';
import { machineMark } from './ledger.ts';
import { isoTime, plain, plainMap, sha256, slug } from './plain.ts';

export const snapshotEntry = z.strictObject({ path: z.string(), mode: z.enum(['100644', '100755']), sha256 });

/** What an approval covers; its canonical JSON (RFC 8785) is what the digest and the seal are over. */
export const approvalSubject = z.strictObject({
  study: slug,
  /** SHA-256 of the canonical JSON of the study's values. */
  study_digest: sha256,
  experiment_digest: sha256,
  gates: z.record(gateName, sha256),
  /** Of its values; where several tags mean reward, also of the one that stands first. */
  adapter_digest: sha256,
  task_digest: sha256,
  /** Task code and edges: path, git mode and SHA-256 of the bytes with LF line endings. */
  snapshot: z.array(snapshotEntry),
  /** SHA-256 of the interpreter's package list; for the bundled runner of the program's package-lock. */
  packages_digest: sha256,
});
export type ApprovalSubject = z.infer<typeof approvalSubject>;

export const approvalFile = z.strictObject({
  schema: z.literal(1),
  kind: z.enum(['person', 'bundled-example']),
  by: z.string(),
  at: isoTime,
  /** Whether agents may start this campaign; ticked by the person who approved. */
  agents_may_start: z.boolean(),
  subject: approvalSubject,
  /** SHA-256 of the canonical JSON of the subject. */
  digest: sha256,
  /** Names the machine key that sealed it, without giving it away; null for a bundled example. */
  machine: machineMark.nullable(),
  /** HMAC-SHA-256 of digest, kind, by, at and agents_may_start under the machine key; null for a bundled example. */
  seal: sha256.nullable(),
});
export type ApprovalFile = z.infer<typeof approvalFile>;

/**
 * approved.json beside it: the values behind the subject's digests, so that a running campaign uses what was approved and a lapsed
 * approval can show what changed. The digests decide; this file is checked against them.
 */
export const approvedFile = z.strictObject({
  schema: z.literal(1),
  study: plainMap,
  experiment: plainMap,
  gates: z.record(gateName, plain),
  adapter: plainMap,
  task: plainMap,
});
export type ApprovedFile = z.infer<typeof approvedFile>;

/** .rlxp/approvals/<study>.json of an example that is shipped with the program. */
export const bundledApprovalFile = z.strictObject({ schema: z.literal(1), approval: approvalFile, approved: approvedFile });
export type BundledApprovalFile = z.infer<typeof bundledApprovalFile>;

// ledger.jsonl: append-only, hash-chained history of decisions and spending.
import { z } from 'zod';
import { isoTime, plainMap, sha256 } from './plain.ts';

export const ledgerKind = z.enum([
  'project_started',
  'audit_done',
  'gate_confirmed',
  'gate_lapsed',
  'experiment_proposed',
  'experiment_approved',
  'approval_lapsed',
  'amendment',
  'campaign_started',
  'campaign_ended',
  'device_seconds_spent',
  'verdict',
  'archived',
  'repaired',
  'doctor_approved',
  'doctor_started',
  'doctor_ended',
]);

export const ledgerLine = z.strictObject({
  schema: z.literal(1),
  seq: z.number().int().nonnegative(),
  at: isoTime,
  kind: ledgerKind,
  by: z.string(),
  study: z.string().nullable(),
  facts: plainMap,
  /** SHA-256 of the previous line's bytes (without its newline); of the empty string for the first. */
  prev: sha256,
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** Names a machine key without giving it away: the first 16 hex digits of a seal over a fixed text. */
export const machineMark = z.string().regex(/^[0-9a-f]{16}$/, 'expected 16 lowercase hex digits');

/**
 * ledger.head.json beside the ledger: the sealed head, so that a cut or rewritten chain is noticed. It is written twice for each line:
 * before, naming the line to come in `next`, and after, counting it; so a line that nobody sealed is never taken for one of ours.
 */
export const ledgerHead = z.strictObject({
  schema: z.literal(1),
  lines: z.number().int().nonnegative(),
  /** SHA-256 of the last counted line's bytes; of the empty string when there is none. */
  last: sha256,
  /** SHA-256 of the line being appended; null when no append is under way. */
  next: sha256.nullable(),
  /** Names the machine key that sealed it, without giving it away. */
  machine: machineMark,
  /** HMAC-SHA-256 of lines, last and next under the machine key. */
  seal: sha256,
});
export type LedgerHead = z.infer<typeof ledgerHead>;

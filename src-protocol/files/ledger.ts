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

/** ledger.head.json beside the ledger: the sealed head, so that a cut or rewritten chain is noticed. */
export const ledgerHead = z.strictObject({
  schema: z.literal(1),
  lines: z.number().int().nonnegative(),
  last: sha256,
  seal: sha256,
});
export type LedgerHead = z.infer<typeof ledgerHead>;

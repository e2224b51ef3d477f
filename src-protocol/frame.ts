// What travels while a feed is open. Dispatch makes these frames; every transport carries them; clients read them.
import { z } from 'zod';
import { fault, refusal } from './refusal.ts';
import type { Fault, Refusal } from './refusal.ts';

/**
 * The first frame is a snapshot with number 0, or the end. Changes follow, numbered 1, 2, 3, ... without a gap: a reader
 * that sees a gap opens the feed again. Nothing follows the end; an end without refusal and fault is a complete feed.
 */
export type Frame<Snapshot = unknown, Change = unknown> =
  | { readonly kind: 'snapshot'; readonly seq: 0; readonly snapshot: Snapshot }
  | { readonly kind: 'change'; readonly seq: number; readonly change: Change }
  | { readonly kind: 'end'; readonly seq: number; readonly refusal?: Refusal; readonly fault?: Fault };

/** Frames as a transport receives them, before the feed's own schemas are applied. */
export const frame = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('snapshot'), seq: z.literal(0), snapshot: z.unknown() }),
  z.strictObject({ kind: z.literal('change'), seq: z.number().int().positive(), change: z.unknown() }),
  z.strictObject({
    kind: z.literal('end'),
    seq: z.number().int().nonnegative(),
    refusal: refusal.exactOptional(),
    fault: fault.exactOptional(),
  }),
]);

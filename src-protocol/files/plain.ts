// Value shapes that several files of .rlxp/ share. Imported by the other schemas of this folder.
import { z } from 'zod';

/** What YAML and JSON can hold. Configuration blocks (`env_cfg`, `agent_cfg`, `canonical`) are maps of these. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };
export type PlainMap = { readonly [key: string]: Plain };

export const plain: z.ZodType<Plain> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(plain), z.record(z.string(), plain)]),
);
export const plainMap: z.ZodType<PlainMap> = z.record(z.string(), plain);

/** A name that is also a folder name: lowercase letters, digits, `_` and `-`; starts with a letter or digit; at most 64. */
export const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'use lowercase letters, digits, "-" and "_" (at most 64, starting with a letter or digit)');

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lowercase hex');

/** UTC, ISO 8601, as `Date.prototype.toISOString` writes it. */
export const isoTime = z.iso.datetime();

export const stageName = z.enum(['noise', 'screen', 'refine', 'verify', 'extra']);
export type StageName = z.infer<typeof stageName>;

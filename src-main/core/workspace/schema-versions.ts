// Versions of our file formats: numbered, explicit steps from one `schema` number to the next, and the refusal of later ones.
// Any room of the core may import it. Rules: docs/specs/check.md, CK20 to CK24.
import type { z } from 'zod';
import { makeRefusal, type Refusal } from '../../../src-protocol/refusal.ts';
import { jsonSchemaOf } from './schema-words.ts';

/** What a file of schema `from` looks like in schema `from + 1`. A pure function; it gets a copy and may change it. */
export interface SchemaStep {
  readonly from: number;
  readonly change: (value: Record<string, unknown>) => Record<string, unknown>;
}

/** The steps of one kind of file, oldest first, without a gap up to the schema that the program knows. */
export type SchemaSteps = readonly SchemaStep[];

export type Upgrade = { readonly ok: true; readonly value: unknown; readonly from: number | null } | { readonly ok: false; readonly reason: string };

/** The value in the schema that `schema` knows: as it is, or taken there step by step. What says no number is left to the schema. */
export function upgrade(value: unknown, schema: z.ZodType, steps: SchemaSteps = []): Upgrade {
  const known = knownSchema(schema);
  const found = numberOf(value);
  if (known === null || found === null || found >= known) return { ok: true, value, from: null };
  let at = found;
  let now = structuredClone(value) as Record<string, unknown>;
  while (at < known) {
    const step = steps.find((one) => one.from === at);
    if (step === undefined) return { ok: false, reason: `it has schema ${found}, and there is no way from ${at} to ${at + 1}` };
    now = { ...step.change(now), schema: at + 1 };
    at += 1;
  }
  return { ok: true, value: now, from: found };
}

/** The number of a schema later than the known one; null when the value is none. */
export function laterSchema(value: unknown, schema: z.ZodType): number | null {
  const known = knownSchema(schema);
  const found = numberOf(value);
  return known === null || found === null || found <= known ? null : found;
}

/** A refusal when `value` follows a later schema than this program knows, naming the version that is needed; null otherwise. */
export function newerSchema(value: unknown, schema: z.ZodType, shownAs: string): Refusal | null {
  const found = laterSchema(value, schema);
  if (found === null) return null;
  const known = knownSchema(schema);
  const program = fieldOf(value, 'program');
  const maker = [fieldOf(program, 'name'), fieldOf(program, 'version')].filter((part) => typeof part === 'string').join(' ');
  const by = maker === '' ? 'a newer version of this program' : maker;
  const message = `${shownAs} has schema ${found}, made by ${by}; this program reads schema ${known} at most.`;
  const fix = maker === '' ? 'Open it with the version that made it.' : `Open it with ${maker} or later.`;
  return makeRefusal('newer_schema', message, { problems: [{ file: shownAs, line: null, column: null, message: `schema ${found} is newer than ${known}`, fix }], ...(maker === '' ? {} : { next: fix }) });
}

export function knownSchema(schema: z.ZodType): number | null {
  const known = literalOf(schema) ?? jsonSchemaOf(schema).properties?.['schema']?.const;
  return typeof known === 'number' ? known : null;
}

/** Of a plain object; describing a whole schema to find one number takes a hundred times as long. */
function literalOf(schema: z.ZodType): number | undefined {
  let member: unknown = (schema as { readonly shape?: Readonly<Record<string, unknown>> }).shape?.['schema'];
  // A default or an optional wraps the literal.
  for (let inner = innerOf(member); inner !== undefined; inner = innerOf(member)) member = inner;
  const values = (member as { readonly def?: { readonly values?: readonly unknown[] } } | undefined)?.def?.values;
  return values?.length === 1 && typeof values[0] === 'number' ? values[0] : undefined;
}

function innerOf(member: unknown): unknown {
  return (member as { readonly def?: { readonly innerType?: unknown } } | undefined)?.def?.innerType;
}

function numberOf(value: unknown): number | null {
  const found = fieldOf(value, 'schema');
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : null;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

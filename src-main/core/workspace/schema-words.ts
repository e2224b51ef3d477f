// A zod schema in words for a person: what a value must be, which keys a map knows. Imported by this folder and study/.
// It reads the schema's JSON Schema, so it needs to know nothing of zod's insides.
import { countText } from '../../../src-protocol/count-text.ts';
import { z } from 'zod';

/** The few parts of JSON Schema that our file schemas produce. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

const cache = new WeakMap<z.ZodType, JsonSchema>();

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  let found = cache.get(schema);
  if (found === undefined) {
    found = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    cache.set(schema, found);
  }
  return found;
}

/** Schemas that a value at `path` may follow: several where the path crosses a choice. */
export function schemasAt(root: JsonSchema, path: readonly PropertyKey[]): readonly JsonSchema[] {
  let current = choices(root, root);
  for (const key of path) current = current.flatMap((schema) => below(schema, key)).flatMap((schema) => choices(root, schema));
  return current;
}

export function knownKeys(root: JsonSchema, path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(schemasAt(root, path).flatMap((schema) => Object.keys(schema.properties ?? {})))];
}

/** What a value at `path` must be, for example `a whole number above 0`. */
export function expectedAt(root: JsonSchema, path: readonly PropertyKey[]): string {
  const words = [...new Set(schemasAt(root, path).map(wordsFor))];
  return words.length === 0 ? 'something else' : words.join(' or ');
}

function choices(root: JsonSchema, schema: JsonSchema): readonly JsonSchema[] {
  if (schema.$ref !== undefined) {
    const target = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target === undefined ? [] : choices(root, target);
  }
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => choices(root, option));
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => choices(root, part));
  return [schema];
}

function below(schema: JsonSchema, key: PropertyKey): readonly JsonSchema[] {
  if (typeof key === 'number') return schema.items === undefined ? [] : [schema.items];
  const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[String(key)] : undefined;
  if (property !== undefined) return [property];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

function wordsFor(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return `one of ${schema.enum.map((item) => `\`${String(item)}\``).join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'string':
      return textWords(schema);
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return listWords(schema);
    case 'object':
      return mapWords(schema);
    default:
      return 'a plain value';
  }
}

function range(schema: JsonSchema): string {
  const low = schema.exclusiveMinimum ?? schema.minimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  const hasLow = low !== undefined && Math.abs(low) < Number.MAX_SAFE_INTEGER;
  const hasHigh = high !== undefined && Math.abs(high) < Number.MAX_SAFE_INTEGER;
  if (hasLow && hasHigh) return ` from ${low} to ${high}`;
  if (hasLow) return schema.exclusiveMinimum === undefined ? ` of at least ${low}` : ` above ${low}`;
  return hasHigh ? ` of at most ${high}` : '';
}

function textWords(schema: JsonSchema): string {
  if (schema.pattern === '^[a-z0-9][a-z0-9_-]{0,63}$') return 'a name in lowercase letters, digits, `-` and `_` (at most 64, starting with a letter or digit)';
  if (schema.pattern === '^[0-9a-f]{64}$') return 'a SHA-256 in lowercase hex';
  if (schema.format === 'date-time') return 'a time such as 2026-01-31T12:00:00.000Z';
  if (schema.pattern !== undefined) return `text of the form ${schema.pattern}`;
  return schema.minLength === undefined ? 'text' : 'text that is not empty';
}

function listWords(schema: JsonSchema): string {
  const items = schema.items === undefined || schema.items.type === undefined ? '' : `, each ${wordsFor(schema.items)}`;
  if (schema.items?.type === 'object') return `a list${atLeast(schema)} of maps`;
  return `a list${atLeast(schema)}${items}`;
}

function atLeast(schema: JsonSchema): string {
  if (schema.minItems === undefined) return '';
  return ` of at least ${countText(schema.minItems, 'item')}`;
}

function mapWords(schema: JsonSchema): string {
  const required = schema.required ?? [];
  return required.length === 0 ? 'a map' : `a map with ${required.map((key) => `\`${key}\``).join(', ')}`;
}

// What a schema found wrong with a file, with the line and what to do about it. Any room of the core may import it.
// Rules: docs/specs/files.md, F10 to F13.
import type { z } from 'zod';
import type { Problem } from '../../../src-protocol/refusal.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import { expectedAt, jsonSchemaOf, knownKeys, type JsonSchema } from './schema-words.ts';
import type { PathKey, Position } from './yaml-value.ts';

/** Where things stand in the file; a JSON file has none. */
export interface Places {
  valueAt(path: readonly PathKey[]): Position;
  keyAt(path: readonly PathKey[]): Position;
}

export interface SchemaCheck {
  readonly file: string;
  readonly schema: z.ZodType;
  /** The value that was parsed. */
  readonly value: unknown;
  readonly places: Places | null;
  /** Path of `value` inside the file, when only a part of it was checked. */
  readonly prefix?: readonly PathKey[];
}

type Issue = z.core.$ZodIssue;

const maxProblems = 50;

export function schemaProblems(error: z.ZodError, check: SchemaCheck): readonly Problem[] {
  const root = jsonSchemaOf(check.schema);
  return error.issues.flatMap((issue) => problemsOf(issue, root, check)).slice(0, maxProblems);
}

function problemsOf(issue: Issue, root: JsonSchema, check: SchemaCheck): readonly Problem[] {
  const path = issue.path.map(pathKey);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], root, check));
    case 'invalid_union':
      return insideUnion(issue, root, check) ?? [wrongValue(path, root, check)];
    case 'invalid_key':
      return [make(check, path, 'key', `\`${shown(path, check)}\` is no usable key`, 'Use another name for it.')];
    case 'custom':
      return [make(check, path, 'key', `\`${shown(path, check)}\`: ${issue.message}`, `${capital(issue.message)}.`)];
    default:
      return [wrongValue(path, root, check)];
  }
}

/** A choice fails with one list of issues per option: the option whose kind fits says what is wrong inside it. */
function insideUnion(issue: Extract<Issue, { code: 'invalid_union' }>, root: JsonSchema, check: SchemaCheck): readonly Problem[] | null {
  const fitting = issue.errors.filter((issues) => issues.length > 0 && !issues.some(isWrongKind));
  const [option] = fitting;
  if (option === undefined || fitting.length > 1) return null;
  return option.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, root, check));
}

function isWrongKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function unknownKey(path: readonly PathKey[], root: JsonSchema, check: SchemaCheck): Problem {
  const parent = path.slice(0, -1);
  const key = String(path[path.length - 1]);
  const known = knownKeys(root, parent);
  const near = nearestWord(key, known);
  const where = parent.length + (check.prefix?.length ?? 0) === 0 ? 'this file' : `\`${shown(parent, check)}\``;
  const fix = near === null ? `Remove it; the keys known here are ${known.map((word) => `\`${word}\``).join(', ')}.` : `Did you mean \`${near}\`?`;
  return make(check, path, 'key', `\`${key}\` is not a known key of ${where}`, fix);
}

function wrongValue(path: readonly PathKey[], root: JsonSchema, check: SchemaCheck): Problem {
  const found = valueAt(check.value, path);
  const expected = expectedAt(root, path);
  if (path.length === 0 && found === null) return make(check, path, 'value', 'the file is empty', `Write ${expected}.`);
  const key = String(path[path.length - 1] ?? '');
  if (found === undefined) return make(check, path, 'key', `\`${shown(path, check)}\` is missing`, `Add \`${key}:\` with ${expected}.`);
  const name = path.length + (check.prefix?.length ?? 0) === 0 ? 'the file' : `\`${shown(path, check)}\``;
  return make(check, path, 'value', `${name} must be ${expected}; it is ${valueWords(found)}`, `Write ${expected}.`);
}

function make(check: SchemaCheck, path: readonly PathKey[], side: 'key' | 'value', message: string, fix: string): Problem {
  const whole = [...(check.prefix ?? []), ...path];
  const at = side === 'key' ? check.places?.keyAt(whole) : check.places?.valueAt(whole);
  return { file: check.file, line: at?.line ?? null, column: at?.column ?? null, message, fix };
}

function shown(path: readonly PathKey[], check: SchemaCheck): string {
  return pathText([...(check.prefix ?? []), ...path]);
}

/** `candidates[2].agent_cfg`, as messages name a place. */
export function pathText(path: readonly PathKey[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

/** A value in a few words, for `it is ...`. */
export function valueWords(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return value.length > 60 ? `the text ${JSON.stringify(value.slice(0, 57))}...` : `the text ${JSON.stringify(value)}`;
  return String(value);
}

function valueAt(value: unknown, path: readonly PathKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Readonly<Record<PathKey, unknown>>)[key];
  }
  return current;
}

function pathKey(key: PropertyKey): PathKey {
  return typeof key === 'number' ? key : String(key);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

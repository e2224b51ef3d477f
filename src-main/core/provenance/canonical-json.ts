// One value, one text: canonical JSON (RFC 8785) and the SHA-256 digests taken of it. Any room of the core may import it.
import { createHash } from 'node:crypto';

/** A value that has no canonical JSON: NaN, undefined, a cycle, a lone surrogate, something that is no plain data. */
export class NotCanonicalError extends TypeError {
  /** Where in the value, as `$.stages[0].gain`. */
  readonly at: string;

  constructor(what: string, at: string) {
    super(`${what} at ${at} has no canonical JSON`);
    this.name = 'NotCanonicalError';
    this.at = at;
  }
}

/**
 * The RFC 8785 text of plain data: keys in order of their UTF-16 code units, numbers as ECMAScript prints them (-0 is 0),
 * no white space. Throws NotCanonicalError, with the place, for anything JSON cannot hold exactly.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '$', new Set());
}

/** SHA-256, as lowercase hex, of the canonical JSON of `value` in UTF-8. */
export function digest(value: unknown): string {
  return digestText(canonicalJson(value));
}

/** SHA-256, as lowercase hex, of `text` in UTF-8. */
export function digestText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** SHA-256, as lowercase hex, of `bytes`. */
export function digestBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function write(value: unknown, at: string, open: Set<object>): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonicalError(String(value), at);
      return JSON.stringify(value);
    case 'string':
      return writeString(value, at);
    case 'object':
      return value === null ? 'null' : writeObject(value, at, open);
    default:
      throw new NotCanonicalError(typeof value, at);
  }
}

function writeString(text: string, at: string): string {
  if (hasLoneSurrogate(text)) throw new NotCanonicalError('a string with a lone surrogate', at);
  return JSON.stringify(text);
}

function writeObject(value: object, at: string, open: Set<object>): string {
  if (open.has(value)) throw new NotCanonicalError('a cycle', at);
  open.add(value);
  const text = Array.isArray(value) ? writeArray(value, at, open) : writeMap(value, at, open);
  open.delete(value);
  return text;
}

// An index loop, because map() would skip the holes of a sparse array.
function writeArray(items: readonly unknown[], at: string, open: Set<object>): string {
  const parts: string[] = [];
  for (let index = 0; index < items.length; index += 1) parts.push(write(items[index], `${at}[${index}]`, open));
  return `[${parts.join(',')}]`;
}

function writeMap(value: object, at: string, open: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new NotCanonicalError('something that is no plain object', at);
  const map = value as Readonly<Record<string, unknown>>;
  const parts = Object.keys(map)
    .sort() // the default order of sort() is that of UTF-16 code units, as RFC 8785 asks
    .map((key) => `${writeString(key, at)}:${write(map[key], `${at}.${key}`, open)}`);
  return `{${parts.join(',')}}`;
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

// Reads one word of the command line as the value its schema asks for. Imported by words.ts.
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { ValueForm } from './flags.ts';

export type ReadValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Checks the kind only; ranges and patterns are the schema's, checked by dispatch. */
export function readValue(text: string, form: ValueForm): ReadValue {
  if (form.enum !== undefined) {
    return form.enum.includes(text) ? good(text) : bad(notAmong(text, form.enum.map(String)));
  }
  switch (form.type) {
    case 'string':
      return good(text);
    case 'integer':
    case 'number':
      return readNumber(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? good(text === 'true') : bad(`"${text}" is neither true nor false`);
    case 'array':
      return form.items === undefined ? readJson(text) : readValue(text, form.items);
    default:
      return readJson(text);
  }
}

function notAmong(text: string, choices: readonly string[]): string {
  const near = nearestWord(text, choices);
  return near === null ? `"${text}" is none of ${choices.join(', ')}` : `"${text}" is not known; did you mean "${near}"?`;
}

function readNumber(text: string): ReadValue {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? good(value) : bad(`"${text}" is not a number`);
}

function readJson(text: string): ReadValue {
  try {
    return good(JSON.parse(text) as unknown);
  } catch (error) {
    return bad(`this is not JSON (${error instanceof Error ? error.message : 'unreadable'}); for example '{"key": 1}'`);
  }
}

function good(value: unknown): ReadValue {
  return { ok: true, value };
}

function bad(message: string): ReadValue {
  return { ok: false, message };
}

// Reading one JSON text that a program wrote, as carefully as YAML. Imported by read-file.ts only.
import type { Problem } from '../../../src-protocol/refusal.ts';
import { maxYamlDepth } from './yaml-depth.ts';

export type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problems: readonly Problem[] };

/** Never throws on any text. Keys that would reach an object's prototype are refused. */
export function parseJson(text: string, file: string): JsonReading {
  const refused = (offset: number | null, message: string, fix: string): JsonReading => ({
    ok: false,
    problems: [{ file, ...place(text, offset), message, fix }],
  });
  const deep = tooDeep(text);
  if (deep !== null) return refused(deep, `the file nests more than ${maxYamlDepth} levels deep`, 'A program of ours writes this file: restore it from a copy.');
  let unsafe: string | null = null;
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text, (key, item: unknown) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') unsafe = key;
      return item;
    });
  } catch (error) {
    const offset = /position (\d+)/.exec(String(error));
    return refused(offset === null ? null : Number(offset[1]), 'this is no valid JSON', 'A program writes this file: restore it from a copy, or let it be written again.');
  }
  if (unsafe !== null) return refused(null, `the key \`${String(unsafe)}\` is not allowed`, 'Remove the key.');
  return { ok: true, value };
}

function tooDeep(text: string): number | null {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === 92) index += 1;
      else if (code === 34) isInText = false;
    } else if (code === 34) isInText = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > maxYamlDepth) return index;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return null;
}

function place(text: string, offset: number | null): { readonly line: number | null; readonly column: number | null } {
  if (offset === null) return { line: null, column: null };
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: Math.max(1, offset - before.lastIndexOf('\n')) };
}

// Numbers that may be non-finite, as they cross a boundary. Anyone may import it.
// JSON has no NaN or infinity: they travel as the strings "NaN", "Infinity" and "-Infinity".
import { z } from 'zod';

export type WireNumber = number | 'NaN' | 'Infinity' | '-Infinity';

/** Parses a number written by `toWire`: a finite JSON number or one of the three strings; gives a JavaScript number. */
export const anyNumber = z
  .union([z.number(), z.literal('NaN'), z.literal('Infinity'), z.literal('-Infinity')])
  .transform((value): number => (typeof value === 'number' ? value : Number(value)));

/** What JSON can carry for `value`; the inverse of `anyNumber`. Negative zero is kept as 0. */
export function toWire(value: number): WireNumber {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '-Infinity';
  return value;
}

/** `JSON.stringify` that writes every non-finite number, at any depth, as its string. */
export function stringifyWire(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'number' ? toWire(item) : item),
    indent,
  );
}

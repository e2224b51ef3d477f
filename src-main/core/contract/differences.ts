// What changed between two values, as rows a person can read. Core rooms left of contract may import it.
import type { Difference } from '../../../src-protocol/refusal.ts';
import { canonicalJson } from '../provenance/canonical-json.ts';

const maxRows = 24;
const maxTextLength = 120;

/** One row for each leaf that differs, named by its path below `what`; at most 24 rows, the last of which counts the rest. */
export function differencesBetween(what: string, approved: unknown, now: unknown): readonly Difference[] {
  const rows: Difference[] = [];
  collect(what, approved, now, rows);
  return capRows(rows);
}

export function capRows(rows: readonly Difference[]): readonly Difference[] {
  if (rows.length <= maxRows) return rows;
  const rest = rows.length - (maxRows - 1);
  return [...rows.slice(0, maxRows - 1), { what: `${rest} more`, approved: null, now: null }];
}

function collect(what: string, approved: unknown, now: unknown, rows: Difference[]): void {
  if (Object.is(approved, now)) return;
  if (isMap(approved) && isMap(now)) {
    for (const key of unionOfKeys(approved, now)) collect(`${what}.${key}`, approved[key], now[key], rows);
    return;
  }
  if (isNamedList(approved) && isNamedList(now)) {
    collectNamed(what, approved, now, rows);
    return;
  }
  if (Array.isArray(approved) && Array.isArray(now) && approved.length === now.length) {
    for (let index = 0; index < now.length; index += 1) collect(`${what}[${index}]`, approved[index], now[index], rows);
    return;
  }
  if (!isSame(approved, now)) rows.push({ what, approved: show(approved), now: show(now) });
}

/** Lists of things with names (candidates, guardrails) are matched by name, so that one added candidate is one row. */
function collectNamed(what: string, approved: readonly Named[], now: readonly Named[], rows: Difference[]): void {
  const before = new Map(approved.map((item) => [item.name, item]));
  const after = new Map(now.map((item) => [item.name, item]));
  for (const name of new Set([...before.keys(), ...after.keys()])) collect(`${what}.${name}`, before.get(name), after.get(name), rows);
  const order = (items: readonly Named[]): string => items.map((item) => item.name).join(', ');
  if (before.size === after.size && [...before.keys()].every((name) => after.has(name)) && order(approved) !== order(now)) {
    rows.push({ what: `${what}: their order`, approved: shorten(order(approved)), now: shorten(order(now)) });
  }
}

interface Named {
  readonly name: string;
}

function isNamedList(value: unknown): value is readonly Named[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const names = value.map((item: unknown) => (isMap(item) ? item['name'] : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unionOfKeys(left: object, right: object): readonly string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
}

function isSame(left: unknown, right: unknown): boolean {
  return left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);
}

/** Null when the value is absent, which is not the same as the value `null`. */
function show(value: unknown): string | null {
  return value === undefined ? null : shorten(typeof value === 'string' ? value : canonicalJson(value));
}

function shorten(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1)}…`;
}

// Turns what a handler gives into what JSON can carry. Imported by dispatch only.
import { toWire } from '../../../src-protocol/number.ts';

/**
 * A deep copy in which non-finite numbers are their strings and absent values are left out. Throws a TypeError on what
 * JSON would lose silently (functions, bigints, Maps, Dates, cycles): handlers give plain values.
 */
export function toWireValue(value: unknown, depth = 0): unknown {
  if (depth > 200) throw new TypeError('an output is nested deeper than 200 levels, or holds itself');
  switch (typeof value) {
    case 'number':
      return toWire(value);
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : objectToWire(value, depth);
    default:
      throw new TypeError(`an output holds a ${typeof value}, which JSON cannot carry`);
  }
}

function objectToWire(value: object, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => toWireValue(item, depth + 1) ?? null);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError(`an output holds a ${value.constructor.name}, which JSON cannot carry`);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const wire = toWireValue(item, depth + 1);
    if (wire !== undefined) define(copy, key, wire);
  }
  return copy;
}

/** A plain assignment of `__proto__` would set the prototype. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

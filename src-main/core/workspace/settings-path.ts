// Dotted paths into configuration blocks: `agent_cfg.agent.learning_epochs`. Any room of the core may import it.
// A dot inside a key is written `\.` and a backslash `\\`, so a path names one place only.
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';

export function joinPath(keys: readonly string[]): string {
  return keys.map((key) => key.replaceAll(/[\\.]/g, '\\$&')).join('.');
}

export function splitPath(path: string): readonly string[] {
  const keys: string[] = [];
  let key = '';
  for (let index = 0; index < path.length; index += 1) {
    const char = path.charAt(index);
    if (char === '\\' && index + 1 < path.length) {
      index += 1;
      key += path.charAt(index);
    } else if (char === '.') {
      keys.push(key);
      key = '';
    } else key += char;
  }
  keys.push(key);
  return keys;
}

/** Whether `path` is `scope` or lies below it. */
export function covers(scope: string, path: string): boolean {
  const outer = splitPath(scope);
  const inner = splitPath(path);
  return outer.length <= inner.length && outer.every((key, index) => key === inner[index]);
}

/** The value at `path`; undefined when nothing is there. */
export function getPath(map: PlainMap, path: string): Plain | undefined {
  let current: Plain = map;
  for (const key of splitPath(path)) {
    if (!isPlainMap(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key] as Plain;
  }
  return current;
}

/** A copy of `map` with `value` at `path` (undefined removes it); maps on the way are made, and replace anything else. */
export function setPath(map: PlainMap, path: string, value: Plain | undefined): PlainMap {
  return setKeys(map, splitPath(path), value);
}

function setKeys(map: PlainMap, keys: readonly string[], value: Plain | undefined): PlainMap {
  const [key, ...rest] = keys;
  if (key === undefined) return map;
  checkKey(key);
  const copy: Record<string, Plain> = { ...map };
  if (rest.length > 0) {
    const inner = Object.hasOwn(map, key) ? map[key] : undefined;
    if (value === undefined && !isPlainMap(inner)) return map;
    copy[key] = setKeys(isPlainMap(inner) ? inner : {}, rest, value);
  } else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}

export function isPlainMap(value: Plain | undefined): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws RangeError for a key that would reach an object's prototype. Files with such keys are refused when they are read. */
export function checkKey(key: string): void {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new RangeError(`\`${key}\` is no settings key`);
}

// Merging configuration blocks and naming what differs between two. Any room of the core may import it.
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import { checkKey, isPlainMap, joinPath } from './settings-path.ts';

export { covers, getPath, isPlainMap, joinPath, setPath, splitPath } from './settings-path.ts';

/** `over` laid on `base`: maps merge key by key, everything else (lists too) replaces. Neither argument is changed. */
export function mergeSettings(base: PlainMap, over: PlainMap): PlainMap {
  const result: Record<string, Plain> = {};
  for (const key of Object.keys(base)) {
    checkKey(key);
    result[key] = base[key] as Plain;
  }
  for (const key of Object.keys(over)) {
    checkKey(key);
    const mine = result[key];
    const theirs = over[key] as Plain;
    result[key] = isPlainMap(theirs) ? mergeSettings(isPlainMap(mine) ? mine : {}, theirs) : theirs;
  }
  return result;
}

/** One setting that differs; undefined where it does not exist. */
export interface SettingChange {
  /** Dotted path of the smallest value that differs. */
  readonly path: string;
  readonly before: Plain | undefined;
  readonly after: Plain | undefined;
}

/**
 * What turns `before` into `after`, in order of path: setting every `after` at its `path` gives `after` again.
 * A map that is new counts setting by setting, one that is gone counts once.
 */
export function differences(before: PlainMap, after: PlainMap): readonly SettingChange[] {
  return inside(before, after, []).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function inside(before: PlainMap, after: PlainMap, at: readonly string[]): SettingChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => between(own(before, key), own(after, key), [...at, key]));
}

function between(before: Plain | undefined, after: Plain | undefined, at: readonly string[]): SettingChange[] {
  if (isPlainMap(after) && (isPlainMap(before) || (before === undefined && Object.keys(after).length > 0))) {
    return inside(before ?? {}, after, at);
  }
  return isSamePlain(before, after) ? [] : [{ path: joinPath(at), before, after }];
}

function own(map: PlainMap, key: string): Plain | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Whether two plain values are equal; the order of keys does not count. */
export function isSamePlain(a: Plain | undefined, b: Plain | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item: Plain, index) => isSamePlain(item, (b as readonly Plain[])[index]));
  if (!isPlainMap(a) || !isPlainMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSamePlain(a[key], b[key]));
}

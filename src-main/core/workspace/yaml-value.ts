// From a parsed YAML document to plain values and the place of each of them. Imported by yaml-document.ts only.
// Our own walk instead of the library's toJS: it knows where every value stands, refuses what our files may not hold,
// and bounds what aliases can expand to.
import { isAlias, isMap, isScalar, isSeq, type Alias, type Document, type LineCounter, type Node, type Pair, type Scalar } from 'yaml';
import type { Plain } from '../../../src-protocol/files/plain.ts';
import { maxYamlDepth } from './yaml-depth.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type PathKey = string | number;

/** The place of one value and of everything below it. */
export interface PlacedNode {
  /** Where its key stands; the value's own place for list items and the root. */
  readonly key: Position;
  readonly value: Position;
  /** Dotted name for messages; empty for the root. */
  readonly name: string;
  readonly children: Map<PathKey, PlacedNode>;
}

export interface ValueProblem {
  readonly at: Position;
  readonly message: string;
  readonly fix: string;
}

const maxAliases = 100;
const maxValues = 100_000;
const plainTags: ReadonlySet<string> = new Set(['null', 'bool', 'int', 'float', 'str', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`));
const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Values and places of `document`, with everything in it that a file of ours may not hold. */
export function readValue(
  document: Document,
  lines: LineCounter,
): { readonly value: Plain; readonly root: PlacedNode; readonly problems: readonly ValueProblem[] } {
  const walk = new Walk(lines);
  const start = walk.positionOf(document.contents, { line: 1, column: 1 });
  const root: PlacedNode = { key: start, value: start, name: '', children: new Map() };
  const value = walk.node(document.contents, root, 0);
  return { value, root, problems: walk.problems };
}

/** Ends the walk at once: what follows would only repeat or explode. */
class TooMuch extends Error {}

class Walk {
  readonly problems: ValueProblem[] = [];
  private readonly lines: LineCounter;
  /** Anchors met so far; the last of a name counts. */
  private readonly anchors = new Map<string, Node>();
  /** What an alias stood for when it was met first, whatever its name was given to since. */
  private readonly targets = new Map<Alias, Node>();
  private isInAlias = false;
  private aliases = 0;
  private values = 0;
  private stopped = false;

  constructor(lines: LineCounter) {
    this.lines = lines;
  }

  positionOf(node: unknown, fallback: Position): Position {
    const range = (node as Node | null)?.range;
    if (range === undefined || range === null) return fallback;
    const found = this.lines.linePos(range[0]);
    return { line: Math.max(1, found.line), column: Math.max(1, found.col) };
  }

  /** `depth` counts through aliases too, so a node that holds itself ends here. */
  node(node: unknown, place: PlacedNode, depth: number): Plain {
    try {
      return this.plainOf(node, place, depth);
    } catch (error) {
      if (error instanceof TooMuch) return null;
      throw error;
    }
  }

  private plainOf(node: unknown, place: PlacedNode, depth: number): Plain {
    this.values += 1;
    if (this.values > maxValues) this.giveUp(place, `the file holds more than ${maxValues} values`, 'Make the file smaller; aliases may be repeating a large block.');
    if (depth > maxYamlDepth) this.giveUp(place, `values nest more than ${maxYamlDepth} deep (an alias may hold itself)`, 'Write the value out without the alias.');
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.aliasTarget(node, place, depth);
    this.noteAnchor(node as Node);
    this.checkTag((node as Node).tag, place);
    if (isMap(node)) return this.map(node.items, place, depth);
    if (isSeq(node)) return node.items.map((item, index) => this.plainOf(item, this.child(place, index, item, item), depth + 1));
    return isScalar(node) ? this.scalar(node, place) : null;
  }

  private aliasTarget(alias: Alias, place: PlacedNode, depth: number): Plain {
    const name = alias.source;
    const target = this.targets.get(alias) ?? this.anchors.get(name);
    this.aliases += 1;
    if (this.aliases > maxAliases) this.giveUp(place, `aliases expand more than ${maxAliases} times`, 'Write the values out; a file of this kind needs no aliases.');
    if (target === undefined) {
      this.report(place.value, `the alias *${name} has no anchor before it`, `Define &${name} earlier in the file or write the value out.`);
      return null;
    }
    // Everything below an alias is placed at the alias: that is the line a person has to change.
    this.targets.set(alias, target);
    const wasInAlias = this.isInAlias;
    this.isInAlias = true;
    const value = this.plainOf(target, { ...place, children: new Map() }, depth + 1);
    this.isInAlias = wasInAlias;
    return value;
  }

  private map(pairs: readonly Pair[], place: PlacedNode, depth: number): Plain {
    const result: Record<string, Plain> = {};
    for (const pair of pairs) {
      const key = this.key(pair, place);
      if (key === null) continue;
      const child = this.child(place, key, pair.key, pair.value);
      if (Object.hasOwn(result, key)) {
        const first = place.children.get(key) ?? place;
        this.report(child.key, `the key \`${key}\` stands here a second time (first on line ${first.key.line})`, 'Keep one of the two.');
        continue;
      }
      place.children.set(key, child);
      result[key] = this.plainOf(pair.value, child, depth + 1);
    }
    return result;
  }

  private key(pair: Pair, place: PlacedNode): string | null {
    const { key } = pair;
    const at = this.positionOf(key, place.value);
    if (!isScalar(key) || key.value === null || key.value === '') {
      this.report(at, 'a key must be a plain word, not empty, a list, a map or an alias', 'Write the key as a word before the colon.');
      return null;
    }
    this.noteAnchor(key);
    this.checkTag(key.tag, { key: at, value: at, name: place.name, children: new Map() });
    const text = String(key.value);
    this.checkText(text, { key: at, value: at, name: 'a key', children: new Map() });
    if (unsafeKeys.has(text)) {
      this.report(at, `the key \`${text}\` is not allowed`, 'Use another name.');
      return null;
    }
    if (text === '<<') {
      this.report(at, 'merge keys (`<<`) are not read', 'Write the merged settings out.');
      return null;
    }
    return text;
  }

  private scalar(node: Scalar, place: PlacedNode): Plain {
    const { value } = node;
    if (typeof value === 'number') return this.number(value, node.source ?? String(value), place);
    if (typeof value === 'string') this.checkText(value, place);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    this.report(place.value, `\`${String(value)}\` is neither text, number, true, false nor null`, 'Put the value in quotes.');
    return null;
  }

  /** A lone surrogate, written as an escape, has no UTF-8 and so no digest. */
  private checkText(text: string, place: PlacedNode): void {
    if (/\p{Surrogate}/u.test(text)) this.report(place.value, `${named(place)} holds half of a character`, 'Write the character itself instead of `\\u` escapes.');
  }

  private number(value: number, source: string, place: PlacedNode): Plain {
    if (!Number.isFinite(value)) {
      this.report(place.value, `${named(place)} must be a finite number; it is \`${source}\``, 'Write a finite number.');
      return 0;
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?[0-9]+$/.test(source)) {
      this.report(place.value, `${named(place)} is the whole number ${source}, too large to be kept exactly`, 'Use a number up to 9007199254740991, or put it in quotes.');
      return 0;
    }
    return value === 0 ? 0 : value;
  }

  private noteAnchor(node: Node): void {
    const { anchor } = node as { readonly anchor?: string };
    if (anchor !== undefined && !this.isInAlias) this.anchors.set(anchor, node);
  }

  private checkTag(tag: string | undefined, place: PlacedNode): void {
    if (tag === undefined || plainTags.has(tag)) return;
    const shown = tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice('tag:yaml.org,2002:'.length)}` : tag;
    this.report(place.value, `the tag \`${shown}\` is not allowed: these files hold plain values only`, 'Remove the tag and write the value itself.');
  }

  private child(place: PlacedNode, key: PathKey, keyNode: unknown, valueNode: unknown): PlacedNode {
    const keyAt = this.positionOf(keyNode, place.value);
    const name = typeof key === 'number' ? `${place.name}[${key}]` : place.name === '' ? key : `${place.name}.${key}`;
    const child: PlacedNode = { key: keyAt, value: this.positionOf(valueNode, keyAt), name, children: new Map() };
    if (typeof key === 'number') place.children.set(key, child);
    return child;
  }

  private report(at: Position, message: string, fix: string): void {
    if (!this.stopped) this.problems.push({ at, message, fix });
  }

  private giveUp(place: PlacedNode, message: string, fix: string): never {
    this.report(place.value, message, fix);
    this.stopped = true;
    throw new TooMuch(message);
  }
}

function named(place: PlacedNode): string {
  return place.name === '' ? 'the file' : `\`${place.name}\``;
}

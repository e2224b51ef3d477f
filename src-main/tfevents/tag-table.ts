// Gives every scalar tag of a run a small number, straight from its UTF-8 bytes; this folder and makers of readers import it.

/** Longest tag that is taken, in UTF-8 bytes. */
export const MAX_TAG_BYTES = 1024;
/** Most tags of one run. */
export const MAX_TAGS = 10_000;
export const REFUSED_TAG = -1;

const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** The tag in these bytes; broken UTF-8 becomes U+FFFD. */
export function decodeTag(bytes: Uint8Array, start: number, end: number): string {
  return text.decode(bytes.subarray(start, end));
}

/**
 * An open-addressed hash table keyed by bytes, so that a tag seen before costs no string.
 * Indices are stable; spellings that decode to the same string share one.
 */
export class TagTable {
  readonly #names: string[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #limit: number;
  readonly #entries: Entry[] = [];
  /** The entry found last: writers log their tags in turns, so what followed it before is looked at first. */
  #last: Entry | undefined;
  #slots = new Int32Array(64); // position in #entries plus one; 0 is free

  constructor(limit: number = MAX_TAGS) {
    this.#limit = limit;
  }

  /** All tags by index; the same array, which only grows. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Index of the tag in bytes `start` to `end` of `view`, or REFUSED_TAG when it is too long or one too many. */
  index(view: DataView, start: number, end: number): number {
    const guess = this.#last?.next;
    if (guess !== undefined && isSame(guess.key, view, start, end)) {
      this.#last = guess;
      return guess.index;
    }
    return this.#lookUp(view, start, end);
  }

  #lookUp(view: DataView, start: number, end: number): number {
    if (end - start > MAX_TAG_BYTES) return REFUSED_TAG;
    const hash = hashOf(view, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = this.#entries[slots[slot]! - 1]!;
      if (entry.hash === hash && isSame(entry.key, view, start, end)) return this.#follow(entry);
    }
    return this.#add(hash, view, start, end);
  }

  #add(hash: number, view: DataView, start: number, end: number): number {
    if (this.#entries.length >= this.#limit) return REFUSED_TAG;
    const key = new Uint8Array(view.buffer, view.byteOffset + start, end - start).slice();
    const name = decodeTag(key, 0, key.length);
    const index = this.#indexOf.get(name) ?? this.#names.push(name) - 1;
    this.#indexOf.set(name, index);
    const entry: Entry = { key: new DataView(key.buffer), hash, index, next: undefined };
    this.#entries.push(entry);
    if (this.#entries.length * 2 > this.#slots.length) this.#grow();
    else this.#place(this.#entries.length - 1);
    return this.#follow(entry);
  }

  #follow(entry: Entry): number {
    if (this.#last !== undefined) this.#last.next = entry;
    this.#last = entry;
    return entry.index;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    for (let at = 0; at < this.#entries.length; at += 1) this.#place(at);
  }

  #place(at: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#entries[at]!.hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = at + 1;
  }
}

interface Entry {
  readonly key: DataView;
  readonly hash: number;
  readonly index: number;
  /** What followed it the last time that the guess was wrong. */
  next: Entry | undefined;
}

/** Four bytes at a time; the last word overlaps the one before. */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = end - start;
  if (hash < 4) {
    for (let at = start; at < end; at += 1) hash = mix(hash, view.getUint8(at));
    return hash;
  }
  const last = end - 4;
  for (let at = start; at < last; at += 4) hash = mix(hash, view.getInt32(at));
  return mix(hash, view.getInt32(last));
}

function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function isSame(key: DataView, view: DataView, start: number, end: number): boolean {
  const length = key.byteLength;
  if (length !== end - start) return false;
  if (length < 4) {
    for (let at = 0; at < length; at += 1) if (key.getUint8(at) !== view.getUint8(start + at)) return false;
    return true;
  }
  const last = length - 4;
  for (let at = 0; at < last; at += 4) if (key.getInt32(at) !== view.getInt32(start + at)) return false;
  return key.getInt32(last) === view.getInt32(start + last);
}

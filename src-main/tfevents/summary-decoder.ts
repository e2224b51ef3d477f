// Decodes the values of a Summary message and keeps the scalars; only event-decoder.ts imports it.
// Field numbers: tensorflow/core/framework/summary.proto.
import { ColumnBuilder } from './scalar-columns.ts';
import { MAX_TAGS, MAX_TAG_BYTES, REFUSED_TAG, decodeTag } from './tag-table.ts';
import type { TagTable } from './tag-table.ts';
import { readTensorScalar } from './tensor-scalar.ts';
import { FIXED32, LENGTH_DELIMITED } from './wire-cursor.ts';
import type { WireCursor } from './wire-cursor.ts';

const VALUE = (1 << 3) | LENGTH_DELIMITED;
const TAG = (1 << 3) | LENGTH_DELIMITED;
const SIMPLE_VALUE = (2 << 3) | FIXED32;
const TENSOR = (8 << 3) | LENGTH_DELIMITED;
const METADATA = (9 << 3) | LENGTH_DELIMITED;
// The other members of the value's oneof: old histogram, image, histogram, audio.
const OTHER_KINDS: readonly number[] = [3, 4, 5, 6].map((field) => (field << 3) | LENGTH_DELIMITED);
const PLUGIN_DATA = (1 << 3) | LENGTH_DELIMITED;
const PLUGIN_NAME = (1 << 3) | LENGTH_DELIMITED;

const SCALARS = new TextEncoder().encode('scalars');

type Plugin = 'unsaid' | 'scalars' | 'foreign';

/** The summaries of one file: only a tag's first value says which plugin it belongs to, so foreign tags are remembered. */
export class SummaryDecoder {
  readonly rows: ColumnBuilder;
  /** Values that are no scalar: histograms, images, texts, tensors of several numbers. */
  otherValues = 0;
  /** Scalars whose tag is too long or one too many. */
  refusedValues = 0;

  readonly #tags: TagTable;
  readonly #foreignTags = new Set<string>();
  #before = { rows: 0, otherValues: 0, refusedValues: 0 };

  constructor(tags: TagTable) {
    this.#tags = tags;
    this.rows = new ColumnBuilder(tags.names);
  }

  /** Marks the state that `undo` goes back to. */
  begin(): void {
    this.#before.rows = this.rows.length;
    this.#before.otherValues = this.otherValues;
    this.#before.refusedValues = this.refusedValues;
  }

  undo(): void {
    this.rows.length = this.#before.rows;
    this.otherValues = this.#before.otherValues;
    this.refusedValues = this.#before.refusedValues;
  }

  /** Reads the Summary that the cursor has entered. */
  read(cursor: WireCursor, step: number, wallTime: number): void {
    const end = cursor.end;
    while (cursor.at < end) {
      const key = cursor.key();
      if (key === VALUE) {
        const stop = cursor.block();
        cursor.end = stop;
        this.#readValue(cursor, step, wallTime);
        if (!cursor.isFailed) cursor.enter(stop, end);
      } else cursor.skip(key & 7);
    }
  }

  #readValue(cursor: WireCursor, step: number, wallTime: number): void {
    const end = cursor.end;
    let tagStart = cursor.at;
    let tagEnd = cursor.at;
    let kind = 0;
    let value = 0;
    let tensorStart = 0;
    let tensorEnd = 0;
    let plugin: Plugin = 'unsaid';
    while (cursor.at < end) {
      const key = cursor.key();
      if (key === TAG) {
        tagEnd = cursor.block();
        tagStart = cursor.at;
        cursor.at = tagEnd;
      } else if (key === SIMPLE_VALUE) {
        value = cursor.float();
        kind = key;
      } else if (key === TENSOR) {
        tensorEnd = cursor.block();
        tensorStart = cursor.at;
        cursor.at = tensorEnd;
        kind = key;
      } else if (key === METADATA) plugin = readPlugin(cursor);
      else {
        if (OTHER_KINDS.includes(key)) kind = key;
        cursor.skip(key & 7);
      }
    }
    if (cursor.isFailed) return;
    let isScalar = kind === SIMPLE_VALUE;
    if (plugin === 'foreign') this.#rememberForeign(cursor.bytes, tagStart, tagEnd);
    if (kind === TENSOR && !this.#isForeign(plugin, cursor.bytes, tagStart, tagEnd)) {
      cursor.enter(tensorStart, tensorEnd);
      const number = readTensorScalar(cursor);
      if (number !== undefined) {
        value = number;
        isScalar = true;
      }
    }
    if (!isScalar) {
      this.otherValues += 1;
      return;
    }
    const tagIndex = this.#tags.index(cursor.view, tagStart, tagEnd);
    if (tagIndex === REFUSED_TAG) this.refusedValues += 1;
    else this.rows.add(tagIndex, step, wallTime, value);
  }

  #rememberForeign(bytes: Uint8Array, tagStart: number, tagEnd: number): void {
    if (this.#foreignTags.size >= MAX_TAGS || tagEnd - tagStart > MAX_TAG_BYTES) return;
    this.#foreignTags.add(decodeTag(bytes, tagStart, tagEnd));
  }

  #isForeign(plugin: Plugin, bytes: Uint8Array, tagStart: number, tagEnd: number): boolean {
    if (plugin !== 'unsaid') return plugin === 'foreign';
    if (this.#foreignTags.size === 0 || tagEnd - tagStart > MAX_TAG_BYTES) return false;
    return this.#foreignTags.has(decodeTag(bytes, tagStart, tagEnd));
  }
}

/** The plugin that the SummaryMetadata at the cursor names. */
function readPlugin(cursor: WireCursor): Plugin {
  const outer = cursor.end;
  let plugin: Plugin = 'unsaid';
  cursor.end = cursor.block();
  while (cursor.at < cursor.end) {
    const key = cursor.key();
    if (key === PLUGIN_DATA) plugin = readPluginName(cursor);
    else cursor.skip(key & 7);
  }
  cursor.end = outer;
  return plugin;
}

function readPluginName(cursor: WireCursor): Plugin {
  const outer = cursor.end;
  let plugin: Plugin = 'unsaid';
  cursor.end = cursor.block();
  while (cursor.at < cursor.end) {
    const key = cursor.key();
    if (key === PLUGIN_NAME) {
      const stop = cursor.block();
      if (stop > cursor.at) plugin = isScalars(cursor.bytes, cursor.at, stop) ? 'scalars' : 'foreign';
      cursor.at = stop;
    } else cursor.skip(key & 7);
  }
  cursor.end = outer;
  return plugin;
}

function isScalars(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== SCALARS.length) return false;
  for (let at = 0; at < SCALARS.length; at += 1) if (SCALARS[at] !== bytes[start + at]) return false;
  return true;
}

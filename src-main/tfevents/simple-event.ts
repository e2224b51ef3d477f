// The short way through an Event that holds nothing but simple values, as nearly every one does; only event-decoder.ts imports it.
// It takes the form that all writers give such an event and leaves every other one to the general way, which decides what
// is valid: this one only saves time (rule TF26).
import type { ColumnBuilder } from './scalar-columns.ts';
import { REFUSED_TAG } from './tag-table.ts';
import type { TagTable } from './tag-table.ts';

// Wall time, summary and one value with an empty tag, without a step; a shorter event is not simple. As the longest step
// read here ends at byte 17, nothing before the values is read beyond the event.
const LEAST_BYTES = 20;
const STEP_BYTES = 7; // 49 bits: exact as a double
// One-byte keys: field number times eight plus wire type.
const WALL_TIME = 0x09;
const STEP = 0x10;
const SUMMARY = 0x2a;
const VALUE = 0x0a;
const TAG = 0x0a;
const SIMPLE_VALUE = 0x15;
/** Bytes of a value beside its tag: two keys, the tag's length and the float. */
const VALUE_FRAME_BYTES = 7;

export class SimpleEvent {
  wallTime = 0;
  readonly #rows: ColumnBuilder;
  readonly #tags: TagTable;
  #step = 0;

  constructor(rows: ColumnBuilder, tags: TagTable) {
    this.#rows = rows;
    this.#tags = tags;
  }

  /** Adds the rows of the Event in `view[start..end)`; false, with nothing added but names of tags, when it is not simple. */
  take(view: DataView, start: number, end: number): boolean {
    if (end - start < LEAST_BYTES || view.getUint8(start) !== WALL_TIME) return false;
    this.wallTime = view.getFloat64(start + 1, true);
    let at = this.#takeStep(view, start + 9);
    if (view.getUint8(at) !== SUMMARY) return false;
    let length = view.getUint8(at + 1);
    at += 2;
    if (length > 127) {
      const high = view.getUint8(at);
      if (high > 127) return false;
      length = (length & 127) | (high << 7);
      at += 1;
    }
    if (at + length !== end) return false;
    const { length: before } = this.#rows;
    if (this.#takeValues(view, at, end)) return true;
    this.#rows.length = before;
    return false;
  }

  /** Gives where the next field begins, which is no summary when the step is too long. */
  #takeStep(view: DataView, at: number): number {
    this.#step = 0;
    if (view.getUint8(at) !== STEP) return at;
    let unit = 1;
    for (let next = at + 1; next <= at + STEP_BYTES; next += 1) {
      const byte = view.getUint8(next);
      this.#step += (byte & 127) * unit;
      if (byte < 128) return next + 1;
      unit *= 128;
    }
    return at;
  }

  #takeValues(view: DataView, start: number, end: number): boolean {
    let at = start;
    while (at + VALUE_FRAME_BYTES + 2 <= end) {
      const length = view.getUint8(at + 1);
      const tagBytes = length - VALUE_FRAME_BYTES;
      const tagStart = at + 4;
      const tagEnd = tagStart + tagBytes;
      at += 2 + length;
      if (length > 127 || at > end || tagBytes < 0) return false;
      if (view.getUint8(tagStart - 4) !== VALUE || view.getUint8(tagStart - 2) !== TAG || view.getUint8(tagStart - 1) !== tagBytes || view.getUint8(tagEnd) !== SIMPLE_VALUE) return false;
      const tag = this.#tags.index(view, tagStart, tagEnd);
      if (tag === REFUSED_TAG) return false;
      this.#rows.add(tag, this.#step, this.wallTime, view.getFloat32(tagEnd + 1, true));
    }
    return at === end;
  }
}

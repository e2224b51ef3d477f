// Decodes one Event message into scalar rows and session starts; only event-reader.ts imports it.
// Field numbers: tensorflow/core/util/event.proto.
import { SimpleEvent } from './simple-event.ts';
import { SummaryDecoder } from './summary-decoder.ts';
import { decodeTag } from './tag-table.ts';
import type { TagTable } from './tag-table.ts';
import { FIXED64, LENGTH_DELIMITED, VARINT, WireCursor } from './wire-cursor.ts';

/** A writer began (again): points of earlier sessions at `step` or later are void. */
export interface SessionStart {
  readonly step: number;
  readonly wallTime: number;
  /** How many points of the same batch come before it. */
  readonly atPoint: number;
}

const WALL_TIME = (1 << 3) | FIXED64;
const STEP = (2 << 3) | VARINT;
const FILE_VERSION = (3 << 3) | LENGTH_DELIMITED;
const SUMMARY = (5 << 3) | LENGTH_DELIMITED;
const SESSION_LOG = (7 << 3) | LENGTH_DELIMITED;
const STATUS = (1 << 3) | VARINT;
const STATUS_START = 1;

const MAX_VERSION_BYTES = 64;

/** The decoder of one file. */
export class EventDecoder {
  readonly summaries: SummaryDecoder;
  starts: SessionStart[] = [];
  fileVersion: string | undefined;
  malformedRecords = 0;
  /** Seconds; only times that are positive and finite count. */
  firstWallTime = Infinity;
  lastWallTime = -Infinity;

  readonly #simple: SimpleEvent;
  readonly #cursor = new WireCursor();
  #wallTime = 0;
  #step = 0;
  #isStart = false;
  #version: string | undefined;

  constructor(tags: TagTable) {
    this.summaries = new SummaryDecoder(tags);
    this.#simple = new SimpleEvent(this.summaries.rows, tags);
  }

  /** Decodes the Event in `bytes[start..end)`. A malformed one adds nothing but its count. */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    if (this.#simple.take(view, start, end)) this.#seeWallTime(this.#simple.wallTime);
    else this.decodeAny(bytes, view, start, end);
  }

  /** The general way, which alone decides what is valid. */
  decodeAny(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    this.#cursor.open(bytes, view, start, end);
    this.summaries.begin();
    this.#read(end);
    if (this.#cursor.isFailed) {
      this.summaries.undo();
      this.malformedRecords += 1;
    } else {
      this.#accept();
    }
  }

  /** Step and time may stand behind a summary, so summaries are only located at first. */
  #read(end: number): void {
    const cursor = this.#cursor;
    let summaryStart = 0;
    let summaryEnd = 0;
    let others: number[] | undefined; // a second summary is legal, though no writer makes one
    this.#wallTime = 0;
    this.#step = 0;
    this.#isStart = false;
    while (cursor.at < end) {
      const key = cursor.key();
      if (key === WALL_TIME) this.#wallTime = cursor.double();
      else if (key === STEP) this.#step = cursor.int64();
      else if (key === SUMMARY) {
        const stop = cursor.block();
        if (summaryEnd === 0) {
          summaryStart = cursor.at;
          summaryEnd = stop;
        } else (others ??= []).push(cursor.at, stop);
        cursor.at = stop;
      } else if (key === SESSION_LOG) this.#readSessionLog();
      else if (key === FILE_VERSION) this.#readFileVersion();
      else cursor.skip(key & 7);
    }
    this.#readSummary(summaryStart, summaryEnd);
    for (let at = 0; others !== undefined && at < others.length; at += 2) {
      this.#readSummary(others[at]!, others[at + 1]!);
    }
  }

  #readSummary(start: number, end: number): void {
    const cursor = this.#cursor;
    if (cursor.isFailed) return;
    cursor.enter(start, end);
    this.summaries.read(cursor, this.#step, this.#wallTime);
  }

  #accept(): void {
    const wallTime = this.#wallTime;
    if (this.#isStart) this.starts.push({ step: this.#step, wallTime, atPoint: this.summaries.rows.length });
    this.fileVersion ??= this.#version;
    this.#seeWallTime(wallTime);
  }

  #seeWallTime(wallTime: number): void {
    if (!(wallTime > 0 && wallTime < Infinity)) return;
    if (wallTime < this.firstWallTime) this.firstWallTime = wallTime;
    if (wallTime > this.lastWallTime) this.lastWallTime = wallTime;
  }

  #readSessionLog(): void {
    const cursor = this.#cursor;
    const outer = cursor.end;
    cursor.end = cursor.block();
    while (cursor.at < cursor.end) {
      const key = cursor.key();
      if (key === STATUS) this.#isStart = cursor.int64() === STATUS_START;
      else cursor.skip(key & 7);
    }
    cursor.end = outer;
  }

  #readFileVersion(): void {
    const cursor = this.#cursor;
    const stop = cursor.block();
    this.#version = decodeTag(cursor.bytes, cursor.at, Math.min(stop, cursor.at + MAX_VERSION_BYTES));
    cursor.at = stop;
  }
}

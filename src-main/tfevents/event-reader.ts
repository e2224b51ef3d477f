// The resumable reader of one event file: fed bytes, it gives scalar columns. Core and tests import it.
// It never throws, never samples, and holds at most one unfinished record. See docs/specs/tfevents.md.
import { EventDecoder } from './event-decoder.ts';
import type { SessionStart } from './event-decoder.ts';
import { RecordStream } from './record-stream.ts';
import type { DamageReason, Tail } from './record-stream.ts';
import type { ScalarColumns } from './scalar-columns.ts';
import { TagTable } from './tag-table.ts';

export type { SessionStart } from './event-decoder.ts';
export type { DamageReason, Tail } from './record-stream.ts';

export type ReaderState =
  /** Ready for more. `partial`: the file ends inside a record. `zeros`: it ends in zeros, which are not consumed. */
  | { readonly kind: 'waiting'; readonly tail: Tail }
  /** Stopped at a header that cannot be right, after `records` sound records. */
  | { readonly kind: 'damaged'; readonly atByte: number; readonly records: number; readonly reason: DamageReason }
  /** Looking for the next sound record behind the damage. */
  | { readonly kind: 'scanning'; readonly atByte: number };

export interface ReaderCounts {
  /** Records whose data CRC is right. */
  readonly records: number;
  /** Records skipped because their data CRC is wrong. */
  readonly badRecords: number;
  /** Sound records that are no valid Event message. */
  readonly malformedRecords: number;
  readonly points: number;
  /** Values that are no scalar: histograms, images, texts. */
  readonly otherValues: number;
  /** Scalars whose tag is too long or beyond the tag limit. */
  readonly refusedValues: number;
  /** Damaged places met, and bytes passed over behind them. */
  readonly damages: number;
  readonly skippedBytes: number;
}

/** What one push decoded, in file order. */
export interface EventBatch {
  readonly points: ScalarColumns;
  readonly starts: readonly SessionStart[];
}

export interface EventReader {
  /** Takes the file's bytes at `position`. They may be reused afterwards. A damaged reader leaves them untouched. */
  push(bytes: Uint8Array): EventBatch;
  /** Forgets the unconsumed tail: `position` becomes `offset`. Call it before reading on when the tail is `zeros`. */
  rewind(): void;
  /** From here on passes over damage, counting it. A damaged reader goes on at `position`. */
  scanForward(): void;
  readonly state: ReaderState;
  readonly counts: ReaderCounts;
  /** Byte position of the first record that is not consumed. */
  readonly offset: number;
  /** Byte position of the next byte to push. */
  readonly position: number;
  /** "brain.Event:2" once the first record is read. */
  readonly fileVersion: string | undefined;
  /** Earliest and latest finite wall time of any event, in seconds; undefined before the first. */
  readonly wallTimes: WallTimes | undefined;
}

export interface WallTimes {
  readonly first: number;
  readonly last: number;
}

/** A reader at byte 0. The files of one run share one table, so that tag numbers and the tag limit are the run's. */
export function makeEventReader(tags: TagTable = new TagTable()): EventReader {
  return new FileReader(tags);
}

class FileReader implements EventReader {
  readonly #stream = new RecordStream();
  readonly #decoder: EventDecoder;
  #points = 0;

  constructor(tags: TagTable) {
    this.#decoder = new EventDecoder(tags);
  }

  push(bytes: Uint8Array): EventBatch {
    const decoder = this.#decoder;
    this.#stream.push(bytes, decoder);
    const points = decoder.summaries.rows.take();
    const starts = decoder.starts;
    if (starts.length > 0) decoder.starts = [];
    this.#points += points.length;
    return { points, starts };
  }

  rewind(): void {
    this.#stream.rewind();
  }

  scanForward(): void {
    this.#stream.salvage();
  }

  get state(): ReaderState {
    const { mode, damage, tail, records } = this.#stream;
    if (damage === undefined || mode === 'reading' || mode === 'zeros') return { kind: 'waiting', tail };
    if (mode === 'scanning') return { kind: 'scanning', atByte: damage.atByte };
    return { kind: 'damaged', records, ...damage };
  }

  get counts(): ReaderCounts {
    const { records, badRecords, damages, skippedBytes } = this.#stream;
    const { malformedRecords, summaries } = this.#decoder;
    const { otherValues, refusedValues } = summaries;
    const points = this.#points;
    return { records, badRecords, malformedRecords, points, otherValues, refusedValues, damages, skippedBytes };
  }

  get offset(): number {
    return this.#stream.offset;
  }

  get position(): number {
    return this.#stream.position;
  }

  get fileVersion(): string | undefined {
    return this.#decoder.fileVersion;
  }

  get wallTimes(): WallTimes | undefined {
    const { firstWallTime: first, lastWallTime: last } = this.#decoder;
    return last < first ? undefined : { first, last };
  }
}

// Scalar points as columns: what a reader hands out, and the growing form it collects them in. Anyone may import the types.

/** Points in file order; row i is `steps[i], wallTimes[i], values[i]` of the tag `tags[tagIndex[i]]`. */
export interface ScalarColumns {
  readonly length: number;
  /** Every tag so far, for all batches alike; indices never change. */
  readonly tags: readonly string[];
  readonly tagIndex: Int32Array;
  readonly steps: Float64Array;
  /** Seconds since 1970. */
  readonly wallTimes: Float64Array;
  readonly values: Float64Array;
}

export interface ScalarPoint {
  readonly tag: string;
  readonly step: number;
  readonly wallTime: number;
  readonly value: number;
}

/** The rows of `columns` one by one: convenient, and slower than the columns. */
export function* scalarPoints(columns: ScalarColumns): Generator<ScalarPoint, void, undefined> {
  for (let row = 0; row < columns.length; row += 1) {
    yield {
      tag: columns.tags[columns.tagIndex[row]!]!,
      step: columns.steps[row]!,
      wallTime: columns.wallTimes[row]!,
      value: columns.values[row]!,
    };
  }
}

const SMALL_CAPACITY = 256;
const KEPT_CAPACITY = 32 * 1024;

/** Collects rows and hands them out as columns that nobody writes to again. */
export class ColumnBuilder {
  length = 0;
  readonly #tags: readonly string[];
  readonly #nothing: ScalarColumns;
  #capacity = SMALL_CAPACITY;
  #tagIndex = new Int32Array(SMALL_CAPACITY);
  #steps = new Float64Array(SMALL_CAPACITY);
  #wallTimes = new Float64Array(SMALL_CAPACITY);
  #values = new Float64Array(SMALL_CAPACITY);

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    const none = new Float64Array(0);
    this.#nothing = { length: 0, tags, tagIndex: new Int32Array(0), steps: none, wallTimes: none, values: none };
  }

  add(tagIndex: number, step: number, wallTime: number, value: number): void {
    const row = this.length;
    if (row === this.#capacity) this.#resize(2 * row);
    this.#tagIndex[row] = tagIndex;
    this.#steps[row] = step;
    this.#wallTimes[row] = wallTime;
    this.#values[row] = value;
    this.length = row + 1;
  }

  /** The rows so far; the builder is empty afterwards. Small batches are copied, large ones handed over. */
  take(): ScalarColumns {
    const length = this.length;
    if (length === 0) return this.#nothing;
    const isLarge = this.#capacity > KEPT_CAPACITY;
    const columns = {
      length,
      tags: this.#tags,
      tagIndex: isLarge ? this.#tagIndex.subarray(0, length) : this.#tagIndex.slice(0, length),
      steps: isLarge ? this.#steps.subarray(0, length) : this.#steps.slice(0, length),
      wallTimes: isLarge ? this.#wallTimes.subarray(0, length) : this.#wallTimes.slice(0, length),
      values: isLarge ? this.#values.subarray(0, length) : this.#values.slice(0, length),
    };
    this.length = 0;
    if (isLarge) this.#resize(SMALL_CAPACITY);
    return columns;
  }

  #resize(capacity: number): void {
    const kept = Math.min(this.length, capacity);
    this.#capacity = capacity;
    const tagIndex = new Int32Array(capacity);
    tagIndex.set(this.#tagIndex.subarray(0, kept));
    this.#tagIndex = tagIndex;
    this.#steps = resized(this.#steps, kept, capacity);
    this.#wallTimes = resized(this.#wallTimes, kept, capacity);
    this.#values = resized(this.#values, kept, capacity);
  }
}

function resized(column: Float64Array, kept: number, capacity: number): Float64Array<ArrayBuffer> {
  const other = new Float64Array(capacity);
  other.set(column.subarray(0, kept));
  return other;
}

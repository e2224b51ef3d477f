// A growing column store of (step, wall time, value) rows, as narrow as its numbers allow. Only this room imports it.
// Rows lie in blocks that never move once full; each block is as narrow as its own numbers allow without losing a bit:
// 16 bytes a point for what nearly every trainer writes (whole steps below 2^32, float32 values), 24 at most.

export const BLOCK_ROWS = 4096;
const FIRST_ROWS = 16; // a run may have ten thousand tags of a few points each
const STEP_LIMIT = 2 ** 32;

export class PointColumns {
  length = 0;
  readonly #steps: (Uint32Array | Float64Array)[] = [];
  readonly #wallTimes: Float64Array[] = [];
  readonly #values: (Float32Array | Float64Array)[] = [];
  #bytes = 0;

  /** Bytes of the columns. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether every step is a whole number below 2^32, and every value a float32: what a frame may write narrow. */
  get isNarrow(): { readonly steps: boolean; readonly values: boolean } {
    return { steps: this.#steps.every((block) => block instanceof Uint32Array), values: this.#values.every((block) => block instanceof Float32Array) };
  }

  add(step: number, wallTime: number, value: number): void {
    const block = Math.floor(this.length / BLOCK_ROWS);
    const at = this.length % BLOCK_ROWS;
    if (at === 0) this.#open();
    else if (at === this.#wallTimes[block]!.length) this.#double(block);
    // Negative zero would come back as zero.
    if (!(step >= 0 && step < STEP_LIMIT && step >>> 0 === step && !Object.is(step, -0))) this.#widenSteps(block);
    if (Math.fround(value) !== value && !Number.isNaN(value)) this.#widenValues(block);
    this.#steps[block]![at] = step;
    this.#wallTimes[block]![at] = wallTime;
    this.#values[block]![at] = value;
    this.length += 1;
  }

  step(row: number): number {
    return this.#steps[(row / BLOCK_ROWS) | 0]![row % BLOCK_ROWS]!;
  }

  /** Seconds since 1970. */
  wallTime(row: number): number {
    return this.#wallTimes[(row / BLOCK_ROWS) | 0]![row % BLOCK_ROWS]!;
  }

  value(row: number): number {
    return this.#values[(row / BLOCK_ROWS) | 0]![row % BLOCK_ROWS]!;
  }

  /** First of rows `from` (included) to `to` (not included) whose step is `step` or more, else `to`; steps there must not fall. */
  firstAtOrAfter(step: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = low + ((high - low) >>> 1);
      if (this.step(middle) < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #open(): void {
    const rows = this.length === 0 ? FIRST_ROWS : BLOCK_ROWS;
    this.#steps.push(new Uint32Array(rows));
    this.#wallTimes.push(new Float64Array(rows));
    this.#values.push(new Float32Array(rows));
    this.#bytes += 16 * rows;
  }

  /** Only the first block is ever smaller than the others. */
  #double(block: number): void {
    const [steps, wallTimes, values] = [this.#steps[block]!, this.#wallTimes[block]!, this.#values[block]!];
    const rows = 2 * wallTimes.length;
    this.#bytes += steps.byteLength + wallTimes.byteLength + values.byteLength;
    this.#steps[block] = copied(steps instanceof Uint32Array ? new Uint32Array(rows) : new Float64Array(rows), steps);
    this.#wallTimes[block] = copied(new Float64Array(rows), wallTimes);
    this.#values[block] = copied(values instanceof Float32Array ? new Float32Array(rows) : new Float64Array(rows), values);
  }

  #widenSteps(block: number): void {
    const steps = this.#steps[block]!;
    if (steps instanceof Float64Array) return;
    this.#steps[block] = Float64Array.from(steps);
    this.#bytes += steps.byteLength;
  }

  #widenValues(block: number): void {
    const values = this.#values[block]!;
    if (values instanceof Float64Array) return;
    this.#values[block] = Float64Array.from(values);
    this.#bytes += values.byteLength;
  }
}

function copied<Column extends Uint32Array | Float32Array | Float64Array>(larger: Column, column: Uint32Array | Float32Array | Float64Array): Column {
  larger.set(column);
  return larger;
}

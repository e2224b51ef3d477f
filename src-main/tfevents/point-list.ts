// A growing list of (step, wall time, value) rows of one tag; only run-curves.ts imports it.

/** Starts small, as a run may have ten thousand tags, and doubles. */
export class PointList {
  length = 0;
  #steps = new Float64Array(8);
  #wallTimes = new Float64Array(8);
  #values = new Float64Array(8);

  get steps(): Float64Array {
    return this.#steps.subarray(0, this.length);
  }

  get wallTimes(): Float64Array {
    return this.#wallTimes.subarray(0, this.length);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }

  add(step: number, wallTime: number, value: number): void {
    const row = this.length;
    if (row === this.#steps.length) {
      this.#steps = doubled(this.#steps);
      this.#wallTimes = doubled(this.#wallTimes);
      this.#values = doubled(this.#values);
    }
    this.#steps[row] = step;
    this.#wallTimes[row] = wallTime;
    this.#values[row] = value;
    this.length = row + 1;
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}

// The points of one tag in one session of one writer, ready to be drawn at any scale. Only this room imports it.
import { MinMaxPyramid } from './min-max-pyramid.ts';
import { PointColumns } from './point-columns.ts';

export class CurveSeries {
  readonly columns = new PointColumns();
  /** Rows at which the step falls below the one before: a restart that purged nothing. Between two of them steps never fall. */
  readonly segmentStarts: number[] = [];
  readonly #pyramid = new MinMaxPyramid(this.columns);
  #lastStep = Infinity;

  get bytes(): number {
    return this.columns.bytes + this.#pyramid.bytes;
  }

  /** Appends; earlier rows are not touched. The caller calls `update` after the last one of a batch. */
  add(step: number, wallTime: number, value: number): void {
    if (!(step >= this.#lastStep)) this.segmentStarts.push(this.columns.length);
    this.#lastStep = step;
    this.columns.add(step, wallTime, value);
  }

  update(): void {
    this.#pyramid.update();
  }

  /** Rows that draw rows `from` to `to` of one segment in one pixel column: first, last, extremes, one of each kind that is not finite. */
  drawn(from: number, to: number): readonly number[] {
    const { min, max, nan, positiveInfinity, negativeInfinity } = this.#pyramid.extremes(from, to);
    const rows = [from, min, max, nan, positiveInfinity, negativeInfinity, to - 1].filter((row) => row !== undefined);
    return [...new Set(rows)].sort((a, b) => a - b);
  }
}

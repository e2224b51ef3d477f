// Which points of a curve to draw in a range of steps at a width in pixels. Rooms from curve leftwards may import the types.
import type { CurveSeries } from './curve-series.ts';

/** A session's points; those at `limit` or later are void (a later session began there). */
export interface CurvePart {
  readonly series: CurveSeries;
  readonly limit: number;
}

export interface CurveRange {
  /** Steps, both included. */
  readonly from: number;
  readonly to: number;
  /** At least 1. A range with no more than POINTS_PER_PIXEL points a pixel is given point by point. */
  readonly pixels: number;
}

/** Points that were written, in their order; nothing is averaged or made up. */
export interface CurveView {
  readonly steps: Float64Array;
  /** Seconds since 1970. */
  readonly wallTimes: Float64Array;
  readonly values: Float64Array;
  /** Rows of this view at which a segment begins. */
  readonly segmentStarts: readonly number[];
  /** Every point of the range is here. When false: of each pixel column the first, last, lowest and highest, one NaN, one of each infinity. */
  readonly isExact: boolean;
  /** Points of the range, and points of the curve left out as void. */
  readonly pointsInRange: number;
  readonly purgedPoints: number;
}

export const POINTS_PER_PIXEL = 4;

interface Stretch {
  readonly series: CurveSeries;
  readonly from: number;
  readonly to: number;
  /** Its step fell below that of the point before it, which may lie outside the range. */
  readonly isSegmentStart: boolean;
}

export function queryCurve(parts: readonly CurvePart[], range: CurveRange): CurveView {
  const { stretches, purgedPoints } = findStretches(parts, range);
  const pointsInRange = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  const isExact = pointsInRange <= POINTS_PER_PIXEL * range.pixels;
  const grid = gridOf(stretches, range);
  const rows: { readonly series: CurveSeries; readonly row: number }[] = [];
  const segmentStarts: number[] = [];
  for (const { series, from, to, isSegmentStart } of stretches) {
    if (isSegmentStart || rows.length === 0) segmentStarts.push(rows.length);
    for (const row of isExact ? every(from, to) : drawnRows(series, { from, to, grid })) rows.push({ series, row });
  }
  return {
    steps: Float64Array.from(rows, ({ series, row }) => series.columns.step(row)),
    wallTimes: Float64Array.from(rows, ({ series, row }) => series.columns.wallTime(row)),
    values: Float64Array.from(rows, ({ series, row }) => series.columns.value(row)),
    segmentStarts,
    isExact,
    pointsInRange,
    purgedPoints,
  };
}

/** The part of each stretch of rising steps that lies in the range and is not void. Segments run on from session to session while steps do not fall. */
function findStretches(parts: readonly CurvePart[], { from, to }: CurveRange): { readonly stretches: readonly Stretch[]; readonly purgedPoints: number } {
  const stretches: Stretch[] = [];
  let purgedPoints = 0;
  let stepBefore = -Infinity;
  let isSegmentStart = false;
  for (const { series, limit } of parts) {
    const { columns, segmentStarts } = series;
    for (const [at, start] of segmentStarts.entries()) {
      const end = segmentStarts[at + 1] ?? columns.length;
      const voidFrom = limit === Infinity ? end : columns.firstAtOrAfter(limit, start, end);
      purgedPoints += end - voidFrom;
      if (voidFrom === start) continue;
      isSegmentStart ||= columns.step(start) < stepBefore;
      stepBefore = columns.step(voidFrom - 1);
      const first = columns.firstAtOrAfter(from, start, voidFrom);
      const past = firstAfter(series, to, first, voidFrom);
      if (first === past) continue;
      stretches.push({ series, from: first, to: past, isSegmentStart });
      isSegmentStart = false;
    }
  }
  return { stretches, purgedPoints };
}

function firstAfter({ columns }: CurveSeries, step: number, from: number, to: number): number {
  let low = columns.firstAtOrAfter(step, from, to);
  let high = to;
  while (low < high) {
    const middle = low + ((high - low) >>> 1);
    if (columns.step(middle) <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pixel columns of equal width in steps, over what the range and the points have in common. */
interface Grid {
  readonly first: number;
  readonly width: number;
  readonly pixels: number;
}

function gridOf(stretches: readonly Stretch[], { from, to, pixels }: CurveRange): Grid {
  let least = Infinity;
  let most = -Infinity;
  for (const { series, from: row, to: end } of stretches) {
    least = Math.min(least, series.columns.step(row));
    most = Math.max(most, series.columns.step(end - 1));
  }
  const first = Math.max(from, least);
  return { first, width: (Math.min(to, most) - first) / pixels, pixels };
}

function* drawnRows(series: CurveSeries, { from, to, grid }: { readonly from: number; readonly to: number; readonly grid: Grid }): Generator<number, void, undefined> {
  const { first, width, pixels } = grid;
  let at = from;
  while (at < to) {
    const pixel = width > 0 ? Math.floor((series.columns.step(at) - first) / width) : pixels;
    // Rounding may put a step on the edge into the column before its own: one row goes on at least.
    const end = pixel + 1 >= pixels ? to : Math.max(at + 1, series.columns.firstAtOrAfter(first + (pixel + 1) * width, at, to));
    yield* series.drawn(at, end);
    at = end;
  }
}

function* every(from: number, to: number): Generator<number, void, undefined> {
  for (let row = from; row < to; row += 1) yield row;
}

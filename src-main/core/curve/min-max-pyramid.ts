// Where the extremes of any stretch of rows are, without looking at every row. Only this room imports it.
// Level 0 describes stretches of 256 rows, each level above 16 stretches of the one below; it keeps numbers of rows, not
// values, so that what is drawn are points that were written. About 0.09 bytes a point.
import type { PointColumns } from './point-columns.ts';

const BASE_ROWS = 256;
const FAN = 16;
const FIELDS = 5;
const NONE = 0xffffffff;

/** Rows that stand for a stretch; each the first of its kind, undefined where there is none. Extremes are of finite values. */
export interface Extremes {
  min: number | undefined;
  max: number | undefined;
  nan: number | undefined;
  positiveInfinity: number | undefined;
  negativeInfinity: number | undefined;
}

interface Level {
  /** Rows of one stretch. */
  readonly rows: number;
  /** Stretches that are whole. */
  length: number;
  fields: Uint32Array;
}

export class MinMaxPyramid {
  readonly #columns: PointColumns;
  readonly #levels: Level[] = [];

  constructor(columns: PointColumns) {
    this.#columns = columns;
  }

  get bytes(): number {
    return this.#levels.reduce((sum, { fields }) => sum + fields.byteLength, 0);
  }

  /** Describes the rows that were added since; a stretch is described once, when it is whole. */
  update(): void {
    for (let at = 0; ; at += 1) {
      const below = this.#levels[at - 1];
      const whole = below === undefined ? Math.floor(this.#columns.length / BASE_ROWS) : Math.floor(below.length / FAN);
      if (whole === 0) return;
      const level = (this.#levels[at] ??= { rows: BASE_ROWS * FAN ** at, length: 0, fields: new Uint32Array(FIELDS) });
      while (level.length < whole) this.#describe(level, below);
    }
  }

  /** Extremes of rows `from` (included) to `to` (not included). */
  extremes(from: number, to: number): Extremes {
    const found = noExtremes();
    let at = from;
    while (at < to) {
      const level = this.#levelAt(at, to);
      if (level === undefined) {
        see(this.#columns, found, at);
        at += 1;
      } else {
        merge(this.#columns, found, level.fields, at / level.rows);
        at += level.rows;
      }
    }
    return found;
  }

  /** The highest level with a whole stretch that begins at row `at` and ends before `to`. */
  #levelAt(at: number, to: number): Level | undefined {
    let best: Level | undefined;
    for (const level of this.#levels) {
      if (at % level.rows !== 0 || at + level.rows > to || at / level.rows >= level.length) break;
      best = level;
    }
    return best;
  }

  #describe(level: Level, below: Level | undefined): void {
    const found = noExtremes();
    if (below === undefined) {
      const first = level.length * BASE_ROWS;
      for (let row = first; row < first + BASE_ROWS; row += 1) see(this.#columns, found, row);
    } else {
      const first = level.length * FAN;
      for (let at = first; at < first + FAN; at += 1) merge(this.#columns, found, below.fields, at);
    }
    const at = FIELDS * level.length;
    if (at === level.fields.length) {
      const larger = new Uint32Array(2 * at);
      larger.set(level.fields);
      level.fields = larger;
    }
    level.fields.set([found.min, found.max, found.nan, found.positiveInfinity, found.negativeInfinity].map((row) => row ?? NONE), at);
    level.length += 1;
  }
}

function noExtremes(): Extremes {
  return { min: undefined, max: undefined, nan: undefined, positiveInfinity: undefined, negativeInfinity: undefined };
}

function see(columns: PointColumns, found: Extremes, row: number): void {
  const value = columns.value(row);
  if (Number.isFinite(value)) {
    if (found.min === undefined || value < columns.value(found.min)) found.min = row;
    if (found.max === undefined || value > columns.value(found.max)) found.max = row;
  } else if (value === Infinity) found.positiveInfinity ??= row;
  else if (value === -Infinity) found.negativeInfinity ??= row;
  else found.nan ??= row;
}

function merge(columns: PointColumns, found: Extremes, fields: Uint32Array, stretch: number): void {
  for (let at = FIELDS * stretch; at < FIELDS * (stretch + 1); at += 1) if (fields[at] !== NONE) see(columns, found, fields[at]!);
}

// The curves of one run (the event files of one folder) as they grow: restarts and replaced files included. Rooms from curve
// leftwards may import it. The plain form of the same rules is tfevents/run-curves.ts, which the tests hold it to.
import { compareEventFiles } from '../../tfevents/event-file-name.ts';
import type { EventBatch } from '../../tfevents/event-reader.ts';
import type { ScalarColumns } from '../../tfevents/scalar-columns.ts';
import { queryCurve } from './curve-query.ts';
import type { CurvePart, CurveRange, CurveView } from './curve-query.ts';
import { CurveSeries } from './curve-series.ts';

interface Session {
  /** Points of earlier sessions at this step or later are void; Infinity when it purges nothing. */
  purgeStep: number;
  readonly series: Map<string, CurveSeries>;
}

export class RunColumns {
  readonly #files = new Map<string, Session[]>();

  /** Of all columns and pyramids. */
  get bytes(): number {
    return this.#sessions().reduce((sum, { series }) => sum + [...series.values()].reduce((part, one) => part + one.bytes, 0), 0);
  }

  /** Every tag with a point, in the order in which they appeared. */
  get tags(): readonly string[] {
    return [...new Set(this.#sessions().flatMap(({ series }) => [...series.keys()]))];
  }

  /** Adds what one push of this file gave: files in any order, the batches of each in theirs. Nothing that is there is built again. */
  add(file: string, { points, starts }: EventBatch): void {
    const sessions = this.#files.get(file) ?? [];
    this.#files.set(file, sessions);
    let row = 0;
    for (const start of starts) {
      addRows(sessions, points, row, start.atPoint);
      startSession(sessions, start.step);
      row = start.atPoint;
    }
    addRows(sessions, points, row, points.length);
  }

  /** Forgets a file that was replaced or shrank. */
  forget(file: string): void {
    this.#files.delete(file);
  }

  query(tag: string, range: CurveRange): CurveView {
    return queryCurve(this.#parts(tag), range);
  }

  #sessions(): readonly Session[] {
    return [...this.#files].sort(([a], [b]) => compareEventFiles(a, b)).flatMap(([, sessions]) => sessions);
  }

  #parts(tag: string): readonly CurvePart[] {
    const parts: CurvePart[] = [];
    let limit = Infinity;
    for (const session of [...this.#sessions()].reverse()) {
      const series = session.series.get(tag);
      if (series !== undefined) parts.push({ series, limit });
      limit = Math.min(limit, session.purgeStep);
    }
    return parts.reverse();
  }
}

function startSession(sessions: Session[], step: number): void {
  const last = sessions.at(-1);
  if (last?.series.size === 0) last.purgeStep = Math.min(last.purgeStep, step);
  else sessions.push({ purgeStep: step, series: new Map() });
}

function addRows(sessions: Session[], columns: ScalarColumns, from: number, to: number): void {
  if (from === to) return;
  if (sessions.length === 0) sessions.push({ purgeStep: Infinity, series: new Map() });
  const { series } = sessions.at(-1)!;
  const byTag: CurveSeries[] = []; // by tag number: cheaper than by name for every row
  for (let row = from; row < to; row += 1) {
    const tagIndex = columns.tagIndex[row]!;
    const one = (byTag[tagIndex] ??= seriesOf(series, columns.tags[tagIndex]!));
    one.add(columns.steps[row]!, columns.wallTimes[row]!, columns.values[row]!);
  }
  for (const one of byTag) (one as CurveSeries | undefined)?.update();
}

function seriesOf(all: Map<string, CurveSeries>, tag: string): CurveSeries {
  const found = all.get(tag) ?? new CurveSeries();
  all.set(tag, found);
  return found;
}

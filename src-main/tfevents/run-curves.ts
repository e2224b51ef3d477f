// Unites the batches of a run's files into one curve per tag, restarts included; core and tests import it.
import { compareEventFiles } from './event-file-name.ts';
import type { EventBatch } from './event-reader.ts';
import { PointList } from './point-list.ts';
import type { ScalarColumns } from './scalar-columns.ts';

/** All valid points of one tag, session after session. */
export interface Curve {
  readonly steps: Float64Array;
  /** Seconds since 1970. */
  readonly wallTimes: Float64Array;
  readonly values: Float64Array;
  /** Rows at which a segment begins: the first, and each whose step is below the step before it (a restart, not purged). */
  readonly segmentStarts: readonly number[];
  /** Points left out because a later session began at their step or before. */
  readonly purgedPoints: number;
}

export interface RunCurves {
  /** Adds what one push of this file gave: the files in any order, the batches of each file in theirs. */
  add(file: string, batch: EventBatch): void;
  /** Forgets the points of a file that was replaced or shrank. */
  forget(file: string): void;
  /** The curve so far, empty when the tag has no points; what is added later does not change it. Takes time in proportion to the points of the tag. */
  curve(tag: string): Curve;
}

/** What a writer wrote from one SessionLog START, or from the beginning of the file, to the next. */
interface Session {
  /** Points of earlier sessions at this step or later are void; Infinity when it purges nothing. */
  purgeStep: number;
  readonly points: Map<string, PointList>;
}

/** Keeps 24 bytes a point. */
export function makeRunCurves(): RunCurves {
  const files = new Map<string, Session[]>();
  return {
    add(file, batch) {
      const sessions = files.get(file) ?? [];
      files.set(file, sessions);
      addBatch(sessions, batch);
    },
    forget(file) {
      files.delete(file);
    },
    curve(tag) {
      const inOrder = [...files].sort(([a], [b]) => compareEventFiles(a, b));
      return unite(inOrder.flatMap(([, sessions]) => sessions), tag);
    },
  };
}

function addBatch(sessions: Session[], { points, starts }: EventBatch): void {
  let row = 0;
  for (const start of starts) {
    addRows(sessions, points, row, start.atPoint);
    startSession(sessions, start.step);
    row = start.atPoint;
  }
  addRows(sessions, points, row, points.length);
}

/** A session that stayed empty is taken over, so that a file of nothing but starts costs nothing. */
function startSession(sessions: Session[], step: number): void {
  const last = sessions.at(-1);
  if (last?.points.size === 0) last.purgeStep = Math.min(last.purgeStep, step);
  else sessions.push({ purgeStep: step, points: new Map() });
}

function addRows(sessions: Session[], columns: ScalarColumns, from: number, to: number): void {
  if (from === to) return;
  if (sessions.length === 0) sessions.push({ purgeStep: Infinity, points: new Map() });
  const { points } = sessions.at(-1)!;
  const lists: PointList[] = []; // by tag number: cheaper than by name for every row
  for (let row = from; row < to; row += 1) {
    const tagIndex = columns.tagIndex[row]!;
    const list = (lists[tagIndex] ??= listOf(points, columns.tags[tagIndex]!));
    list.add(columns.steps[row]!, columns.wallTimes[row]!, columns.values[row]!);
  }
}

function listOf(points: Map<string, PointList>, tag: string): PointList {
  const list = points.get(tag) ?? new PointList();
  points.set(tag, list);
  return list;
}

function unite(sessions: readonly Session[], tag: string): Curve {
  const limits = purgeLimits(sessions);
  const holders = sessions.flatMap((session, at) => (session.points.has(tag) ? [{ list: session.points.get(tag)!, limit: limits[at]! }] : []));
  if (holders.length === 1 && holders[0]!.limit === Infinity) return uncut(holders[0]!.list);
  const kept = new PointList();
  const segmentStarts: number[] = [];
  let purgedPoints = 0;
  let stepBefore = Infinity;
  for (const { list, limit } of holders) {
    const { steps, wallTimes, values } = list;
    for (let row = 0; row < steps.length; row += 1) {
      const step = steps[row]!;
      if (step >= limit) {
        purgedPoints += 1;
        continue;
      }
      if (kept.length === 0 || step < stepBefore) segmentStarts.push(kept.length);
      kept.add(step, wallTimes[row]!, values[row]!);
      stepBefore = step;
    }
  }
  return { steps: kept.steps, wallTimes: kept.wallTimes, values: kept.values, segmentStarts, purgedPoints };
}

/** Of one session, none of it void: the columns themselves, as a list only ever grows behind them. */
function uncut({ steps, wallTimes, values }: PointList): Curve {
  const segmentStarts = steps.length === 0 ? [] : [0];
  for (let row = 1; row < steps.length; row += 1) if (steps[row]! < steps[row - 1]!) segmentStarts.push(row);
  return { steps, wallTimes, values, segmentStarts, purgedPoints: 0 };
}

/** For each session the least purge step of the sessions after it. */
function purgeLimits(sessions: readonly Session[]): Float64Array {
  const limits = new Float64Array(sessions.length).fill(Infinity);
  for (let at = sessions.length - 2; at >= 0; at -= 1) {
    limits[at] = Math.min(limits[at + 1]!, sessions[at + 1]!.purgeStep);
  }
  return limits;
}

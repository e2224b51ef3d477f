// The smoothed training reward of one trial, point by point. Rooms from trial leftwards may import it.
import { smoothNext, type Smoothed } from '../metrics/smoothing.ts';
import type { SmoothedPoint } from '../metrics/t90.ts';

export interface TrackedPoint extends SmoothedPoint {
  readonly value: number;
  /** Smallest and largest smoothed value so far, this one included. */
  readonly lowest: number;
  readonly highest: number;
}

export interface RewardTrack {
  /** The tracked point, or null when the value is not finite (it is then left out of everything). */
  add(step: number, wallTimeS: number, value: number): TrackedPoint | null;
  readonly points: readonly TrackedPoint[];
}

interface Entry extends TrackedPoint {
  readonly state: Smoothed;
}

/** A step that goes back replaces what was at and after it, as a trainer that resumed from an older checkpoint means it. */
export function makeRewardTrack(weight: number): RewardTrack {
  const entries: Entry[] = [];
  return {
    points: entries,
    add(step, wallTimeS, value) {
      if (!Number.isFinite(value)) return null;
      dropReplaced(entries, step);
      const last = entries[entries.length - 1];
      const state = smoothNext(last?.state ?? null, value, weight);
      if (state === null) return null;
      const entry: Entry = {
        step,
        wallTimeS,
        value,
        smoothed: state.value,
        lowest: Math.min(last?.lowest ?? Infinity, state.value),
        highest: Math.max(last?.highest ?? -Infinity, state.value),
        state,
      };
      entries.push(entry);
      return entry;
    },
  };
}

function dropReplaced(entries: Entry[], step: number): void {
  const last = entries[entries.length - 1];
  if (last === undefined || last.step <= step) return;
  let keep = entries.length;
  while (keep > 0 && (entries[keep - 1]?.step ?? -Infinity) >= step) keep -= 1;
  entries.length = keep;
}

// The live state of one trial, for screens and estimates. Rooms from trial leftwards may import it.
import type { MonitorView } from './monitor.ts';

export interface TrialProgress {
  readonly phase: 'training' | 'evaluating';
  /** On the adapter's axis. */
  readonly step: number;
  readonly timesteps: number;
  readonly lastReward: number | null;
  readonly smoothedReward: number | null;
  /** Over the last 15 s; null until two steps have been seen. */
  readonly stepsPerSecond: number | null;
}

export interface ProgressReport {
  /** Tells the listener when something changed. */
  training(view: MonitorView, monoMs: number): void;
  evaluating(): void;
}

const windowMs = 15_000;

export function makeProgressReport(timesteps: number, onProgress: (progress: TrialProgress) => void): ProgressReport {
  const marks: { readonly monoMs: number; readonly step: number }[] = [];
  let isFirst = true;
  let last: TrialProgress = { phase: 'training', step: 0, timesteps, lastReward: null, smoothedReward: null, stepsPerSecond: null };
  return {
    training(view, monoMs) {
      const reward = view.reward[view.reward.length - 1];
      if (!isFirst && view.lastStep === last.step && (reward?.value ?? null) === last.lastReward) return;
      isFirst = false;
      const newest = marks[marks.length - 1];
      if (view.lastStep > (newest?.step ?? 0)) marks.push({ monoMs, step: view.lastStep });
      while ((marks[0]?.monoMs ?? Infinity) < monoMs - windowMs && marks.length > 2) marks.shift();
      last = { phase: 'training', step: view.lastStep, timesteps, lastReward: reward?.value ?? null, smoothedReward: reward?.smoothed ?? null, stepsPerSecond: rate(marks) };
      onProgress(last);
    },
    evaluating() {
      last = { ...last, phase: 'evaluating' };
      onProgress(last);
    },
  };
}

function rate(marks: readonly { readonly monoMs: number; readonly step: number }[]): number | null {
  const [first, last] = [marks[0], marks[marks.length - 1]];
  if (first === undefined || last === undefined || last.monoMs <= first.monoMs) return null;
  return ((last.step - first.step) * 1000) / (last.monoMs - first.monoMs);
}

// Watches a doctor's trial while it runs: when points could first be read, which tags came, how much memory its processes took. This room only.
import type { Ports, Stop } from '../../ports.ts';
import type { MetricAxis, MetricPoint } from '../metrics/metric-point.ts';
import type { TrialProgress } from '../trial/trial-progress.ts';

export interface SeenTag {
  readonly tag: string;
  /** The adapter's name for it; null when it maps none. */
  readonly key: string | null;
  readonly points: number;
  readonly hasFinite: boolean;
}

export interface Observed {
  readonly firstEventS: number | null;
  readonly longestSilenceS: number | null;
  readonly tags: readonly SeenTag[];
  /** On the adapter's axis, from the first step to the last, by the trainer's own clock; null before two. */
  readonly stepsPerS: number | null;
  /** The first step that was logged on that axis. */
  readonly firstStep: number | null;
  readonly trainingS: number | null;
  readonly evaluationS: number | null;
  readonly peakMemoryBytes: number | 'unknown';
}

export interface Observer {
  onStarted(phase: TrialProgress['phase']): void;
  onPoints(points: readonly MetricPoint[]): void;
  /** Ends the watching and tells what was seen. */
  stop(): Observed;
}

const sampleMs = 200;

export function observeTrial(ports: Pick<Ports, 'clock' | 'processes' | 'machine'>, { tagPrefix, axis }: { readonly tagPrefix: string; readonly axis: MetricAxis }): Observer {
  const { clock } = ports;
  const tags = new Map<string, { key: string | null; points: number; hasFinite: boolean }>();
  const starts = new Map<TrialProgress['phase'], number>();
  const arrivals: number[] = [];
  let peak: number | 'unknown' = 'unknown';
  let first: MetricPoint | null = null;
  let last: MetricPoint | null = null;

  async function sample(): Promise<void> {
    const pids = (await ports.processes.findTagged(tagPrefix)).map(({ identity }) => identity.pid);
    const bytes = pids.length === 0 ? 'unknown' : await ports.machine.peakMemoryBytes(pids);
    if (bytes !== 'unknown' && bytes > 0) peak = Math.max(peak === 'unknown' ? 0 : peak, bytes);
  }
  const stopSampling: Stop = clock.every(sampleMs, sample);

  return {
    onStarted: (phase) => void starts.set(phase, clock.monotonicMs()),
    onPoints(points) {
      if (points.length > 0) arrivals.push(clock.monotonicMs());
      for (const point of points) {
        const seen = tags.get(point.tag) ?? { key: point.mapped?.key ?? null, points: 0, hasFinite: false };
        tags.set(point.tag, { ...seen, points: seen.points + 1, hasFinite: seen.hasFinite || Number.isFinite(point.value) });
        if (point.mapped?.axis !== axis) continue;
        if (first === null) first = point;
        if (last === null || point.step > last.step) last = point;
      }
    },
    stop() {
      stopSampling();
      const endMs = clock.monotonicMs();
      const startMs = starts.get('training') ?? null;
      const evaluatedMs = starts.get('evaluating') ?? null;
      const trainedMs = evaluatedMs ?? endMs;
      return {
        firstEventS: startMs === null || arrivals[0] === undefined ? null : seconds(startMs, arrivals[0]),
        longestSilenceS: longestSilence([...arrivals, trainedMs]),
        tags: [...tags].map(([tag, seen]) => ({ tag, ...seen })),
        stepsPerS: rateOf(first, last),
        firstStep: first?.step ?? null,
        trainingS: startMs === null ? null : seconds(startMs, trainedMs),
        evaluationS: evaluatedMs === null ? null : seconds(evaluatedMs, endMs),
        peakMemoryBytes: peak,
      };
    },
  };
}

function seconds(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs) / 1000;
}

/** Null before anything came. */
function longestSilence(times: readonly number[]): number | null {
  if (times.length < 2) return null;
  return Math.max(...times.slice(1).map((time, index) => seconds(times[index] ?? time, time)));
}

function rateOf(first: MetricPoint | null, last: MetricPoint | null): number | null {
  if (first === null || last === null || last.step <= first.step || last.wallTimeS <= first.wallTimeS) return null;
  return (last.step - first.step) / (last.wallTimeS - first.wallTimeS);
}

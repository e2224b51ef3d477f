// Points and monitors for the tests of the monitor.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import { monitorRules, type MonitorRules } from '../../../src-protocol/files/study.ts';
import type { MetricPoint } from '../../../src-main/core/metrics/metric-point.ts';
import { makeTagMatch } from '../../../src-main/core/metrics/tag-match.ts';
import { makeMonitor, type Monitor, type MonitorOptions } from '../../../src-main/core/trial/monitor.ts';
import type { MonitorDecision } from '../../../src-main/core/trial/rules/decision.ts';
import type { MonitorTick } from '../../../src-main/core/trial/rules/time.ts';

export const adapter: Pick<AdapterFile, 'metrics' | 'axis'> = {
  axis: 'step',
  metrics: {
    reward: { meaning: 'reward', axis: 'step' },
    length: { meaning: 'episode_length', axis: 'step' },
    loss: { meaning: 'loss', axis: 'step' },
    std: { meaning: 'std', axis: 'step' },
    entropy: { meaning: 'other', axis: 'step' },
  },
};

const match = makeTagMatch(adapter.metrics);

export function point(tag: string, step: number, value: number): MetricPoint {
  return { tag, mapped: match(tag), step, wallTimeS: 1000 + step / 100, value };
}

export function monitor(rules: Partial<MonitorRules> = {}, options: Partial<MonitorOptions> = {}): Monitor {
  return makeMonitor({
    rules: { ...monitorRules.parse({}), ...rules },
    stage: 'screen',
    adapter,
    timesteps: 1000,
    startMonoMs: 0,
    maxTrialMs: 1e9,
    ...options,
  });
}

export function tick(monoMs: number, rest: Partial<MonitorTick> = {}): MonitorTick {
  return { monoMs, suspendedMs: 0, isAlive: true, consoleProgress: false, artifactsDone: false, ...rest };
}

/** What the monitor decides after these points, all in one batch. */
export function decide(subject: Monitor, points: readonly MetricPoint[]): MonitorDecision | null {
  subject.see(points);
  return subject.tick(tick(1));
}

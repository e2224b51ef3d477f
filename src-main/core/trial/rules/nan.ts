// Rule `nan`: tells a curve that went bad from one that has not begun. Imported by the monitor only.
import type { MetricPoint } from '../../metrics/metric-point.ts';
import type { MonitorDecision } from './decision.ts';

export interface NanRule {
  see(point: MetricPoint): MonitorDecision | null;
}

/** Rules M1 to M3. NaN or -Infinity of a reward before any episode has finished is normal and decides nothing. */
export function makeNanRule(): NanRule {
  const everFinite = new Set<string>();
  const badBefore = new Set<string>();
  const episodes = new Set<string>();
  const badRewards = new Map<string, MetricPoint>();

  return {
    see(point) {
      const mapped = point.mapped;
      if (mapped === null) return null;
      const { key, meaning, axis } = mapped;
      const at = `${axis} ${point.step}`;
      if (Number.isFinite(point.value)) {
        everFinite.add(key);
        badBefore.delete(key);
        if (meaning !== 'episode_length' || point.value <= 0) return null;
        episodes.add(at);
        const reward = badRewards.get(at);
        return reward === undefined ? null : rewardBadAfterEpisode(reward);
      }
      if (everFinite.has(key)) return wentBad(point);
      if (meaning === 'reward') {
        if (episodes.has(at)) return rewardBadAfterEpisode(point);
        badRewards.set(at, point);
      }
      if (meaning === 'loss' || meaning === 'std') {
        if (badBefore.has(key)) return badTwice(point);
        badBefore.add(key);
      }
      return null;
    },
  };
}

function wentBad(point: MetricPoint): MonitorDecision {
  return decide(point, `"${point.tag}" was finite and became ${point.value} at ${point.step}`);
}

function rewardBadAfterEpisode(point: MetricPoint): MonitorDecision {
  return decide(point, `"${point.tag}" is ${point.value} at ${point.step} although an episode had finished`);
}

function badTwice(point: MetricPoint): MonitorDecision {
  return decide(point, `"${point.tag}" is not finite on two successive points (${point.value} at ${point.step})`);
}

function decide(point: MetricPoint, text: string): MonitorDecision {
  return { rule: 'nan', text, step: point.step, value: point.value };
}

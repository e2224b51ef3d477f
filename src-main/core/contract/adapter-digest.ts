// What an approval covers of an adapter: its values, and which of several rewards is *the* reward. This room only.
import { adapterFile } from '../../../src-protocol/files/adapter.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { Difference } from '../../../src-protocol/refusal.ts';
import { primaryRewardKey } from '../metrics/tag-match.ts';
import { digest } from '../provenance/canonical-json.ts';

/**
 * Canonical JSON knows no order of keys, and of several tags that mean reward the first one decides what gates, plateau and t90 look at.
 * With one such tag there is nothing to choose, and the digest is that of the values alone.
 */
export function adapterDigest(adapter: PlainMap): string {
  const reward = chosenReward(adapter);
  return reward === null ? digest(adapter) : digest({ adapter, reward });
}

/** A row where the order alone made another tag *the* reward. */
export function rewardDifference(approved: PlainMap, now: PlainMap): readonly Difference[] {
  const [was, is] = [chosenReward(approved), chosenReward(now)];
  return was === is || was === null || is === null ? [] : [{ what: 'adapter.metrics: the first that means reward', approved: was, now: is }];
}

/** The tag that is *the* reward because it stands first among several; null when nothing hangs on the order, or it is no adapter. */
function chosenReward(adapter: PlainMap): string | null {
  const read = adapterFile.safeParse(adapter);
  if (!read.success) return null;
  const { metrics, axis } = read.data;
  const rewards = Object.values(metrics).filter((tag) => tag.meaning === 'reward' && tag.axis === axis);
  return rewards.length > 1 ? primaryRewardKey({ metrics, axis }) : null;
}

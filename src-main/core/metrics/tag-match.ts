// Finds what a logged tag means by the adapter's table: exactly first, then after normalising. Rooms from metrics leftwards may import it.
// Writers disagree about spelling: tensorboardX turns `Reward / Total reward (mean)` into `Reward_/_Total_reward__mean_`.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { MappedTag } from './metric-point.ts';

export type TagMatch = (tag: string) => MappedTag | null;

export function makeTagMatch(metrics: AdapterFile['metrics']): TagMatch {
  const exact = new Map<string, MappedTag>();
  const loose = new Map<string, MappedTag | null>();
  for (const [key, { meaning, axis, per }] of Object.entries(metrics)) {
    const mapped: MappedTag = { key, meaning, axis, isRegular: per !== 'episode' };
    exact.set(key, mapped);
    const normalised = normaliseTag(key);
    // Two keys that differ only in spelling can only be told apart exactly.
    loose.set(normalised, loose.has(normalised) ? null : mapped);
  }
  const remembered = new Map<string, MappedTag | null>();
  return (tag) => {
    const known = remembered.get(tag);
    if (known !== undefined) return known;
    const found = exact.get(tag) ?? loose.get(normaliseTag(tag)) ?? null;
    remembered.set(tag, found);
    return found;
  };
}

/** Lower case; every run of characters other than letters, digits, `.` and `-` (spaces, underscores, brackets, slashes ...) becomes one space. */
export function normaliseTag(tag: string): string {
  return tag
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.-]+/gu, ' ')
    .trim();
}

/** The tag whose curve is *the* reward of gates, plateau and t90: the first mapped as reward on the adapter's own axis; null when there is none. */
export function primaryRewardKey(adapter: Pick<AdapterFile, 'metrics' | 'axis'>): string | null {
  const found = Object.entries(adapter.metrics).find(([, tag]) => tag.meaning === 'reward' && tag.axis === adapter.axis);
  return found?.[0] ?? null;
}

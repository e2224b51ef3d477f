// When two runs of a study are equal: their settled records, as a set by identity, without what two honest runs may differ in.
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import type { TrialRecord } from '../../src-protocol/files/record.ts';

/** Place in the journal, attempt, paths, times and memory: none of it is part of what was found. */
const leftOut = ['seq', 'attempt', 'folder', 'wall_s', 't90_s', 'ended_at', 'peak_vram_bytes'] as const;
/** Rules that the clock decides: their sentence tells how long it took. */
const decidedByClock: readonly (TrialRecord['rule'])[] = ['hung', 'linger', 'budget'];

export type ComparableRecord = Omit<TrialRecord, (typeof leftOut)[number]>;

/** Equal for two runs of the same study with the same seeds (rule CA15). */
export function comparableRecords(records: readonly TrialRecord[]): readonly ComparableRecord[] {
  return records
    .filter(isTerminal)
    .map(comparable)
    .sort((a, b) => (a.identity < b.identity ? -1 : 1));
}

function comparable(record: TrialRecord): ComparableRecord {
  const copy: Partial<TrialRecord> = { ...record };
  for (const key of leftOut) delete copy[key];
  const reason = decidedByClock.includes(record.rule) ? { ...record.reason, text: '' } : record.reason;
  return { ...(copy as ComparableRecord), reason };
}

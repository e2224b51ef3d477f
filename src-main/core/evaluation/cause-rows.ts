// Why episodes ended, counted, with the precision of each share. Rooms from evaluation leftwards may import it.
import type { EpisodeRow } from '../../../src-protocol/files/evaluation.ts';
import type { CauseRow } from '../../../src-protocol/files/record.ts';
import { wilsonInterval } from '../statistics/proportion.ts';
import { exactMean } from './exact-mean.ts';

export const unattributed = 'unattributed';

/** One row per cause, the most frequent first (then by name); `unattributed` always has a row of its own, the last. */
export function causeRows(episodes: readonly EpisodeRow[]): readonly CauseRow[] {
  const byCause = new Map<string, EpisodeRow[]>();
  for (const row of episodes) {
    const group = byCause.get(row.cause);
    if (group === undefined) byCause.set(row.cause, [row]);
    else group.push(row);
  }
  const unknown = byCause.get(unattributed) ?? [];
  byCause.delete(unattributed);
  const named = [...byCause].map(([cause, rows]) => causeRow(cause, rows, episodes.length));
  named.sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
  return [...named, causeRow(unattributed, unknown, episodes.length)];
}

/** Means of an empty row are NaN. */
function causeRow(cause: string, rows: readonly EpisodeRow[], total: number): CauseRow {
  const interval = wilsonInterval(rows.length, total);
  return {
    cause,
    count: rows.length,
    share: total === 0 ? 0 : rows.length / total,
    share_low: interval.lower,
    share_high: interval.upper,
    mean_length: exactMean(rows.map((row) => row.length)),
    mean_return: exactMean(rows.map((row) => row.return)),
  };
}

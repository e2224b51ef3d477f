import { describe, expect, it } from 'vitest';
import { compareCauses } from '../../../src-main/core/evaluation/cause-comparison.ts';
import { causeRows } from '../../../src-main/core/evaluation/cause-rows.ts';

const rows = (causes: Readonly<Record<string, number>>) =>
  causeRows(Object.entries(causes).flatMap(([cause, count]) => Array.from({ length: count }, (_, episode) => ({ env: 0, episode, return: 2 * episode, length: 10 + episode, cause }))));

describe('causes', () => {
  it('E8 gives share, count, means and Wilson interval of each, the most frequent first', () => {
    const [first, second, third] = rows({ fell_left: 2, time_out: 8 });
    expect(first).toMatchObject({ cause: 'time_out', count: 8, share: 0.8, mean_length: 13.5, mean_return: 7 });
    // Wilson for 8 of 10.
    expect(first?.share_low).toBeCloseTo(0.4902, 4);
    expect(first?.share_high).toBeCloseTo(0.9433, 4);
    expect(second).toMatchObject({ cause: 'fell_left', count: 2, share: 0.2 });
    expect(third).toMatchObject({ cause: 'unattributed', count: 0, share: 0, share_low: 0 });
  });

  it('E8 keeps unattributed a row of its own, the last, and breaks ties by name', () => {
    expect(rows({ unattributed: 9, b: 1, a: 1 }).map(({ cause }) => cause)).toEqual(['a', 'b', 'unattributed']);
    expect(rows({})).toMatchObject([{ cause: 'unattributed', count: 0, share: 0, share_low: 0, share_high: 1, mean_length: NaN }]);
  });

  it('E9 lays a candidate beside the baseline', () => {
    const comparison = compareCauses(rows({ fell: 50, time_out: 50 }), rows({ fell: 5, time_out: 90, out_of_bounds: 5 }));
    expect(comparison.rows.map(({ cause, change, isSeparated }) => [cause, Number(change.toFixed(2)), isSeparated])).toEqual([
      ['fell', -0.45, true],
      ['time_out', 0.4, true],
      ['out_of_bounds', 0.05, false],
      ['unattributed', 0, false],
    ]);
    expect(comparison.rows[2]).toMatchObject({ baseline: null, candidate: { count: 5 } });
    expect(comparison.hasUnattributedGrown).toBe(false);
  });

  it('E9 says when unattributed grew', () => {
    expect(compareCauses(rows({ fell: 10 }), rows({ fell: 9, unattributed: 1 })).hasUnattributedGrown).toBe(true);
    expect(compareCauses(rows({ fell: 8, unattributed: 2 }), rows({ fell: 9, unattributed: 1 })).hasUnattributedGrown).toBe(false);
    expect(compareCauses([], []).hasUnattributedGrown).toBe(false);
  });
});

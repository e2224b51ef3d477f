// Fails every call of one kind once, campaign by campaign, and prints the count: for test/faults.
import { expect } from 'vitest';
import { makePaper, tryFault, type FaultKind, type FaultTally } from './paper-campaign.ts';

/** At most this many of each kind. */
const most = Number(process.env['RLXP_FAULT_MOST'] ?? 120);

export async function failEach(kind: FaultKind): Promise<void> {
  const whole = await makePaper();
  const { counts, end, text } = await whole.run(null);
  expect(end, text).toBe('completed');
  expect((await whole.check()).findings.filter((one) => one.severity !== 'ok')).toEqual([]);
  const reference = whole.records();
  const tally: FaultTally = { tried: 0, wentOn: 0, saidSo: 0, lost: 0, repaired: 0 };
  const wrong: string[] = [];
  const planned = Math.min(most, counts[kind]);
  expect(planned).toBeGreaterThan(0);
  for (let nth = 1; nth <= planned; nth += 1) wrong.push(...(await tryFault({ kind, nth, code: nth % 2 === 0 ? 'ENOSPC' : 'EIO' }, reference, tally)));
  console.log(`${kind}: ${counts[kind]} in a whole campaign; tried ${tally.tried}, went on ${tally.wentOn}, said so and resumed ${tally.saidSo} (${tally.repaired} after a repair), lost ${tally.lost}`);
  if (wrong.length > 0) console.log(wrong.join('\n'));
  expect(wrong).toEqual([]);
}

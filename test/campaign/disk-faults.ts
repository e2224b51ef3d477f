// Fails every call of one kind once, campaign by campaign, and prints the count: for test/faults.
import { expect } from 'vitest';
import { makePaper, tryFault, type FaultKind, type FaultTally } from './paper-campaign.ts';

/** At most this many of each kind. */
const most = Number(process.env['RLXP_FAULT_MOST'] ?? 120);
/** A crowded machine tries fewer, spread over the whole campaign, and the count says so. */
const longestMs = 13 * 60_000;
const stride = 7;

export async function failEach(kind: FaultKind): Promise<void> {
  const untilMs = performance.now() + longestMs;
  const whole = await makePaper();
  const { counts, end, text } = await whole.run(null);
  expect(end, text).toBe('completed');
  expect((await whole.check()).findings.filter((one) => one.severity !== 'ok')).toEqual([]);
  const reference = whole.records();
  const tally: FaultTally = { tried: 0, wentOn: 0, saidSo: 0, lost: 0, repaired: 0 };
  const wrong: string[] = [];
  const planned = Math.min(most, counts[kind]);
  expect(planned).toBeGreaterThan(0);
  const order = Array.from({ length: planned }, (_, index) => index + 1).sort((a, b) => (a % stride) - (b % stride) || a - b);
  for (const nth of order) {
    if (performance.now() > untilMs) break;
    wrong.push(...(await tryFault({ kind, nth, code: nth % 2 === 0 ? 'ENOSPC' : 'EIO' }, reference, tally)));
  }
  const cut = tally.tried < planned ? ` of ${planned} planned (out of time)` : '';
  console.log(`${kind}: ${counts[kind]} in a whole campaign; tried ${tally.tried}${cut}, went on ${tally.wentOn}, said so and resumed ${tally.saidSo} (${tally.repaired} after a repair), lost ${tally.lost}`);
  if (wrong.length > 0) console.log(wrong.join('\n'));
  expect(wrong).toEqual([]);
  expect(tally.tried).toBeGreaterThanOrEqual(Math.min(planned, 20));
}

// The disk takes nothing for a while, from every write of a campaign on. Run by `npm run test:faults`.
import { expect, it } from 'vitest';
import { makePaper, tryFault, type FaultTally } from '../campaign/paper-campaign.ts';

const most = Number(process.env['RLXP_FAULT_MOST'] ?? 120);
const longestMs = 13 * 60_000;
/** Writes before the first trial is launched: snapshot, manifest, the ledger's line, the first heartbeat. */
const startWrites = 10;

it('FA4: a disk that is full for 20 s, from each write on, is waited for', { timeout: 900_000 }, async () => {
  const untilMs = performance.now() + longestMs;
  const whole = await makePaper();
  const { counts, end, text } = await whole.run(null);
  expect(end, text).toBe('completed');
  const reference = whole.records();
  const tally: FaultTally = { tried: 0, wentOn: 0, saidSo: 0, lost: 0, repaired: 0 };
  const wrong: string[] = [];
  for (let nth = 1; nth <= Math.min(most, counts.write) && performance.now() < untilMs; nth += 1) {
    const before = tally.saidSo;
    wrong.push(...(await tryFault({ nth, code: nth % 2 === 0 ? 'ENOSPC' : 'EDQUOT', lastsMs: 20_000 }, reference, tally)));
    if (tally.saidSo > before && nth > startWrites) wrong.push(`outage from write ${nth}: it did not go on by itself`);
  }
  console.log(`outages of 20 s: ${counts.write} writes in a whole campaign; tried ${tally.tried}, went on alone ${tally.wentOn}, said so at the start ${tally.saidSo}, lost ${tally.lost}`);
  if (wrong.length > 0) console.log(wrong.join('\n'));
  expect(wrong).toEqual([]);
  expect(tally.tried).toBeGreaterThanOrEqual(Math.min(most, 20));
});

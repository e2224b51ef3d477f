// A few of the kills and disk faults of `npm run test:faults`, in every `npm test`.
import { describe, expect, it } from 'vitest';
import { killCampaigns, killTrials, tellTally } from './kill-runs.ts';
import { faultKinds, makePaper, tryFault, type Fault, type FaultTally } from './paper-campaign.ts';

describe('a few faults', () => {
  it('FA1: a campaign killed four times loses nothing', { timeout: 300_000 }, async () => {
    const tally = await killCampaigns({ seed: 7, kills: 4, each: 4, longestMs: 3000 });
    tellTally('SIGKILL of the campaign process', 7, tally);
    expect(tally).toMatchObject({ tried: 4, survived: 4, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });

  it('FA2: two trials killed cost one attempt each', { timeout: 300_000 }, async () => {
    const tally = await killTrials({ seed: 8, kills: 2, each: 2, longestMs: 900 });
    tellTally('SIGKILL of trial processes', 8, tally);
    expect(tally).toMatchObject({ tried: 2, survived: 2, repeated: 0, leftRunning: 0, findings: 0 });
  });

  it('FA3: ten calls of the disk that fail once are survived', { timeout: 300_000 }, async () => {
    const whole = await makePaper();
    const { counts, end } = await whole.run(null);
    expect(end).toBe('completed');
    const reference = whole.records();
    const tally: FaultTally = { tried: 0, wentOn: 0, saidSo: 0, lost: 0, repaired: 0 };
    const wrong: string[] = [];
    const faults: readonly Fault[] = faultKinds.flatMap((kind) => [0.3, 0.7].map((share) => ({ kind, nth: Math.max(1, Math.ceil(counts[kind] * share)), code: share < 0.5 ? 'EIO' : 'ENOSPC' })));
    for (const fault of faults) wrong.push(...(await tryFault(fault, reference, tally)));
    console.log(`failed calls: tried ${tally.tried}, went on ${tally.wentOn}, said so and resumed ${tally.saidSo}, lost ${tally.lost}`);
    expect(wrong).toEqual([]);
    expect(tally.tried).toBe(10);
  });

  it('FA4: three outages of the disk end by themselves', { timeout: 300_000 }, async () => {
    const whole = await makePaper();
    const { counts } = await whole.run(null);
    const reference = whole.records();
    const tally: FaultTally = { tried: 0, wentOn: 0, saidSo: 0, lost: 0, repaired: 0 };
    const wrong: string[] = [];
    for (const share of [0.13, 0.52, 0.97]) wrong.push(...(await tryFault({ nth: Math.ceil(counts.write * share), code: share < 0.5 ? 'EDQUOT' : 'ENOSPC', lastsMs: 20_000 }, reference, tally)));
    console.log(`outages: tried ${tally.tried}, went on alone ${tally.wentOn}, lost ${tally.lost}`);
    expect(wrong).toEqual([]);
    expect(tally).toMatchObject({ tried: 3, wentOn: 3 });
  });
});

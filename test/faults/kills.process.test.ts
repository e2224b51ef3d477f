// SIGKILL at random instants: fifty of the campaign process, twenty of trial processes.
import { describe, expect, it } from 'vitest';
import { killCampaigns, killTrials, killUnderBabysitter, tellTally } from '../campaign/kill-runs.ts';

const seed = Number(process.env['RLXP_FAULT_SEED'] ?? 20260301);

describe('kills', () => {
  it('FA1: fifty kills of the campaign process lose nothing, repeat nothing and leave nothing running', { timeout: 420_000 }, async () => {
    const tally = await killCampaigns({ seed, kills: 50, each: 9, longestMs: 3200 });
    tellTally('SIGKILL of the campaign process', seed, tally);
    expect(tally).toMatchObject({ tried: 50, survived: 50, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });

  it('FA5: BS8: twenty-five kills of a campaign under its babysitter: each is started again by itself, and nothing is lost', { timeout: 420_000 }, async () => {
    const tally = await killUnderBabysitter({ seed: seed + 2, kills: 25, longestMs: 3200 });
    tellTally('SIGKILL under the babysitter', seed + 2, tally);
    expect(tally).toMatchObject({ tried: 25, survived: 25, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });

  it('FA2: twenty kills of trial processes cost one attempt each', { timeout: 300_000 }, async () => {
    const tally = await killTrials({ seed: seed + 1, kills: 20, each: 7, longestMs: 900 });
    tellTally('SIGKILL of trial processes', seed + 1, tally);
    expect(tally).toMatchObject({ tried: 20, survived: 20, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });
});

// SIGKILL at random instants: fifty of the campaign process, twenty of trial processes.
import { describe, expect, it } from 'vitest';
import { killCampaigns, killTrials, tellTally } from '../campaign/kill-runs.ts';

const seed = Number(process.env['RLXP_FAULT_SEED'] ?? 20260301);

describe('kills', () => {
  it('FA1: fifty kills of the campaign process lose nothing, repeat nothing and leave nothing running', { timeout: 420_000 }, async () => {
    const tally = await killCampaigns({ seed, kills: 50, each: 9, longestMs: 3200 });
    tellTally('SIGKILL of the campaign process', seed, tally);
    expect(tally).toMatchObject({ tried: 50, survived: 50, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });

  it('FA2: twenty kills of trial processes cost one attempt each', { timeout: 300_000 }, async () => {
    const tally = await killTrials({ seed: seed + 1, kills: 20, each: 7, longestMs: 900 });
    tellTally('SIGKILL of trial processes', seed + 1, tally);
    expect(tally).toMatchObject({ tried: 20, survived: 20, linesLost: 0, repeated: 0, leftRunning: 0, findings: 0 });
  });
});

// A piece of the simulation that one thread does at a time, always the same campaigns for the same numbers. Imported by test/bench/verdict.
import type { Scenario } from './scenario.ts';
import { makeSimulation } from './simulated-campaign.ts';
import { addTallies, emptyTally, tallyOf, type Tally } from './tally.ts';

export interface Chunk {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly campaigns: number;
}

const chunkCampaigns = 2500;

/** `index`: the number of the case, so that no two cases share random numbers. */
export function chunksOf(scenario: Scenario, index: number, campaigns: number): readonly Chunk[] {
  return Array.from({ length: Math.ceil(campaigns / chunkCampaigns) }, (_, piece) => ({
    scenario,
    seed: 20_261_201 + 1_000_003 * index + piece,
    campaigns: Math.min(chunkCampaigns, campaigns - piece * chunkCampaigns),
  }));
}

export function runChunk({ scenario, seed, campaigns }: Chunk): Tally {
  const run = makeSimulation(scenario, seed);
  let tally = emptyTally;
  for (let count = 0; count < campaigns; count += 1) tally = addTallies(tally, tallyOf(scenario, run()));
  return tally;
}

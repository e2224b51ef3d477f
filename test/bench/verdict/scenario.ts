// A made-up truth under which whole campaigns are simulated, and the study they run. Imported by test/bench/verdict.
import type { LoadedStudy } from '../../../src-main/core/study/loaded-study.ts';
import { studyFromApproved } from '../../../src-main/core/study/assemble-study.ts';

/** Scores of seeds around their mean, with standard deviation 1; `bimodal`: every fifth seed lands 2.4 sd lower. */
export type Shape = 'normal' | 'heavy' | 'skewed' | 'bimodal';

/** Effects, spreads and margins are in seed sd of one baseline run at full budget. */
export interface Scenario {
  readonly looks: readonly number[];
  /** Candidates beside the baseline. */
  readonly candidates: number;
  /** Gain over the baseline: of all candidates, or of the first alone while the others equal the baseline. */
  readonly effect: number;
  readonly effectOf: 'all' | 'first';
  readonly shape: Shape;
  /** Of two candidates over a common seed. */
  readonly correlation: number;
  /** Seed sd of a candidate, in that of the baseline. */
  readonly candidateSpread: number;
  /** Sd of the same training run twice; 0: bit-identical. */
  readonly machineNoise: number;
  /** Chance that a training collapses; half of the collapses crash, half end below `collapse_below`. */
  readonly collapse: Collapse;
  readonly equivalenceMargin: number | null;
  /** A guardrail and how much the candidates lose on it, both in sd of its differences' arms; null: none. */
  readonly guardrail: { readonly margin: number; readonly loss: number } | null;
  /** A person asked for all looks. */
  readonly isCompleting: boolean;
}

export interface Collapse {
  /** Chances. */
  readonly candidate: number;
  readonly baseline: number;
  /** How far below the baseline's mean the floor lies. */
  readonly depth: number;
  /** Whether it may happen on the seed of the search too. */
  readonly isFreshOnly: boolean;
}

export const plain: Scenario = {
  looks: [5, 8, 10],
  candidates: 8,
  effect: 0,
  effectOf: 'all',
  shape: 'normal',
  correlation: 0,
  candidateSpread: 1,
  machineNoise: 0.05,
  collapse: { candidate: 0, baseline: 0, depth: 8, isFreshOnly: false },
  equivalenceMargin: null,
  guardrail: null,
  isCompleting: false,
};

/** Every plan of looks that the design names. */
export const plans: readonly (readonly number[])[] = [[5], [5, 8], [5, 10], [8, 10], [3, 5], [5, 8, 10], [5, 10, 20]];

/** Score units: where the baseline lies, and what one sd is. */
export const baselineMean = 100;
export const seedSd = 10;
/** Seeds of the search are smaller. */
export const firstFreshSeed = 1001;
export const railMean = 0.8;
export const railSd = 0.1;

export function floorOf(scenario: Scenario): number {
  return baselineMean - scenario.collapse.depth * seedSd;
}

export function effectOn(scenario: Scenario, candidate: string): number {
  return candidate === 'baseline' || (scenario.effectOf === 'first' && candidate !== 'c1') ? 0 : scenario.effect;
}

/** True mean score of a candidate's trainings at full budget, collapses at the floor: what a fresh estimate estimates. */
export function trueMean(scenario: Scenario, candidate: string): number {
  const chance = candidate === 'baseline' ? scenario.collapse.baseline : scenario.collapse.candidate;
  return (1 - chance) * (baselineMean + seedSd * effectOn(scenario, candidate)) + chance * floorOf(scenario);
}

/** As a person would write it; runs collapse halfway between the floor and the baseline. */
export function studyOf(scenario: Scenario): LoadedStudy {
  const evaluation = { num_envs: 4, episodes_per_env: 2, seed: 7777 };
  const hasCollapse = scenario.collapse.candidate + scenario.collapse.baseline > 0;
  const names = Array.from({ length: scenario.candidates }, (_, i) => `c${i + 1}`);
  return studyFromApproved(
    {
      schema: 1,
      study: {
        study: 'simulated',
        base: { task: 'paper', seed: 42, num_envs: 4, device: 'cpu', max_trial_s: 60 },
        eval: { ...evaluation, max_steps: 100 },
        stages: {
          noise: { seeds: 3 },
          screen: { timesteps: 1000, max_parallel: 2 },
          refine: { timesteps: 3000, top_k: 3 },
          verify: { looks: [...scenario.looks], ...(hasCollapse ? { collapse_below: baselineMean - (scenario.collapse.depth / 2) * seedSd, floor: floorOf(scenario) } : {}) },
        },
        candidates: [{ name: 'baseline' }, ...names.map((name) => ({ name, agent_cfg: { kind: name } }))],
      },
      experiment: { study: 'simulated', why: '' },
      gates: {
        task: { task: 'paper' },
        metric: {
          primary: 'score',
          ...(scenario.equivalenceMargin === null ? {} : { equivalence_margin: scenario.equivalenceMargin * seedSd }),
          guardrails: scenario.guardrail === null ? [] : [{ metric: 'success', direction: 'maximise', margin: scenario.guardrail.margin * railSd }],
        },
        scope: { may_change: ['agent_cfg'] },
        budget: { wall_hours: 100, per_trial_s: 60 },
        hardware: { devices: ['cpu'], max_parallel: 2 },
        baseline: { what: 'paper' },
        evaluation,
        experiment: { study: 'simulated' },
      },
      adapter: { framework: 'command', train: ['none'], evaluate: ['none'], metrics: { reward: { meaning: 'reward' } } },
      task: { entry: 'paper', score_scale: 100 },
    },
    '/simulated',
  );
}

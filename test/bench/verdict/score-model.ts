// Draws what the trainings of one simulated campaign come to. Imported by test/bench/verdict.
import type { PlannedTrial } from '../../../src-main/core/campaign/search-plan.ts';
import type { Random } from '../../../src-main/core/statistics/random.ts';
import { baselineMean, effectOn, firstFreshSeed, floorOf, railMean, railSd, seedSd } from './scenario.ts';
import type { Scenario, Shape } from './scenario.ts';

/** How alike screen budget and full budget rank one candidate on one seed. */
const screenCorrelation = 0.5;

export interface DrawnRun {
  /** null: it crashed. */
  readonly score: number | null;
  readonly rail: number;
  /** Steps to 90 % of the rise, without meaning for the score: it breaks ties. */
  readonly t90: number;
}

/** One campaign's trainings: the same candidate on the same seed is the same training, up to machine noise. */
export function makeScoreModel(scenario: Scenario, random: Random): (trial: PlannedTrial) => DrawnRun {
  const full = new Map<string, Training>();
  const screen = new Map<string, Training>();
  const shared = new Map<number, number>();
  const share = Math.sqrt(scenario.correlation);
  const own = Math.sqrt(1 - scenario.correlation);

  function common(seed: number): number {
    if (scenario.correlation === 0) return 0;
    const known = shared.get(seed);
    if (known !== undefined) return known;
    const value = random.normal();
    shared.set(seed, value);
    return value;
  }

  function train(trial: PlannedTrial, isFull: boolean): Training {
    const key = `${trial.candidate} ${trial.seed}`;
    const done = isFull ? full : screen;
    const known = done.get(key);
    if (known !== undefined) return known;
    const fresh = share * common(trial.seed) + own * drawShape(scenario.shape, random);
    const before = isFull ? screen.get(key) : undefined;
    const deviation = before === undefined ? fresh : screenCorrelation * before.deviation + Math.sqrt(1 - screenCorrelation ** 2) * fresh;
    const { candidate, baseline, isFreshOnly } = scenario.collapse;
    const chance = isFreshOnly && trial.seed < firstFreshSeed ? 0 : trial.candidate === 'baseline' ? baseline : candidate;
    const collapse: Training['collapse'] = chance > 0 && random.uniform() < chance ? (random.uniform() < 0.5 ? 'crash' : 'low') : null;
    const training = { deviation, collapse, rail: random.normal(), t90: random.below(1000) };
    done.set(key, training);
    return training;
  }

  return (trial) => {
    const training = train(trial, trial.stage === 'refine' || trial.stage === 'verify');
    const isBaseline = trial.candidate === 'baseline';
    const spread = isBaseline ? 1 : scenario.candidateSpread;
    const deviation = spread * training.deviation + scenario.machineNoise * (scenario.machineNoise === 0 ? 0 : random.normal());
    const loss = isBaseline ? 0 : (scenario.guardrail?.loss ?? 0);
    const score = training.collapse === null ? baselineMean + seedSd * (effectOn(scenario, trial.candidate) + deviation) : training.collapse === 'low' ? floorOf(scenario) + 0.1 * seedSd * deviation : null;
    return { score, rail: railMean + railSd * (training.rail - loss), t90: training.t90 };
  };
}

interface Training {
  readonly deviation: number;
  readonly collapse: 'crash' | 'low' | null;
  readonly rail: number;
  readonly t90: number;
}

/** Mean 0, sd 1. */
export function drawShape(shape: Shape, random: Random): number {
  switch (shape) {
    case 'normal':
      return random.normal();
    case 'heavy': {
      // Student's t with 3 degrees of freedom, whose variance is 3.
      const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
      return random.normal() / Math.sqrt(squares);
    }
    case 'skewed':
      // An exponential turned round: most seeds a little above the mean, a long tail below.
      return 1 + Math.log(1 - random.uniform());
    case 'bimodal':
      // Four in five around 0.5, one in five around -2, each with sd 0.3; the variance is 1.09.
      return ((random.uniform() < 0.2 ? -2 : 0.5) + 0.3 * random.normal()) / Math.sqrt(1.09);
  }
}

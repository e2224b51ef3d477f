// How long a study can take at most, before anything has been measured (docs/specs/study.md, S30). Any room that may
// import study may import it.

export interface CostInput {
  /** Seeds of the noise stage; 0 when it is off. */
  readonly noiseSeeds: number;
  readonly candidates: number;
  readonly topK: number;
  readonly looks: readonly number[];
  /** Wall seconds one trial may take. */
  readonly perTrialS: number;
  readonly screenSlots: number;
  readonly refineSlots: number;
  /** What the contract wants kept back for verify, when that is more than computed. */
  readonly leastReserveS: number;
}

export interface StudyCost {
  /** Verify up to its last look. */
  readonly trials: { readonly noise: number; readonly screen: number; readonly refine: number; readonly verify: number };
  /** Verify up to its first look: it goes on only where that does not settle it. */
  readonly firstVerify: number;
  readonly perTrialS: number;
  readonly screenSlots: number;
  readonly refineSlots: number;
  /** Noise, screen and refine. */
  readonly searchS: number;
  /** Kept back for verify before screening starts. */
  readonly reserveS: number;
  readonly totalS: number;
}

/** trials * per-trial limit / slots, and the reserve (1 + 2 * last look) * per-trial limit * 1.2. */
export function studyCost(input: CostInput): StudyCost {
  const trials = {
    noise: input.noiseSeeds === 0 ? 0 : input.noiseSeeds + 1,
    screen: input.candidates,
    refine: Math.min(input.topK, input.candidates - 1) + 1,
    verify: verifyTrials(input.looks),
  };
  const searchS = input.perTrialS * ((trials.noise + trials.screen) / input.screenSlots + trials.refine / input.refineSlots);
  const reserveS = Math.max(verifyReserveS(input.looks, input.perTrialS), input.leastReserveS);
  return {
    trials,
    firstVerify: verifyTrials(input.looks.slice(0, 1)),
    perTrialS: input.perTrialS,
    screenSlots: input.screenSlots,
    refineSlots: input.refineSlots,
    searchS,
    reserveS,
    totalS: searchS + reserveS,
  };
}

/** The pipeline repeat, and winner and baseline on each fresh seed up to the last look. */
export function verifyTrials(looks: readonly number[]): number {
  return 1 + 2 * (looks[looks.length - 1] ?? 0);
}

/** `refineS`: measured wall seconds of a refine trial, or the per-trial limit before one was measured. */
export function verifyReserveS(looks: readonly number[], refineS: number): number {
  return verifyTrials(looks) * refineS * 1.2;
}

// Which trainings a study asks for, and what each is called for ever. Pure. Rooms that may import study may import it.
// Rules: docs/specs/study.md, S27 to S31.
import type { StageName } from '../../../src-protocol/files/plain.ts';
import { digest } from '../provenance/canonical-json.ts';
import type { LoadedStudy, ResolvedCandidate } from './loaded-study.ts';
import type { StudyCost } from './study-cost.ts';
import { searchDigest, settingsDigest } from './study-digest.ts';

export interface PlannedTrial {
  readonly stage: StageName;
  readonly candidate: string;
  readonly seed: number;
  /** 0, or 1 for the same training once more. */
  readonly repeat: number;
  readonly timesteps: number;
  readonly num_envs: number;
  readonly settingsDigest: string;
  readonly identity: string;
}

export interface TrialWish {
  readonly stage: StageName;
  readonly candidate: string;
  readonly seed: number;
  readonly repeat?: number;
  /** Needed for the stage `extra`; the others have their own. */
  readonly timesteps?: number;
}

export interface TrialPlan {
  /** The baseline on base.seed, base.seed + 1, ..., and once more on base.seed; empty when the stage is off. */
  readonly noise: readonly PlannedTrial[];
  /** Every candidate on base.seed, in the order of the file. */
  readonly screen: readonly PlannedTrial[];
  /** How many; which ones is known after screening: the best top_k and the baseline. */
  readonly refineTrials: number;
  /** At most: the repeat, and winner and baseline on each fresh seed up to the last look. */
  readonly verifyTrials: number;
  readonly cost: StudyCost;
}

/** Everything that can be said before anything has run. */
export function planTrials(study: LoadedStudy): TrialPlan {
  const baseline = (seed: number, repeat: number) => planTrial(study, { stage: 'noise', candidate: study.baseline.name, seed, repeat });
  const seeds = study.stages.noise?.seeds ?? [];
  return {
    noise: [...seeds.map((seed) => baseline(seed, 0)), ...seeds.slice(0, 1).map((seed) => baseline(seed, 1))],
    screen: study.candidates.map(({ name }) => planTrial(study, { stage: 'screen', candidate: name, seed: study.base.seed })),
    refineTrials: study.cost.trials.refine,
    verifyTrials: study.cost.trials.verify,
    cost: study.cost,
  };
}

/** Throws RangeError for a candidate that the study does not have, or an extra trial without timesteps: both are faults of ours. */
export function planTrial(study: LoadedStudy, wish: TrialWish): PlannedTrial {
  const candidate = study.candidates.find(({ name }) => name === wish.candidate);
  if (candidate === undefined) throw new RangeError(`the study ${study.name} has no candidate ${wish.candidate}`);
  const timesteps = wish.timesteps ?? timestepsOf(study, wish.stage);
  const repeat = wish.repeat ?? 0;
  const settings = settingsDigest(candidate, timesteps);
  return {
    stage: wish.stage,
    candidate: candidate.name,
    seed: wish.seed,
    repeat,
    timesteps,
    num_envs: candidate.num_envs,
    settingsDigest: settings,
    identity: trialIdentity({ study: searchDigest(study.file), stage: wish.stage, candidate, settings, seed: wish.seed, repeat }),
  };
}

export interface IdentityParts {
  /** Digest of the search, see searchDigest. */
  readonly study: string;
  readonly stage: StageName;
  readonly candidate: Pick<ResolvedCandidate, 'name'>;
  /** See settingsDigest. */
  readonly settings: string;
  readonly seed: number;
  readonly repeat: number;
}

/** SHA-256 of the canonical JSON of what a trial is; the attempt is not part of it. */
export function trialIdentity(parts: IdentityParts): string {
  const { study, stage, candidate, settings, seed, repeat } = parts;
  return digest({ study_digest: study, stage, candidate: candidate.name, settings_digest: settings, seed, repeat });
}

function timestepsOf(study: LoadedStudy, stage: StageName): number {
  switch (stage) {
    case 'noise':
    case 'screen':
      return study.stages.screen.timesteps;
    case 'refine':
    case 'verify':
      return study.stages.refine.timesteps;
    case 'extra':
      throw new RangeError('an extra trial says for how many timesteps it trains');
  }
}

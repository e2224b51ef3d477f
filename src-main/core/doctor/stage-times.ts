// How long the stages of a study would take, from what one trial took. Pure. This room only.
import type { DoctorMeasured } from '../../../src-protocol/files/doctor.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { verifyTrials } from '../study/study-cost.ts';
import type { Observed } from './observer.ts';

export type StageTimes = Pick<DoctorMeasured, 'stages' | 'study_s' | 'budget_s'> & {
  /** One trial of the refine stage, its evaluation included; null when nothing was measured. */
  readonly refineS: number | null;
};

/** `steps`: how far the trial came. Time before the first step is spent once by every trial, however long it is. */
export function stageTimes(study: LoadedStudy, observed: Pick<Observed, 'trainingS' | 'evaluationS' | 'stepsPerS'>, steps: number): StageTimes {
  const budget = study.contract.gates.budget.value;
  const budgetS = budget === null ? null : budget.wall_hours * 3600;
  const { trainingS, stepsPerS } = observed;
  if (trainingS === null || steps <= 0) return { stages: [], study_s: null, budget_s: budgetS, refineS: null };
  const rate = stepsPerS ?? steps / trainingS;
  const startS = Math.max(0, trainingS - steps / rate);
  const each = (timesteps: number) => startS + timesteps / rate + (observed.evaluationS ?? 0);
  const { screen, refine, noise, verify } = study.stages;
  const { trials, screenSlots, refineSlots } = study.cost;
  const [screenS, refineS] = [each(screen.timesteps), each(refine.timesteps)];
  const reserveS = Math.max((verifyTrials(verify.looks) * refineS * 1.2) / refineSlots, (budget?.verify_reserve_hours ?? 0) * 3600);
  const stage = (name: DoctorMeasured['stages'][number]['stage'], count: number, eachS: number, slots: number) => ({ stage: name, trials: count, each_s: eachS, all_s: (count * eachS) / slots });
  const stages = [
    ...(noise === null ? [] : [stage('noise', trials.noise, screenS, screenSlots)]),
    stage('screen', trials.screen, screenS, screenSlots),
    stage('refine', trials.refine, refineS, refineSlots),
    { ...stage('verify', trials.verify, refineS, refineSlots), all_s: reserveS },
  ];
  return { stages, study_s: stages.reduce((sum, one) => sum + one.all_s, 0), budget_s: budgetS, refineS };
}

// What an extra trial is: its plan, its rules, its place in the budget. Pure. Imported by this room only. Rules: docs/specs/extra.md.
import type { ExtraWish } from '../../../src-protocol/files/extra.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { plateauRule, type MonitorRules } from '../../../src-protocol/files/study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { planTrial } from '../study/plan-trials.ts';
import { overBudgetOf, type BudgetFacts } from './budget.ts';
import { monitorRules } from './launch-rules.ts';
import { settledTrials, type PlannedTrial } from './search-plan.ts';

export type ExtraPlan = Pick<ExtraWish, 'candidate' | 'timesteps' | 'seed' | 'repeat' | 'full'>;

/** Refine's length and the base seed where nothing else is asked for. */
export function resolveExtra(study: LoadedStudy, records: readonly TrialRecord[], wish: { readonly candidate: string; readonly timesteps?: number | undefined; readonly seed?: number | undefined; readonly full: boolean }): ExtraPlan {
  const { candidate, full } = wish;
  const plan = { candidate, timesteps: wish.timesteps ?? study.stages.refine.timesteps, seed: wish.seed ?? study.base.seed, repeat: 0, full };
  // A trial is never run again; one that a plateau ended is run to its end as its repeat.
  const before = settledTrials(records).get(planExtra(study, plan).identity);
  return full && before?.status === 'plateau' ? { ...plan, repeat: 1 } : plan;
}

export function planExtra(study: LoadedStudy, { candidate, timesteps, seed, repeat }: ExtraPlan): PlannedTrial {
  return planTrial(study, { stage: 'extra', candidate, timesteps, seed, repeat });
}

/** Refine's rules; a plateau ends it even where refine has no such rule, unless it runs in full. */
export function extraRules(study: Pick<LoadedStudy, 'stages'>, { full }: Pick<ExtraPlan, 'full'>): MonitorRules {
  const { plateau, ...rules } = monitorRules(study, 'extra');
  return full ? rules : { ...rules, plateau: plateau ?? plateauRule.parse({}) };
}

/** Why the budget has no room for it; null when it has. What verify still needs is kept, unless the campaign has concluded. */
export function extraOverBudget(facts: BudgetFacts, trial: PlannedTrial, isConcluded: boolean): string | null {
  return overBudgetOf(facts, trial, { keepsReserve: !isConcluded });
}

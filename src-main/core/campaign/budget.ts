// Whether a campaign may still spend: device time against the contract's budget, with the verify reserve kept. Imported by this room only.
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { limitSeconds, type BudgetTerms } from '../contract/budget-terms.ts';
import { durationText } from '../report/number-text.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { secondsOf, verifyReserveS } from './estimate.ts';
import type { Run } from './run-state.ts';
import type { PlannedTrial } from './search-plan.ts';

export interface BudgetFacts {
  readonly study: LoadedStudy;
  /** What may be spent, amendments counted. */
  readonly budget: BudgetTerms;
  readonly records: readonly TrialRecord[];
  /** Device time so far, in seconds. */
  readonly spentS: number;
}

export function budgetFacts({ study, budget, journal, device }: Run['campaign']): BudgetFacts {
  return { study, budget, records: journal.records, spentS: device.spentS() };
}

/** Search stages must leave the verify reserve untouched; verify may use it. */
export function overBudget(run: Run, trial: PlannedTrial): string | null {
  return overBudgetOf(budgetFacts(run.campaign), trial, { keepsReserve: trial.stage !== 'verify' });
}

export function overBudgetOf(facts: BudgetFacts, trial: Pick<PlannedTrial, 'timesteps'>, { keepsReserve }: { readonly keepsReserve: boolean }): string | null {
  const budgetS = limitSeconds(facts.budget);
  const spent = facts.spentS;
  const each = secondsOf(facts.records, trial.timesteps) ?? 0;
  const kept = keepsReserve ? reserveOf(facts) : 0;
  if (spent + each + kept <= budgetS) return null;
  return `the budget of ${durationText(budgetS)} is used up: ${durationText(spent)} spent${kept > 0 ? `, ${durationText(kept)} kept for verify` : ''}; raise it with \`rlxp campaign amend ${facts.study.name} --wall-hours N\` to go on`;
}

/** What verify may still need, in seconds, and no less than the contract keeps for it. */
export function reserveSeconds(run: Run): number {
  return reserveOf(budgetFacts(run.campaign));
}

export function reserveOf({ study, records }: Pick<BudgetFacts, 'study' | 'records'>): number {
  const { refine, verify } = study.stages;
  const measured = verifyReserveS({ records, refineTimesteps: refine.timesteps, lastLook: verify.looks.at(-1) ?? 0, slots: refine.max_parallel });
  return Math.max(measured ?? 0, (study.contract.gates.budget.value?.verify_reserve_hours ?? 0) * 3600);
}

// Whether a campaign may still spend: device time against the contract's budget, with the verify reserve kept. Imported by this room only.
import { durationText } from '../report/number-text.ts';
import { secondsOf, verifyReserveS } from './estimate.ts';
import { budgetSeconds } from './judges.ts';
import type { Run } from './run-state.ts';
import type { PlannedTrial } from './search-plan.ts';

/** Search stages must leave the verify reserve untouched; verify may use it. */
export function overBudget(run: Run, trial: PlannedTrial): string | null {
  const { campaign } = run;
  const budgetS = budgetSeconds(campaign.study);
  const spent = campaign.device.spentS();
  const each = secondsOf(campaign.journal.records, trial.timesteps) ?? 0;
  const kept = trial.stage === 'verify' ? 0 : reserveSeconds(run);
  if (spent + each + kept <= budgetS) return null;
  return `the budget of ${durationText(budgetS)} is used up: ${durationText(spent)} spent${kept > 0 ? `, ${durationText(kept)} kept for verify` : ''}; stop the campaign, raise the budget gate, approve again and run it to go on`;
}

/** What verify may still need, in seconds, and no less than the contract keeps for it. */
export function reserveSeconds(run: Run): number {
  const { study, journal } = run.campaign;
  const { refine, verify } = study.stages;
  const measured = verifyReserveS({ records: journal.records, refineTimesteps: refine.timesteps, lastLook: verify.looks.at(-1) ?? 0, slots: refine.max_parallel });
  return Math.max(measured ?? 0, (study.contract.gates.budget.value?.verify_reserve_hours ?? 0) * 3600);
}

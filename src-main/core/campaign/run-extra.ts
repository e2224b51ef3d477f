// Runs one extra trial in the campaign's process, with the campaign's slots, records and events. Imported by this room only.
import type { ExtraWish } from '../../../src-protocol/files/extra.ts';
import { runBatch } from './batch.ts';
import { budgetFacts } from './budget.ts';
import { rewriteReport } from './close-campaign.ts';
import { dropExtra } from './extra-file.ts';
import { extraOverBudget, extraRules, planExtra } from './extra-trial.ts';
import type { CampaignEnd } from './run-campaign.ts';
import { writePatiently } from './write-patiently.ts';
import { nextStep, type Run } from './run-state.ts';
import { isDiskFailure } from './disk-guard.ts';
import { settledTrials } from './search-plan.ts';

/** `stopped` when it was stopped, or when the budget has no room for it. */
export async function runExtra(run: Run, wish: ExtraWish): Promise<CampaignEnd> {
  const { campaign, events } = run;
  const { study, steering, journal } = campaign;
  const planned = planExtra(study, wish);
  events.add({ kind: 'stage_started', stage: 'extra', trials: 1 }, `extra trial of ${wish.candidate}, asked for by ${wish.by}`);
  await runBatch({
    campaign,
    events,
    trials: settledTrials(journal.records).has(planned.identity) ? [] : [planned],
    staggerS: 0,
    slots: 1,
    rules: extraRules(study, wish),
    overBudget: (trial) => {
      const { kind } = nextStep(run);
      const reason = extraOverBudget(budgetFacts(campaign), trial, kind === 'conclude' || kind === 'blocked');
      // Nobody raises a budget while an extra trial waits for it.
      if (reason !== null) steering.stop(reason);
      return reason;
    },
    onChange: (running) => {
      run.standing = { ...run.standing, stage: 'extra', running, text: `extra trial of ${wish.candidate}` };
    },
  });
  const record = settledTrials(journal.records).get(planned.identity);
  await tellReport(run);
  if (record === undefined) return { status: 'stopped', text: steering.stoppedBecause() ?? 'the extra trial did not come to its end' };
  await dropExtra(campaign.ports.files, campaign.paths.folder);
  const score = record.evaluation?.valid === true ? `; score ${record.evaluation.score}` : '';
  return { status: 'completed', text: `${record.folder} ${record.status}: ${record.reason.text}${score}` };
}

/** The records stand whatever becomes of the report: it can be derived again. */
async function tellReport(run: Run): Promise<void> {
  try {
    await writePatiently(run.campaign, () => rewriteReport(run));
  } catch (error) {
    if (!isDiskFailure(error)) throw error;
    run.events.add({ kind: 'warning', text: `report.md could not be written: ${error.message}` }, `report.md could not be written (${error.message}); \`rlxp report ${run.campaign.study.name} --rebuild\` derives it`);
  }
}

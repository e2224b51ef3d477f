// A running campaign takes up the budget as it was amended. Imported by this room only.
import { readBudget } from '../contract/budget-amendments.ts';
import { limitSeconds, raiseText } from '../contract/budget-terms.ts';
import type { Run } from './run-state.ts';

/** Reads what is in force, whatever the request says: only a genuine amendment counts. */
export async function applyAmendment(run: Run, by: string): Promise<void> {
  const { campaign, events } = run;
  const { terms, doubt } = await readBudget(campaign.ports, campaign.root, campaign.approved);
  if (doubt !== null) {
    const text = `budget.jsonl, line ${doubt.line}: ${doubt.what}; it counts for nothing`;
    events.add({ kind: 'warning', text }, text);
  }
  const change = raiseText(campaign.budget, terms);
  if (change === '') return;
  campaign.budget = terms;
  run.standing = { ...run.standing, budgetS: limitSeconds(terms) };
  events.add({ kind: 'amended', text: change }, `budget raised by ${by}: ${change}`);
  // A person's pause stands on its own.
  campaign.steering.lift('budget', by);
}

// Checks budget.jsonl: every amendment of an approved budget is chained, sealed and told by the ledger. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { approvalPaths } from '../contract/approval-paths.ts';
import { readBudget } from '../contract/budget-amendments.ts';
import type { Genuine } from '../contract/open-approval.ts';
import type { CheckScope } from './findings.ts';

export async function checkBudget({ ports, root, found }: CheckScope, opened: Genuine): Promise<void> {
  const path = approvalPaths(root, opened.approval.subject.study).budget;
  if ((await ports.files.stat(path)) !== null) found.counts.files += 1;
  const { doubt, missing, terms } = await readBudget(ports, root, opened);
  const force = `In force are ${terms.wall_hours} wall hours and ${terms.per_trial_s} s for a trial.`;
  if (doubt !== null) {
    const fix = doubt.isForeign ? 'Amend it again on this machine.' : 'Restore the file from a copy, or stop the campaign, raise the budget gate and approve again.';
    found.add(doubt.isForeign ? 'warning' : 'broken', path, `${doubt.what}; it and every later line count for nothing. ${force}`, { line: doubt.line, fix });
  } else if (missing.length > 0) found.add('warning', path, `The ledger tells of ${countText(missing.length, 'amendment that is', 'amendments that are')} not here: a crash or a cut. ${force}`, { fix: 'Raise the budget again with `rlxp campaign amend`.' });
}

// A person raises the budget of an approved study: checked, told to the ledger, sealed and chained beside the approval.
// Core rooms left of contract may import it.
import { budgetAmendment, type BudgetAmendment } from '../../../src-protocol/files/budget-amendment.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { appendOnce } from '../workspace/append-once.ts';
import { shownPath } from '../workspace/layout.ts';
import { approvalPaths } from './approval-paths.ts';
import { amendmentDigest, budgetDigest, budgetFact, chainedTo, readBudget, sealAmendment } from './budget-amendments.ts';
import { budgetTermNames, raised, whyNoRaise, type BudgetRaise } from './budget-terms.ts';
import { approvedOrRefuse, checkLive } from './check-approval.ts';
import { underLock } from './gate-changes.ts';
import type { ApprovalPorts } from './open-approval.ts';

export interface AmendOptions {
  readonly study: string;
  /** Name of the person. */
  readonly by: string;
  readonly raise: BudgetRaise;
  /** Digest of the budget that the person was shown; refused when it is another by now. */
  readonly digest?: string | undefined;
}

/**
 * The ledger's line comes first and announces the record, so a crash in between leaves the budget as it was. Throws RefusalError:
 * bad_input (no raise), what an approval that does not hold refuses with, damaged (an earlier amendment cannot be trusted).
 */
export async function amendBudget(ports: ApprovalPorts, root: string, { study, by, raise, digest }: AmendOptions): Promise<BudgetAmendment> {
  return underLock(ports, root, async () => {
    const { approval, approved } = approvedOrRefuse(await checkLive(ports, root, study));
    const path = approvalPaths(root, study).budget;
    const reading = await readBudget(ports, root, { approval, approved });
    if (reading.doubt !== null) refuse('damaged', `${shownPath(root, path)}, line ${reading.doubt.line}: ${reading.doubt.what}.`, { next: 'Restore the file from a copy, or stop the campaign, raise the budget gate and approve again.' });
    if (digest !== undefined && digest !== budgetDigest(reading)) {
      refuse('approval_lapsed', `The budget of ${study} changed since it was shown; nothing was raised.`, { next: `Look again with \`rlxp approval check ${study}\`, then raise it.` });
    }
    refuseNoRaise(reading.terms, raise);
    const last = reading.amendments.at(-1);
    const subject = { seq: reading.amendments.length, study, approval: approval.digest, before: reading.terms, budget: raised(reading.terms, raise), prev: chainedTo(last) };
    const amended = amendmentDigest(subject);
    const { before, budget } = subject;
    const line = await appendLedger(ports, root, { kind: 'amendment', by, study, facts: { what: budgetFact, digest: amended, before, budget } });
    const unsealed = { ...subject, digest: amended, by, at: line.at };
    const one = budgetAmendment.parse({ schema: 1, ...unsealed, ...sealAmendment(await ports.secrets.machineKey(), unsealed) });
    await appendOnce(ports.files, path, JSON.stringify(one));
    return one;
  });
}

function refuseNoRaise(terms: BudgetAmendment['before'], raise: BudgetRaise): void {
  const asked = budgetTermNames.filter((term) => raise[term] !== undefined);
  if (asked.length === 0) refuse('bad_input', 'Nothing is raised: give wall_hours, gpu_hours or per_trial_s.', { next: 'Only the budget of an approved study can be amended; anything else needs a study of its own name, or `rlxp approve <study> --fresh`.' });
  const rows = whyNoRaise(terms, raise);
  if (rows.length === 0) return;
  refuse('bad_input', `${rows.map(({ term, why }) => `${term}: ${why}`).join('; ')}.`, {
    problems: rows.map(({ term, why }) => ({ file: term, line: null, column: null, message: why, fix: 'Give more than what is in force, or leave it out.' })),
  });
}

// What an approved study may spend, and what raising it means: pure. Core rooms left of contract may import it.
import type { ApprovedFile } from '../../../src-protocol/files/approval.ts';
import { budgetTerms, type BudgetTerms } from '../../../src-protocol/files/budget-amendment.ts';
import { gateValues } from '../../../src-protocol/files/contract.ts';
import { studyFile } from '../../../src-protocol/files/study.ts';

export type { BudgetTerms };
export type BudgetRaise = { readonly [Term in keyof BudgetTerms]?: number | undefined };
export const budgetTermNames = budgetTerms.keyof().options;

/** What the approval itself says; the limit of a trial is the smaller of the study's and the gate's. */
export function approvedTerms(approved: Pick<ApprovedFile, 'study' | 'gates'>): BudgetTerms {
  const gate = gateValues.budget.parse(approved.gates.budget);
  const study = studyFile.parse(approved.study);
  return { wall_hours: gate.wall_hours, gpu_hours: isOnGpu(approved) ? (gate.gpu_hours ?? null) : null, per_trial_s: Math.min(gate.per_trial_s, study.base.max_trial_s) };
}

/** Device seconds that all trials together may take: hours on the GPU where the study has that limit, and never more than the wall hours. */
export function limitSeconds({ wall_hours, gpu_hours }: Pick<BudgetTerms, 'wall_hours' | 'gpu_hours'>): number {
  return Math.min(wall_hours, gpu_hours ?? Infinity) * 3600;
}

/** One row for each term that is no raise; empty when all are. */
export function whyNoRaise(before: BudgetTerms, raise: BudgetRaise): readonly { readonly term: keyof BudgetTerms; readonly why: string }[] {
  return budgetTermNames.flatMap((term) => {
    const wanted = raise[term];
    if (wanted === undefined) return [];
    const now = before[term];
    if (now === null) return [{ term, why: 'this study has no limit of GPU hours to raise; its budget is in wall hours' }];
    return wanted > now ? [] : [{ term, why: `${wanted} is not more than the ${now} in force: a budget can only be raised` }];
  });
}

export function raised(before: BudgetTerms, raise: BudgetRaise): BudgetTerms {
  return { wall_hours: raise.wall_hours ?? before.wall_hours, gpu_hours: raise.gpu_hours ?? before.gpu_hours, per_trial_s: raise.per_trial_s ?? before.per_trial_s };
}

/** Whether `after` raises something and lowers nothing. */
export function isRaise(before: BudgetTerms, after: BudgetTerms): boolean {
  const pairs = budgetTermNames.map((term) => [before[term], after[term]] as const);
  const isNoLess = pairs.every(([was, is]) => (was === null ? is === null : is !== null && is >= was));
  return isNoLess && pairs.some(([was, is]) => was !== is);
}

/** `wall_hours 1 -> 2, per_trial_s 30 -> 60` */
export function raiseText(before: BudgetTerms, after: BudgetTerms): string {
  return budgetTermNames.filter((term) => before[term] !== after[term]).map((term) => `${term} ${before[term]} -> ${after[term]}`).join(', ');
}

function isOnGpu({ study }: Pick<ApprovedFile, 'study'>): boolean {
  const { device } = studyFile.parse(study).base;
  return (typeof device === 'string' ? [device] : device).some((one) => one !== 'cpu');
}

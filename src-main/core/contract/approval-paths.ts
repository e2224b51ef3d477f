// Where an approval and what it froze lie. Core rooms left of contract may import it.
import path from 'node:path';
import { projectPaths, runPaths } from '../workspace/layout.ts';
import { slugOf } from '../workspace/slug.ts';

export interface ApprovalPaths {
  readonly folder: string;
  readonly approval: string;
  /** The values behind the approval's digests. */
  readonly approved: string;
  /** Byte copy of the study file as it was approved. */
  readonly study: string;
  /** Read-only copy of the task's code: what every trial imports from. It exists from the campaign's first start on. */
  readonly snapshot: string;
  readonly trials: string;
  /** Amendments of the budget, chained and sealed. */
  readonly budget: string;
}

export function approvalPaths(root: string, study: string): ApprovalPaths {
  const { folder, approval, study: frozen, trials } = runPaths(root, study);
  return { folder, approval, approved: path.join(folder, 'approved.json'), study: frozen, snapshot: path.join(folder, 'snapshot'), trials, budget: path.join(folder, 'budget.jsonl') };
}

/** The approval an example is shipped with, tracked by git. */
export function bundledApprovalPath(root: string, study: string): string {
  return path.join(projectPaths(root).folder, 'approvals', `${slugOf(study)}.json`);
}

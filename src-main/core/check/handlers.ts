// The tools repository_check, repository_repair and report_rebuild. The workbench imports it. Rules: docs/specs/check.md.
import type { Handler } from '../dispatch/handler.ts';
import { requireRepository } from '../campaign/read-campaign.ts';
import { checkRepository } from './check-repository.ts';
import { rebuildReport } from './rebuild-report.ts';
import { repairRepository } from './repair-repository.ts';

export const repositoryCheck: Handler<'repository_check'> = async ({ root, study }, { ports }) => {
  await requireRepository(ports, root);
  return checkRepository(ports, root, study ?? null);
};

export const repositoryRepair: Handler<'repository_repair'> = async ({ root, study }, { ports, caller }) => {
  await requireRepository(ports, root);
  return repairRepository(ports, root, { study: study ?? null, by: caller.by });
};

export const reportRebuild: Handler<'report_rebuild'> = async ({ root, study }, { ports }) => {
  await requireRepository(ports, root);
  return rebuildReport(ports, root, study);
};

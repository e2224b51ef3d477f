// The tool repository_init: makes .rlxp/ and opens its ledger with who started the project. The workbench imports it.
import type { Handler } from '../dispatch/handler.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { makeProject } from '../workspace/init.ts';

export const repositoryInit: Handler<'repository_init'> = async ({ root, project }, { ports, caller }) => {
  const created = await makeProject(ports.files, { root, project });
  await appendLedger(ports, root, { kind: 'project_started', by: caller.by, study: null, facts: { project } });
  return { root, project, created: [...created] };
};

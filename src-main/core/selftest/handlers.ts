// The tool selftest_run. The workbench imports it. Rules: docs/specs/selftest.md.
import type { SelftestItem } from '../../../src-protocol/selftest.ts';
import type { Handler } from '../dispatch/handler.ts';
import { rlxpFolder } from '../workspace/layout.ts';
import { itemOf } from './item.ts';
import { programItems } from './program-items.ts';
import { repositoryItems } from './repository-items.ts';

export const selftestRun: Handler<'selftest_run'> = async ({ root }, { ports }) => {
  const isRepository = (await ports.files.stat(rlxpFolder(root)))?.kind === 'folder';
  const own = isRepository ? await repositoryItems(ports, root) : [noRepository(root)];
  const items = [...own, ...(await programItems(ports))];
  return { root, state: worst(items), items: items.map((item) => ({ ...item, problems: [...item.problems] })) };
};

/** Nothing is wrong with a folder for not being a repository. */
function noRepository(root: string): SelftestItem {
  return itemOf({ subject: 'repository', name: '(none)' }, `${root} holds no .rlxp folder: only the program itself was tested; \`--root DIR\` names a repository`);
}

function worst(items: readonly SelftestItem[]): SelftestItem['state'] {
  if (items.some((item) => item.state === 'failed')) return 'failed';
  return items.some((item) => item.state === 'warning') ? 'warning' : 'ok';
}

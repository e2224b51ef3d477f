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

function noRepository(root: string): SelftestItem {
  const problem = { file: '.rlxp', line: null, column: null, message: `${root} holds no .rlxp folder: only the program itself was tested`, fix: 'Run it inside a repository, or give one with `--root`.' };
  return itemOf({ subject: 'contract', name: 'contract.yaml' }, '', { warned: [problem] });
}

function worst(items: readonly SelftestItem[]): SelftestItem['state'] {
  if (items.some((item) => item.state === 'failed')) return 'failed';
  return items.some((item) => item.state === 'warning') ? 'warning' : 'ok';
}

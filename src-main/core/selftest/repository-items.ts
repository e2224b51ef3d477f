// What the self-test says about the files of a repository: contract, adapter, tasks, studies. This room only. Nothing is run.
import path from 'node:path';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import { bundledAgent } from '../../../src-protocol/files/agent.ts';
import { contractFile, type GateName } from '../../../src-protocol/files/contract.ts';
import { taskFile, type TaskFile } from '../../../src-protocol/files/task.ts';
import { RefusalError, type Problem } from '../../../src-protocol/refusal.ts';
import type { SelftestItem } from '../../../src-protocol/selftest.ts';
import { readGates } from '../contract/gate-changes.ts';
import { isBundledExample } from '../contract/open-approval.ts';
import { readSnapshot } from '../contract/snapshot.ts';
import { namedPaths } from '../contract/snapshot-paths.ts';
import { checkStudy, listStudies } from '../study/load-study.ts';
import { projectPaths, shownPath, studyPath } from '../workspace/layout.ts';
import { getPath } from '../workspace/merge.ts';
import { tryAdapter } from '../workspace/read-adapter.ts';
import { tryYamlFile, type YamlFile } from '../workspace/read-file.ts';
import { schemaProblems } from '../workspace/schema-problems.ts';
import { adapterProblems } from './adapter-problems.ts';
import { itemOf, problemsOf, type SelftestPorts } from './item.ts';

/** One item for the contract, the adapter, each task and each study. */
export async function repositoryItems(ports: SelftestPorts, root: string): Promise<readonly SelftestItem[]> {
  const paths = projectPaths(root);
  const shownAs = shownPath(root, paths.adapter);
  const adapter = await tryAdapter({ ...ports, root });
  const items = [await contractItem(ports, root)];
  if (adapter.ok) items.push(itemOf({ subject: 'adapter', name: adapter.file.value.framework }, 'commands and tags fit', await adapterProblems(ports, root, { shownAs, ...adapter.file })));
  else items.push(itemOf({ subject: 'adapter', name: 'adapter.yaml' }, '', { failed: problemsOf(adapter.refusal, shownAs) }));
  const names = (await ports.files.list(paths.tasks)).filter((name) => name.endsWith('.yaml'));
  for (const name of names) items.push(await taskItem(ports, root, { name, adapter: adapter.ok ? adapter.file.value : null }));
  for (const study of await listStudies(ports.files, root)) items.push(await studyItem(ports, root, study));
  return items;
}

async function contractItem(ports: SelftestPorts, root: string): Promise<SelftestItem> {
  const file = shownPath(root, projectPaths(root).contract);
  const name = { subject: 'contract', name: 'contract.yaml' } as const;
  try {
    // A bundled example's gates are confirmed by the approval it is shipped with, once it is started.
    const isExample = await isBundledExample(ports, root);
    const gates = await readGates(ports, root);
    const open = gates.filter((gate) => gate.state !== 'confirmed' && !(isExample && gate.state === 'lapsed'));
    const reading = await tryYamlFile(ports.files, projectPaths(root).contract, contractFile, { shownAs: file });
    const lineOf = (gate: GateName) => (reading.ok ? reading.file.document.keyAt(['gates', gate]).line : null);
    const warned = open.map(({ gate, state, text }): Problem => ({
      ...{ file, line: lineOf(gate), column: null, message: `the gate ${gate} ${text}` },
      fix: state === 'missing' ? `Give it a value with \`rlxp contract set ${gate} --value JSON\`, then confirm it.` : `Confirm it with \`rlxp contract confirm ${gate}\`.`,
    }));
    return itemOf(name, isExample ? 'its gates are those of a shipped approval' : 'all eight gates are confirmed', { warned });
  } catch (error) {
    if (error instanceof RefusalError) return itemOf(name, '', { failed: problemsOf(error.refusal, file) });
    throw error;
  }
}

async function taskItem(ports: SelftestPorts, root: string, { name, adapter }: { readonly name: string; readonly adapter: AdapterFile | null }): Promise<SelftestItem> {
  const at = path.join(projectPaths(root).tasks, name);
  const shownAs = shownPath(root, at);
  const title = { subject: 'task', name: path.basename(name, '.yaml') } as const;
  const task = await tryYamlFile(ports.files, at, taskFile, { shownAs });
  if (!task.ok) return itemOf(title, '', { failed: problemsOf(task.refusal, shownAs) });
  const agent = adapter?.framework === 'bundled' ? agentProblems(task.file, shownAs) : [];
  const code = await codeProblems(ports, root, { task: task.file, adapter, shownAs });
  return itemOf(title, `code and settings of ${task.file.value.entry} fit`, { failed: [...agent, ...code], warned: weightProblems(task.file, shownAs) });
}

function agentProblems({ value, document }: YamlFile<TaskFile>, file: string): readonly Problem[] {
  const parsed = bundledAgent.safeParse(value.agent);
  return parsed.success ? [] : schemaProblems(parsed.error, { file, schema: bundledAgent, value: value.agent, places: document, prefix: ['agent'] });
}

/** What an approval could not cover would keep the study from being approved. */
async function codeProblems(ports: SelftestPorts, root: string, of: { readonly task: YamlFile<TaskFile>; readonly adapter: AdapterFile | null; readonly shownAs: string }): Promise<readonly Problem[]> {
  const { value, document } = of.task;
  const named = of.adapter === null ? [] : namedPaths(value, of.adapter);
  const { problems } = await readSnapshot(ports, root, named);
  const line = document.keyAt(['entry']).line;
  return problems.map(({ path: covered, what }) => ({ file: of.shownAs, line, column: null, message: `${covered} ${what}`, fix: 'Correct `entry` or `snapshot`, or the file itself.' }));
}

/** A reward weight that is not forced back moves the score of whoever tunes it. */
function weightProblems({ value, document }: YamlFile<TaskFile>, file: string): readonly Problem[] {
  return value.reward_weights.flatMap((weight, index): readonly Problem[] => {
    if (getPath(value.canonical, weight) !== undefined) return [];
    const { line } = document.valueAt(['reward_weights', index]);
    return [{ file, line, column: null, message: `the reward weight \`${weight}\` is not in the canonical block: whoever changes it is judged by the change`, fix: 'Add it to `canonical`, with the value every policy is judged by.' }];
  });
}

async function studyItem(ports: SelftestPorts, root: string, study: string): Promise<SelftestItem> {
  const file = shownPath(root, studyPath(root, study));
  try {
    const { errors, warnings } = await checkStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
    return itemOf({ subject: 'study', name: study }, 'it fits contract, task and adapter', { failed: errors, warned: warnings });
  } catch (error) {
    if (error instanceof RefusalError) return itemOf({ subject: 'study', name: study }, '', { failed: problemsOf(error.refusal, file) });
    throw error;
  }
}

// What is wrong with an adapter, as far as can be told without running its commands. This room only.
import path from 'node:path';
import { trialFolderCwd, type AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { RefusalError, type Problem } from '../../../src-protocol/refusal.ts';
import { primaryRewardKey } from '../metrics/tag-match.ts';
import { checkPrograms } from '../study/program-checks.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import type { YamlFile } from '../workspace/read-file.ts';
import type { Findings, SelftestPorts } from './item.ts';

export interface AdapterSource extends YamlFile<AdapterFile> {
  readonly shownAs: string;
}

export async function adapterProblems(ports: SelftestPorts, root: string, source: AdapterSource): Promise<Findings> {
  const { value: adapter, document, shownAs } = source;
  const at = (key: string, message: string, fix: string): Problem => ({ file: shownAs, line: document.keyAt([key]).line, column: null, message, fix });
  const failed: Problem[] = [];
  const key = adapter.train === undefined ? 'framework' : 'train';
  try {
    const plan = planLaunch({ node: ports.node, machine: ports.machine, adapter, trial: stubTrial(adapter, root), folder: path.join(root, '.rlxp/runs/stub/trials/stub'), root });
    if (plan.withheld.length > 0) failed.push(at('env', `${plan.withheld.join(', ')} would never be passed on: ${plan.withheld.length === 1 ? 'it looks' : 'they look'} like a secret`, 'Remove the name, or give the value another way.'));
    if (adapter.framework !== 'bundled' && adapter.cwd !== trialFolderCwd && (await ports.files.stat(plan.cwd))?.kind !== 'folder') failed.push(at('cwd', `the folder ${adapter.cwd} is not there`, 'Correct `cwd`.'));
    failed.push(...(await checkPrograms({ ports, root }, { file: shownAs, value: adapter, document }, null)).map(({ problem }) => problem));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    failed.push(at(error.refusal.message.includes('`evaluate`') && adapter.evaluate !== undefined ? 'evaluate' : key, error.refusal.message, error.refusal.next));
  }
  const isWatched = primaryRewardKey(adapter) !== null;
  const warned = isWatched ? [] : [at('metrics', `no tag means \`reward\` on the axis \`${adapter.axis}\`: gates, plateau and the curves of training have nothing to look at`, 'Map the tag of the training reward, with its axis.')];
  return { failed, warned };
}

/** A trial that only serves to fill placeholders. */
function stubTrial(adapter: AdapterFile, root: string): TrialFile {
  const evaluation = { policy: 'checkpoint', env_cfg: {}, num_envs: 1, max_steps: 1, episodes_per_env: 1, seed: 0, deterministic: true } as const;
  return {
    ...{ schema: 1, study: 'stub', stage: 'screen', candidate: 'baseline', seed: 0, repeat: 0, attempt: 0, identity: '0'.repeat(64) },
    ...{ framework: adapter.framework, task: 'stub', entry: 'stub', entry_root: root, env_cfg: {}, agent_cfg: {}, num_envs: 1, timesteps: 1 },
    ...{ device: 'cpu', backend: null, threads: null, logs: 'logs', checkpoints: 'checkpoints', evaluation_file: 'evaluation.json', checkpoint: 'stub', evaluation },
  };
}

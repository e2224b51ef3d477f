// Computes every record again: its identity, its score from episodes, its training figures from event files. This room only.
import path from 'node:path';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { checkArtifacts, checkIdentities } from '../check/check-trials.ts';
import type { FileScope } from '../check/findings.ts';
import type { ReadView } from '../campaign/read-campaign.ts';
import { planTrial, type TrialWish } from '../study/plan-trials.ts';
import { settingsDigest } from '../study/study-digest.ts';
import { runPaths, trialPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import type { Account } from './account.ts';
import type { BundleFiles } from './bundle-files.ts';
import { recomputeTraining } from './recompute-training.ts';

export interface TrialsScope extends FileScope {
  readonly ports: { readonly files: BundleFiles };
}

export async function recomputeTrials(scope: TrialsScope, view: ReadView, account: Account): Promise<void> {
  const paths = runPaths(scope.root, view.study.name);
  checkIdentities(scope, paths, view);
  await checkArtifacts(scope, paths, view);
  for (const [index, record] of view.records.entries()) {
    const line = index + 1;
    checkSettings(scope, { view, record, line });
    const folder = path.join(paths.trialFolders, record.folder);
    if ((await scope.ports.files.stat(folder)) === null) {
      account.missing('trials without a folder in the bundle', 'neither their episodes nor their event files are here');
      continue;
    }
    if (record.evaluation !== null) account.computed('scores and causes from episodes');
    await checkManifest(scope, { record, line, folder });
    await checkTraining(scope, { view, record, line, folder, account });
  }
  account.computed('identities and settings of records', view.records.length);
  account.notComputed('wall times and memory', 'they are measurements of the machine; only their bounds were checked');
}

interface Line {
  readonly record: TrialRecord;
  readonly line: number;
}

function checkSettings({ root, found }: FileScope, { view, record, line }: Line & { readonly view: ReadView }): void {
  const { trials } = runPaths(root, view.study.name);
  const candidate = view.study.candidates.find(({ name }) => name === record.candidate);
  if (candidate === undefined) return;
  const { stage, seed, repeat, timesteps } = record;
  const wish: TrialWish = { stage, candidate: record.candidate, seed, repeat, ...(stage === 'extra' ? { timesteps } : {}) };
  const planned = planTrial(view.study, wish);
  const { env_cfg, agent_cfg, num_envs } = record.settings;
  const own = settingsDigest({ env_cfg: (env_cfg ?? {}) as PlainMap, agent_cfg: (agent_cfg ?? {}) as PlainMap, num_envs: Number(num_envs) }, timesteps);
  if (planned.timesteps !== timesteps || planned.settingsDigest !== record.settings_digest || own !== record.settings_digest) found.add('broken', trials, `The settings of ${record.folder} are not those of its candidate.`, { line });
}

/** The manifest was finished by the same process with the same facts, and tells when. */
async function checkManifest({ ports, root, found }: FileScope, { record, line, folder }: Line & { readonly folder: string }): Promise<void> {
  const { trials } = runPaths(root, record.study);
  const reading = await tryJsonFile(ports.files, trialPaths(folder).manifest, manifestFile);
  if (!reading.ok || reading.file.ended_at === null || reading.file.facts['status'] === undefined) return;
  const { facts, seeds, started_at: from, ended_at: to } = reading.file;
  if (facts['status'] !== record.status || facts['rule'] !== record.rule) found.add('broken', trials, `${record.folder} is ${record.status} here, and its manifest says ${String(facts['status'])}${facts['rule'] === null ? '' : ` (${String(facts['rule'])})`}.`, { line });
  if (seeds['trial'] !== undefined && seeds['trial'] !== record.seed) found.add('broken', trials, `${record.folder} has the seed ${record.seed} here, and its manifest says ${seeds['trial']}.`, { line });
  const spanS = (Date.parse(to) - Date.parse(from)) / 1000;
  if (record.wall_s > spanS + slackS) found.add('broken', trials, `${record.folder} took ${record.wall_s} s here, and its manifest spans ${spanS.toFixed(1)} s.`, { line });
}

/** The clock that dates manifests may be set meanwhile, and is not the one that counts durations. */
const slackS = 60;

async function checkTraining(scope: TrialsScope, { view, record, line, folder, account }: Line & { readonly view: ReadView; readonly folder: string; readonly account: Account }): Promise<void> {
  const again = await recomputeTraining(scope.ports.files, { study: view.study, folder, record });
  if (again === null) {
    if (record.steps > 0) account.missing(`training figures of ${record.folder}`, 'its event files are not in the bundle');
    return;
  }
  const { trials } = runPaths(scope.root, view.study.name);
  for (const difference of again.differences) scope.found.add('broken', trials, `${record.folder}: ${difference}.`, { line });
  for (const untold of again.untold) account.missing(`training figures of ${record.folder}`, untold);
  if (again.untold.length === 0) account.computed('training figures from event files');
}

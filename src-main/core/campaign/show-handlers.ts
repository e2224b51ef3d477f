// Tools that show a campaign's results: report, trials, causes. Imported by the workbench.
import { join } from 'node:path';
import { refuse } from '../../../src-protocol/refusal.ts';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { CandidateCauses } from '../../../src-protocol/ranking.ts';
import type { Ports } from '../../ports.ts';
import type { Handler } from '../dispatch/handler.ts';
import { readManifest } from '../provenance/manifest.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import { runEvaluation } from '../trial/run-evaluation.ts';
import { runPaths, trialPaths } from '../workspace/layout.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { conclusionReport } from './conclude.ts';
import { readVerdict } from './judges.ts';
import { checkLaunch, needsNormalizer, primaryMetric } from './launch-rules.ts';
import { readCampaignView, readStatus, readVerdictFile, requireStudy } from './read-campaign.ts';
import { readRecords } from './record-journal.ts';
import { candidateCauses, causesOf, rankingRows } from './report-view.ts';
import { baselineName } from './search-plan.ts';

export const reportShow: Handler<'report_show'> = async ({ root, study }, { ports }) => {
  const view = await readCampaignView(ports, root, study);
  const paths = runPaths(root, study);
  const status = await readStatus(ports, root, study);
  const written = await readVerdictFile(ports, root, study);
  // The records decide; the file only says that there is a verdict.
  const verdict = written === null ? null : readVerdict(view, written.winner);
  const present = async (path: string) => ((await ports.files.stat(path)) === null ? null : path);
  return {
    study,
    state: status.state,
    verdict,
    ranking: [...rankingRows(view)],
    causes: [...causesOf(view)],
    markdown: conclusionReport({
      view,
      verdict,
      statusText: status.text,
      manifest: await readManifest(ports, paths.manifest),
      approvalText: view.approvalText,
      spentS: status.spent_s,
    }),
    files: { report: await present(paths.report), winner: await present(paths.winner), verdict: await present(paths.verdict) },
  };
};

export const trialList: Handler<'trial_list'> = async ({ root, study }, { ports }) => {
  await requireStudy(ports, root, study);
  return { study, trials: [...(await readRecords(ports.files, runPaths(root, study).trials))] };
};

export const trialCauses: Handler<'trial_causes'> = async ({ root, study, trial, episodes }, { ports, signal }) => {
  const view = await readCampaignView(ports, root, study);
  const record = view.records.find((one) => one.folder === trial) ?? refuse('not_found', `${study} has no finished trial ${trial}.`, { next: `\`rlxp trial list ${study}\` names them.` });
  const baseline = view.records.find((one) => one.stage === record.stage && one.candidate === baselineName && one.seed === record.seed && one.evaluation?.valid === true);
  const beside = record.candidate === baselineName || baseline === undefined ? null : candidateCauses(baseline);
  if (episodes === undefined) {
    if (record.evaluation?.valid !== true) refuse('no_checkpoint', `${trial} has no valid evaluation: ${record.reason.text}.`);
    return { study, from: 'records', trial: candidateCauses(record), baseline: beside };
  }
  const holder = await ports.locks.holder(await ports.files.realPath(root));
  if (holder !== null) refuse('campaign_running', `${holder.purpose} holds the device; replay when it has ended.`);
  return { study, from: 'replay', trial: await replay(ports, { root, view, record, episodes, signal }), baseline: beside };
};

interface ReplayOptions {
  readonly root: string;
  readonly view: Awaited<ReturnType<typeof readCampaignView>>;
  readonly record: TrialRecord;
  readonly episodes: number;
  readonly signal: AbortSignal;
}

/** Evaluates the trial's checkpoint once more, on as many episodes as asked, in a folder of its own beside the trials. */
async function replay(ports: Ports, { root, view, record, episodes, signal }: ReplayOptions): Promise<CandidateCauses> {
  const { study } = view;
  const paths = runPaths(root, study.name);
  const from = join(paths.trialFolders, record.folder);
  if ((await ports.files.stat(trialPaths(from).trial)) === null) refuse('no_checkpoint', `The folder of ${record.folder} is gone, and its checkpoint with it.`);
  const trained = await readJsonFile(ports.files, trialPaths(from).trial, trialFile);
  if (trained.checkpoint === null) refuse('no_checkpoint', `${record.folder} was never evaluated: ${record.reason.text}.`);
  const folder = join(paths.folder, 'replays', `${record.folder}-${episodes}`);
  const perEnv = Math.ceil(episodes / trained.evaluation.num_envs);
  const trial = { ...trained, checkpoint: join(from, trained.checkpoint), evaluation: { ...trained.evaluation, episodes_per_env: perEnv } };
  const candidate = study.candidates.find((one) => one.name === record.candidate);
  const outcome = await runEvaluation({
    ports,
    plan: planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder, root }),
    trial,
    folder,
    tag: `rlxp:replay:${study.name}-${ports.entropy.uuid()}`,
    rules: study.stages.refine.monitor,
    maxMs: study.base.max_trial_s * 1000,
    metric: primaryMetric(study),
    needsNormalizer: candidate !== undefined && needsNormalizer(study, candidate),
    checkLaunch: () => checkLaunch({ ports, root, study }),
    control: { signal, cause: 'stop' },
    graceMs: study.stages.refine.monitor.grace_s * 1000,
  });
  if (outcome.ending !== null) refuse('no_checkpoint', `The replay of ${record.folder} gave no evaluation: ${outcome.ending.reason.text}.`);
  return { candidate: record.candidate, trial: record.folder, episodes: outcome.summary.episodes, rows: outcome.summary.causes };
}

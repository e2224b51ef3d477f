// trial_extra: from an approved study to one extra trial in the background, or to what it would be. Imported by the workbench.
import { join } from 'node:path';
import type { ExtraWish } from '../../../src-protocol/files/extra.ts';
import { nearestWord } from '../../../src-protocol/nearest.ts';
import type { OutputOf, ParsedInputOf } from '../../../src-protocol/index.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { approvedOrRefuse, checkApproval, type Approved } from '../contract/check-approval.ts';
import { approvalPaths } from '../contract/approval-paths.ts';
import { readBudget } from '../contract/budget-amendments.ts';
import { limitSeconds } from '../contract/budget-terms.ts';
import { refuseWhileRunning } from '../contract/who-runs.ts';
import type { Handler } from '../dispatch/handler.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import { makeTrialFile } from '../trial/trial-file.ts';
import { runPaths, trialFolderName } from '../workspace/layout.ts';
import { changesOf } from './conclude.ts';
import { reserveOf } from './budget.ts';
import { secondsOf } from './estimate.ts';
import { dropExtra, readExtra, writeExtra } from './extra-file.ts';
import { extraOverBudget, extraRules, planExtra, resolveExtra, type ExtraPlan } from './extra-trial.ts';
import { nextStepOf } from './judges.ts';
import { threadsOf } from './launch-rules.ts';
import { nextAttempt } from './next-attempt.ts';
import { refuseUntrusted } from './open-campaign.ts';
import { approvalSentence, readRunState, requireRepository, viewWith, type ReadView } from './read-campaign.ts';
import { readRecords } from './record-journal.ts';
import { settledTrials } from './search-plan.ts';
import { spentBefore } from './spent-before.ts';
import { refuseFullDisk, refuseMissingPrograms, refuseUnwritable, startProcess, takeStartLock } from './start-campaign.ts';

type Output = OutputOf<'trial_extra'>;
type Plan = Extract<Output, { readonly state: 'planned' }>['plan'];

export const trialExtra: Handler<'trial_extra'> = async (input, { ports, caller }) => {
  const { root, study } = input;
  await requireRepository(ports, root);
  if (input.dry_run) return askFor(ports, input, caller.by);
  // One start at a time, as for campaigns.
  const lock = await takeStartLock(ports, root, study);
  try {
    await refuseWhileRunning(ports, root);
    return await askFor(ports, input, caller.by);
  } finally {
    await lock.release();
  }
};

async function askFor(ports: Ports, input: ParsedInputOf<'trial_extra'>, by: string): Promise<Output> {
  const { root, study } = input;
  await refuseUntrusted(ports, runPaths(root, study));
  const approved = approvedOrRefuse(await checkApproval(ports, root, study));
  const view = await openView(ports, root, { study, approved });
  refuseUnknown(view, input.candidate);
  const extra = resolveExtra(view.study, view.records, input);
  const settled = settledTrials(view.records).get(planExtra(view.study, extra).identity);
  if (settled !== undefined) return { state: 'finished', study, trial: settled.folder, record: settled };

  const { plan, trial, overBudget } = await describe(ports, root, { view, approved, extra });
  if (overBudget !== null) refuse('over_budget', `The extra trial was not started: ${overBudget}.`);
  if (input.dry_run) return { state: 'planned', study, trial, plan };
  await refuseUnwritable(ports, root, study);
  await refuseFullDisk(ports, root, approved);
  await refuseMissingPrograms(ports, root);
  const { folder, log } = runPaths(root, study);
  await writeExtra(ports.files, folder, { ...extra, by, at: new Date(ports.clock.wallMs()).toISOString(), stood: await stoodAs(ports, root, study) });
  try {
    const process = await startProcess(ports, root, study);
    return { state: 'started', study, trial, process, log, plan };
  } catch (error) {
    // Nothing runs: a campaign that is started later must not find it.
    await dropExtra(ports.files, folder);
    throw error;
  }
}

async function stoodAs(ports: Ports, root: string, study: string): Promise<ExtraWish['stood']> {
  const { folder } = runPaths(root, study);
  // One that was cut off says how the campaign stood before it; a start of the campaign would have dropped it.
  const cutOff = await readExtra(ports.files, folder).catch(() => null);
  if (cutOff !== null) return cutOff.stood;
  const { state, file } = await readRunState(ports, root, study);
  return file !== null && (state === 'completed' || state === 'blocked' || state === 'stopped' || state === 'failed') ? { status: state, text: file.text } : null;
}

async function openView(ports: Ports, root: string, { study, approved }: { readonly study: string; readonly approved: Approved }): Promise<ReadView> {
  const records = await readRecords(ports.files, runPaths(root, study).trials);
  return viewWith(ports, root, { study, opened: { ok: true, approval: approved.approval, approved: approved.approved }, records });
}

/** What an approval covers are the study's candidates, and nothing else. */
function refuseUnknown({ study }: ReadView, candidate: string): void {
  const names = study.candidates.map(({ name }) => name);
  if (names.includes(candidate)) return;
  const near = nearestWord(candidate, names);
  refuse('not_found', `The approved study ${study.name} has no candidate ${candidate}.`, { next: near === null ? `It has: ${names.join(', ')}. Another one needs a study of its own.` : `Did you mean ${near}?` });
}

interface Described {
  readonly plan: Plan;
  /** Folder name. */
  readonly trial: string;
  readonly overBudget: string | null;
}

/** Exactly what would run: the same functions that launch it. */
async function describe(ports: Ports, root: string, { view, approved, extra }: { readonly view: ReadView; readonly approved: Approved; readonly extra: ExtraPlan }): Promise<Described> {
  const study = studyFromApproved(approved.approved, root);
  const candidate = study.candidates.find(({ name }) => name === extra.candidate);
  if (candidate === undefined) throw new RangeError(`the study has no candidate ${extra.candidate}`);
  const paths = runPaths(root, study.name);
  const planned = planExtra(study, extra);
  const attempt = await nextAttempt({ files: ports.files, paths, records: view.records }, planned);
  const name = trialFolderName({ ...planned, attempt });
  const folder = join(paths.trialFolders, name);
  const trial = makeTrialFile(study, { ...planned, candidate, attempt, device: null, threads: await threadsOf(ports, study, 'extra'), entryRoot: approvalPaths(root, study.name).snapshot });
  const launch = planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder, root });
  const { file } = await readRunState(ports, root, study.name);
  const spentS = await spentBefore(ports, root, { study, file, records: view.records });
  const budget = (await readBudget(ports, root, approved)).terms;
  const facts = { study, budget, records: view.records, spentS };
  const { kind } = nextStepOf(view);
  const isConcluded = kind === 'conclude' || kind === 'blocked';
  const budgetS = limitSeconds(budget);
  const { plateau } = extraRules(study, extra);
  return {
    trial: name,
    overBudget: extraOverBudget(facts, planned, isConcluded),
    plan: {
      candidate: extra.candidate,
      changes: [...changesOf(candidate)],
      seed: extra.seed,
      timesteps: extra.timesteps,
      repeat: extra.repeat,
      identity: planned.identity,
      plateau: plateau ?? null,
      settings: { env_cfg: candidate.env_cfg, agent_cfg: candidate.agent_cfg, num_envs: candidate.num_envs },
      device: trial.device,
      threads: trial.threads,
      folder,
      cwd: launch.cwd,
      train: [...launch.trainArgv],
      evaluate: [...launch.evaluateArgv],
      env_names: Object.keys(launch.env).sort(),
      max_trial_s: budget.per_trial_s,
      estimate_s: secondsOf(view.records, extra.timesteps),
      spent_s: spentS,
      kept_s: isConcluded ? 0 : reserveOf(facts),
      budget_s: Number.isFinite(budgetS) ? budgetS : null,
      approval: approvalSentence(approved.approval),
    },
  };
}

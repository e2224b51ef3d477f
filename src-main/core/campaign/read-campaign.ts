// A campaign as its files tell it, for anyone who is not the campaign process: status, view, conclusion. Imported by this room's handlers and the check.
import { verdictFile, type VerdictFile } from '../../../src-protocol/files/verdict.ts';
import type { CampaignProcess } from '../../../src-protocol/files/event.ts';
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import type { CampaignState } from '../../../src-protocol/repository.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { readBudget } from '../contract/budget-amendments.ts';
import { limitSeconds } from '../contract/budget-terms.ts';
import { openApproval, type Genuine } from '../contract/open-approval.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { bytesText, durationText } from '../report/number-text.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { projectPaths, runPaths, studyPath } from '../workspace/layout.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { readAmendments, wantsAllLooks } from './amendments.ts';
import { readBabysitter, watches, type Babysitter } from './babysitter-file.ts';
import { diskName } from './disk-guard.ts';
import type { CampaignView } from './judges.ts';
import { readCampaignFile } from './campaign-file.ts';
import { makeSearch } from './open-campaign.ts';
import { readRecords } from './record-journal.ts';
import { readSelfTest } from './self-test-run.ts';

/** Refuses not_a_repository unless `root` holds .rlxp. */
export async function requireRepository(ports: Pick<Ports, 'files'>, root: string): Promise<void> {
  const found = await ports.files.stat(projectPaths(root).folder);
  if (found?.kind !== 'folder') refuse('not_a_repository', `${root} holds no .rlxp folder.`);
}

/** Refuses not_a_repository, and not_found for a study that neither ran nor is written down. */
export async function requireStudy(ports: Pick<Ports, 'files'>, root: string, study: string): Promise<void> {
  await requireRepository(ports, root);
  const places = [runPaths(root, study).folder, studyPath(root, study)];
  for (const place of places) if ((await ports.files.stat(place)) !== null) return;
  refuse('not_found', `There is no study ${study}.`, { next: '`rlxp status` lists the studies of this repository.' });
}

export interface RunState {
  readonly state: CampaignState;
  readonly file: CampaignProcess | null;
  /** Whether the campaign's process lives. */
  readonly isAlive: boolean;
  readonly babysitter: Babysitter | null;
}

/** `running` and `paused` only while the process that says so lives, or its babysitter is about to start it again. */
export async function readRunState(ports: Ports, root: string, study: string): Promise<RunState> {
  const paths = runPaths(root, study);
  const file = await readCampaignFile(ports, paths.campaign);
  const babysitter = await readBabysitter(ports, paths.babysitter);
  if (file === null) return { state: 'none', file, isAlive: false, babysitter };
  const isAlive = file.boot_id === (await ports.processes.bootId()) && (await ports.processes.isAlive({ pid: file.pid, startTime: file.start_time }));
  const facts = { file, isAlive, babysitter };
  switch (file.status) {
    case 'running':
    case 'paused':
      if (isAlive) return { state: file.status, ...facts };
      return { state: babysitter?.isWatching === true ? 'running' : 'interrupted', ...facts };
    case 'failed':
      // A fault of the program ends the process; its babysitter starts it again.
      return { state: babysitter?.isWatching === true ? 'running' : 'failed', ...facts };
    case 'completed':
    case 'stopped':
    case 'blocked':
      return { state: file.status, ...facts };
  }
}

export async function readStatus(ports: Ports, root: string, study: string): Promise<CampaignStatusView> {
  const run = await readRunState(ports, root, study);
  const { state, file } = run;
  const verdict = await readVerdictFile(ports, root, study);
  const isLive = (state === 'running' || state === 'paused') && run.isAlive;
  const suspended = isLive && file !== null && (await ports.processes.isSuspended({ pid: file.pid, startTime: file.start_time }));
  const silence = isLive && !suspended && file !== null ? await readSilence(ports, runPaths(root, study).folder, file) : null;
  return {
    study,
    // A campaign that cannot write where it stands launches nothing either.
    state: silence?.isDiskFull === true ? 'paused' : state,
    text: silence?.text ?? (await standingText(ports, run, suspended)),
    process: isLive && file !== null ? { pid: file.pid, start_time: file.start_time } : null,
    suspended,
    babysitter: babysitterView(run),
    started_at: file?.started_at ?? null,
    stage: isLive ? (file?.stage ?? null) : null,
    trials_done: file?.trials_done ?? 0,
    trials_planned: file?.trials_planned ?? 0,
    running: isLive ? (file?.running ?? []) : [],
    eta_s: isLive ? (file?.eta_s ?? null) : null,
    spent_s: file?.spent_s ?? 0,
    reserved_s: isLive ? (file?.reserved_s ?? 0) : 0,
    budget_s: file === null || !Number.isFinite(file.budget_s) ? null : file.budget_s,
    verdict: verdict === null ? null : { word: verdict.word, headline: verdict.headline },
  };
}

/** The heartbeat comes every two seconds. */
const silentMs = 5_000;
const fullBytes = 64 * 1024;

/** Why what campaign.json says is old, though its process lives; null while it is fresh. */
async function readSilence(ports: Pick<Ports, 'files' | 'clock'>, folder: string, file: CampaignProcess): Promise<{ readonly text: string; readonly isDiskFull: boolean } | null> {
  const sinceMs = ports.clock.wallMs() - Date.parse(file.heartbeat_at);
  if (sinceMs < silentMs) return null;
  const free = await ports.files.freeBytes(folder);
  const isDiskFull = free < fullBytes;
  const why = isDiskFull
    ? `${diskName(folder)} has ${bytesText(free)} left. Free some space: it goes on by itself when there is room`
    : 'it does not get to run, or is kept from writing (a quota, rights, a disk that hangs)';
  return { text: `no word from its process for ${durationText(sinceMs / 1000)}: ${why}; before that: ${file.text}`, isDiskFull };
}

async function standingText(ports: Ports, { state, file, isAlive, babysitter }: RunState, suspended: boolean): Promise<string> {
  if (file === null) return 'it never ran';
  if (state === 'interrupted') return 'its process is gone; run it again to go on from the finished trials';
  if (suspended) return `its process ${file.pid} is suspended: nothing goes on until it is continued (\`kill -CONT ${file.pid}\`)`;
  if (isAlive || babysitter?.isWatching !== true || state !== 'running') return file.text;
  const { pid, start_time } = babysitter.file;
  const isBabysitterSuspended = await ports.processes.isSuspended({ pid, startTime: start_time });
  return isBabysitterSuspended ? `its process is gone, and its babysitter (process ${pid}) is suspended` : 'its process is gone; its babysitter starts it again';
}

/** Null when nobody watches or watched this campaign process. */
function babysitterView({ state, file, babysitter }: RunState): CampaignStatusView['babysitter'] {
  if (babysitter === null || !(babysitter.isAlive || (file !== null && watches(babysitter, file)))) return null;
  const { pid, start_time, restarts, text } = babysitter.file;
  const isNeeded = (state === 'running' || state === 'paused') && !babysitter.isAlive;
  const alone = isNeeded ? 'its babysitter is gone: nobody starts the campaign again if its process dies' : '';
  return { pid, start_time, alive: babysitter.isAlive, restarts, text: [text, alone].filter((part) => part !== '').join('; ') };
}

export async function readVerdictFile(ports: Pick<Ports, 'files'>, root: string, study: string): Promise<VerdictFile | null> {
  const { verdict } = runPaths(root, study);
  return (await ports.files.stat(verdict)) === null ? null : readJsonFile(ports.files, verdict, verdictFile);
}

export interface ReadView extends CampaignView {
  readonly budgetS: number;
  readonly approvalText: string;
}

/** The study as it was approved with everything that was recorded; refuses not_found when it never ran. */
export async function readCampaignView(ports: Ports, root: string, study: string): Promise<ReadView> {
  await requireStudy(ports, root, study);
  const paths = runPaths(root, study);
  if ((await ports.files.stat(paths.trials)) === null) refuse('not_found', `${study} has no finished trial yet.`, { next: `Start it with \`rlxp campaign run ${study}\`.` });
  const opened = await openApproval(ports, root, study);
  if (!opened.ok) refuse(opened.code === 'damaged' ? 'damaged' : 'not_found', `What ${study} ran on cannot be read: ${opened.text}`);
  return viewWith(ports, root, { study, opened, records: await readRecords(ports.files, paths.trials) });
}

/** The same for records that are at hand. */
export async function viewWith(ports: Ports, root: string, of: { readonly study: string; readonly opened: Genuine; readonly records: readonly TrialRecord[] }): Promise<ReadView> {
  const { records } = of;
  const { approval, approved } = of.opened;
  const paths = runPaths(root, of.study);
  const loaded: LoadedStudy = studyFromApproved(approved, root);
  return {
    study: loaded,
    search: await makeSearch(ports, loaded, approval),
    records,
    selfTest: await readSelfTest({ ports, paths }),
    isCompletingLooks: wantsAllLooks(await readAmendments(ports.files, paths.folder)),
    budgetS: limitSeconds((await readBudget(ports, root, of.opened)).terms),
    approvalText: approvalSentence(approval),
  };
}

export function approvalSentence(approval: { readonly kind: 'person' | 'bundled-example'; readonly by: string; readonly at: string; readonly digest: string }): string {
  return approval.kind === 'person' ? `approved by ${approval.by} at ${approval.at}, digest ${approval.digest.slice(0, 12)}` : `bundled-example approval, digest ${approval.digest.slice(0, 12)}: every file is as shipped`;
}

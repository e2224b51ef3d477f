// campaign_run: from an approved study to a live background process. Imported by the workbench.
import { join } from 'node:path';
import type { OutputOf } from '../../../src-protocol/index.ts';
import { makeRefusal, refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { FileError, LockResult, Ports, ProcessExit } from '../../ports.ts';
import { acceptBundledExample, hasBundledApproval, requireAsShipped } from '../contract/bundled-example.ts';
import { approvedOrRefuse, checkApproval, checkLive, type Approved } from '../contract/check-approval.ts';
import { setAside } from '../contract/set-aside.ts';
import { heldRefusal, refuseWhileRunning, runningRefusal, whoRuns } from '../contract/who-runs.ts';
import type { Handler } from '../dispatch/handler.ts';
import { studyFromApproved } from '../study/assemble-study.ts';
import { loadStudy } from '../study/load-study.ts';
import { checkPrograms } from '../study/program-checks.ts';
import { projectPaths, runPaths, shownPath } from '../workspace/layout.ts';
import { tryAdapter } from '../workspace/read-adapter.ts';
import { readAmendments, wantsAllLooks } from './amendments.ts';
import { readBabysitter, watches } from './babysitter-file.ts';
import { environmentOf } from './background-environment.ts';
import { campaignExit } from './campaign-exit.ts';
import { diskName, roomText } from './disk-guard.ts';
import { dropExtra } from './extra-file.ts';
import { readCampaignFile } from './campaign-file.ts';
import { refuseUntrusted, tagKey } from './open-campaign.ts';
import { approvalSentence, readRunState, readVerdictFile, requireRepository } from './read-campaign.ts';
import { readRecords } from './record-journal.ts';
import { endStrays } from './strays.ts';

/** How long the background processes may take to say that the campaign runs. */
const startupMs = 30_000;

export const campaignRun: Handler<'campaign_run'> = async ({ root, study, fresh }, { ports, caller }) => {
  await requireRepository(ports, root);
  // One start at a time: whoever comes second sees the first one run.
  const lock = await takeStartLock(ports, root, study);
  try {
    return await startOne(ports, { root, study, fresh, by: caller.by });
  } finally {
    await lock.release();
  }
};

interface StartOptions {
  readonly root: string;
  readonly study: string;
  readonly fresh: boolean;
  readonly by: string;
}

async function startOne(ports: Ports, { root, study, fresh, by }: StartOptions): Promise<OutputOf<'campaign_run'>> {
  await refuseWhileRunning(ports, root);
  if (fresh) await startOver(ports, root, study, by);
  // A journal that cannot be trusted, or a run of a newer program, stops here and not in the background.
  await refuseUntrusted(ports, runPaths(root, study));
  const { state, file } = await readRunState(ports, root, study);
  if (state === 'completed' && !(await isLookLeft(ports, root, study))) {
    const verdict = await readVerdictFile(ports, root, study);
    return { state: 'finished', study, verdict: verdict === null ? null : { word: verdict.word, headline: verdict.headline }, changes: await changesSince(ports, root, study) };
  }
  const approved = await readApproval(ports, root, study);
  await refuseUnwritable(ports, root, study);
  await refuseFullDisk(ports, root, approved);
  await refuseMissingPrograms(ports, root);
  // An extra trial that was stopped or cut off is not what is asked for now.
  await dropExtra(ports.files, runPaths(root, study).folder);
  const process = await startProcess(ports, root, study);
  const isResumed = file !== null && (await readRecords(ports.files, runPaths(root, study).trials)).length > 0;
  return { state: isResumed ? 'resumed' : 'started', study, process, log: runPaths(root, study).log, approval: approvalSentence(approved.approval) };
}

/** Every trial would fail to start, three times each: better said now, with the line. */
export async function refuseMissingPrograms(ports: Ports, root: string): Promise<void> {
  const reading = await tryAdapter({ ...ports, root });
  if (!reading.ok) return; // a campaign goes by what was approved
  const { value, document } = reading.file;
  const found = await checkPrograms({ ports, root }, { file: shownPath(root, projectPaths(root).adapter), value, document }, null);
  const problems = found.map(({ problem }) => problem);
  const [first] = problems;
  if (first !== undefined) refuse('not_started', `Not started: ${first.message}.`, { problems, next: first.fix });
}

/** Throws RefusalError campaign_running when another start takes longer than a start may, or is suspended. */
export async function takeStartLock(ports: Ports, root: string, study: string): Promise<Extract<LockResult, { held: true }>> {
  const key = `start:${await ports.files.realPath(root)}`;
  const deadline = ports.clock.monotonicMs() + 2 * startupMs;
  for (;;) {
    const lock = await ports.locks.take(key, `the start of ${study}`);
    if (lock.held) return lock;
    const isStuck = lock.holder !== null && (ports.clock.monotonicMs() > deadline || (await ports.processes.isSuspended(lock.holder)));
    if (lock.holder !== null && isStuck) throw await runningRefusal(ports, root, { holder: lock.holder, isBabysitter: false });
    await ports.clock.sleep(50);
  }
}

/** A bundled example takes on the approval it is shipped with; everything else needs a person's. */
async function readApproval(ports: Ports, root: string, study: string): Promise<Approved> {
  const check = await checkApproval(ports, root, study);
  if (check.ok) return check;
  if (check.code === 'not_approved' || check.code === 'approval_lapsed') {
    if (await hasBundledApproval(ports, root, study)) {
      await acceptBundledExample(ports, root, study);
      return approvedOrRefuse(await checkApproval(ports, root, study));
    }
    // Tell what is wrong with the study before asking for an approval of it.
    await loadStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
  }
  return approvedOrRefuse(check);
}

/** Sets the run aside only when a new one may start: a refusal must leave everything as it was. */
async function startOver(ports: Ports, root: string, study: string, by: string): Promise<void> {
  if ((await ports.files.stat(runPaths(root, study).folder)) === null) return;
  const live = await checkLive(ports, root, study);
  if (!live.ok) {
    await loadStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
    if (await hasBundledApproval(ports, root, study)) await requireAsShipped(ports, root, study);
    else if (live.code === 'approval_lapsed') {
      refuse('approval_lapsed', live.text, { differences: live.differences, next: `Undo the change, or set the run aside and approve anew with \`rlxp approve ${study} --fresh\`.` });
    } else approvedOrRefuse(live);
  }
  // Under the campaign's own lock, so that a run that somebody starts at this moment is never moved away under it.
  const lock = await ports.locks.take(await ports.files.realPath(root), `start over ${study}`);
  if (!lock.held) throw await heldRefusal(ports, root, lock.holder);
  try {
    // What launched.json names is set aside with it.
    await endStrays(ports, runPaths(root, study), await tagKey(ports, root, study));
    await setAside(ports, root, { study, by });
  } finally {
    await lock.release();
  }
}

/** What the repository says now that the finished run did not use, in words. */
async function changesSince(ports: Ports, root: string, study: string): Promise<string[]> {
  const live = await checkLive(ports, root, study);
  return live.ok ? [] : [...live.differences.map((one) => `${one.what}: ${one.approved ?? '(nothing)'} -> ${one.now ?? '(nothing)'}`)];
}

async function isLookLeft(ports: Ports, root: string, study: string): Promise<boolean> {
  const { folder } = runPaths(root, study);
  const verdict = await readVerdictFile(ports, root, study);
  return wantsAllLooks(await readAmendments(ports.files, folder)) && verdict !== null && verdict.plan.used < (verdict.plan.looks.at(-1) ?? 0);
}

export async function refuseUnwritable(ports: Ports, root: string, study: string): Promise<void> {
  const { folder } = runPaths(root, study);
  const probe = join(folder, '.write-probe');
  await writable(folder, async () => {
    await ports.files.makeFolder(folder);
    await ports.files.replaceFile(probe, '');
    await ports.files.remove(probe);
  });
}

/** Nothing could be launched: better said now, to the person who asks, than by a campaign that pauses at once. */
export async function refuseFullDisk(ports: Ports, root: string, { approved }: Approved): Promise<void> {
  const study = studyFromApproved(approved, root);
  const { folder } = runPaths(root, study.name);
  const floorBytes = study.base.min_free_disk_mb * 1024 * 1024;
  const short = roomText({ free: await ports.files.freeBytes(folder), floorBytes, trialBytes: 0, slots: 1 });
  if (short === null) return;
  refuse('unwritable', `Not started: ${diskName(folder)} ${short}.`, { next: 'Free some space on that disk, or ask for less with `base.min_free_disk_mb` in the study and approve again; then run it again.' });
}

async function writable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as Partial<FileError>;
    if (code === undefined) throw error;
    return refuse('unwritable', `${folder} cannot be written (${code}).`);
  }
}

/** Starts the babysitter, which starts the campaign; gives the campaign's process once it says that it runs. */
export async function startProcess(ports: Ports, root: string, study: string): Promise<{ readonly pid: number; readonly start_time: string }> {
  const { node, clock, machine } = ports;
  const paths = runPaths(root, study);
  const logPath = join(paths.folder, 'process.log');
  const before = (await ports.files.stat(logPath))?.sizeBytes ?? 0;
  const { identity, exit } = await ports.processes.startBackground({ argv: [node.execPath, join(node.engineFolder, 'babysitter.js'), root, study], cwd: root, env: environmentOf(machine), logPath });
  let ended: ProcessExit | null = null;
  void exit.then((how) => (ended = how));
  const deadline = clock.monotonicMs() + startupMs;
  for (;;) {
    const isOver = ended !== null;
    const babysitter = await readBabysitter(ports, paths.babysitter);
    const isOurs = babysitter?.file.pid === identity.pid && babysitter.file.start_time === identity.startTime;
    const file = isOurs ? await readCampaignFile(ports, paths.campaign) : null;
    if (babysitter !== null && file !== null && watches(babysitter, file)) return { pid: file.pid, start_time: file.start_time };
    if (isOver) throw await whyNotStarted(ports, root, { exit: await exit, said: await tailFrom(ports, logPath, before) });
    if (clock.monotonicMs() > deadline) refuse('not_started', `The campaign did not come up within ${startupMs / 1000} s (its babysitter is process ${identity.pid}); see ${logPath}.`);
    await clock.sleep(50);
  }
}

async function tailFrom(ports: Ports, logPath: string, before: number): Promise<string> {
  return new TextDecoder().decode(await ports.files.readSlice(logPath, before, 4096)).trim();
}

/** Who lost a race is told who won it. */
async function whyNotStarted(ports: Ports, root: string, { exit, said }: { readonly exit: ProcessExit; readonly said: string }): Promise<RefusalError> {
  if (exit.exitCode === campaignExit.held) {
    const runner = await whoRuns(ports, root);
    return runner === null ? new RefusalError(makeRefusal('campaign_running', said)) : runningRefusal(ports, root, runner);
  }
  return new RefusalError(makeRefusal('not_started', said === '' ? 'The campaign process ended at once without a word.' : `The campaign process ended at once: ${said}`));
}

// campaign_run: from an approved study to a live background process. Imported by the workbench.
import { join } from 'node:path';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { FileError, Ports } from '../../ports.ts';
import { acceptBundledExample, hasBundledApproval } from '../contract/bundled-example.ts';
import { carryApproval } from '../contract/carry-approval.ts';
import { approvedOrRefuse, checkApproval, type Approved } from '../contract/check-approval.ts';
import type { Handler } from '../dispatch/handler.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { loadStudy } from '../study/load-study.ts';
import { archivedRunFolder, runPaths } from '../workspace/layout.ts';
import { readAmendments, wantsAllLooks } from './amendments.ts';
import { approvalSentence, readRunState, readVerdictFile, requireRepository } from './read-campaign.ts';
import { readRecords } from './record-journal.ts';

/** How long the background process may take to say that it runs. */
const startupMs = 20_000;

export const campaignRun: Handler<'campaign_run'> = async ({ root, study, fresh }, { ports, caller }) => {
  await requireRepository(ports, root);
  const holder = await ports.locks.holder(await ports.files.realPath(root));
  if (holder !== null) refuse('campaign_running', `${holder.purpose} is running on this repository (process ${holder.pid}, since ${holder.since}).`, { next: `Watch it with \`rlxp campaign watch ${holder.purpose.replace(/^campaign /, '')}\`, or wait until it has ended.` });
  if (fresh) await setAside(ports, root, study, caller.by);
  // A verdict whose records cannot be trusted is no answer either.
  await refuseUnreadable(ports, root, study);
  const { state, file } = await readRunState(ports, root, study);
  if (state === 'completed' && !(await isLookLeft(ports, root, study))) {
    const verdict = await readVerdictFile(ports, root, study);
    return { state: 'finished', study, verdict: verdict === null ? null : { word: verdict.word, headline: verdict.headline } };
  }
  const approved = await readApproval(ports, root, study);
  await refuseUnwritable(ports, root, study);
  const process = await startProcess(ports, root, study);
  const isResumed = file !== null && (await readRecords(ports.files, runPaths(root, study).trials)).length > 0;
  return { state: isResumed ? 'resumed' : 'started', study, process, log: runPaths(root, study).log, approval: approvalSentence(approved.approval) };
};

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
    await loadStudy({ files: ports.files, root, study });
  }
  return approvedOrRefuse(check);
}

/** Moves a finished or stopped run to runs/<study>.<time>; its approval stays in force. */
async function setAside(ports: Ports, root: string, study: string, by: string): Promise<void> {
  const { folder, approval } = runPaths(root, study);
  if ((await ports.files.stat(folder)) === null) return;
  const hadApproval = (await ports.files.stat(approval)) !== null;
  const to = archivedRunFolder(root, study, ports.clock.wallMs());
  await writable(folder, () => ports.files.rename(folder, to));
  if (hadApproval) await carryApproval(ports, root, { study, fromFolder: to });
  await appendLedger(ports, root, { kind: 'archived', by, study, facts: { to: to.slice(root.length + 1) } });
}

async function isLookLeft(ports: Ports, root: string, study: string): Promise<boolean> {
  const { folder } = runPaths(root, study);
  const verdict = await readVerdictFile(ports, root, study);
  return wantsAllLooks(await readAmendments(ports.files, folder)) && verdict !== null && verdict.plan.used < (verdict.plan.looks.at(-1) ?? 0);
}

/** A journal that cannot be trusted, or is from a newer program, stops here and not in the background. */
async function refuseUnreadable(ports: Ports, root: string, study: string): Promise<void> {
  await readRecords(ports.files, runPaths(root, study).trials);
}

async function refuseUnwritable(ports: Ports, root: string, study: string): Promise<void> {
  const { folder } = runPaths(root, study);
  const probe = join(folder, '.write-probe');
  await writable(folder, async () => {
    await ports.files.makeFolder(folder);
    await ports.files.replaceFile(probe, '');
    await ports.files.remove(probe);
  });
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

async function startProcess(ports: Ports, root: string, study: string): Promise<{ readonly pid: number; readonly start_time: string }> {
  const { node, clock, machine } = ports;
  const paths = runPaths(root, study);
  const logPath = join(paths.folder, 'process.log');
  const before = (await ports.files.stat(logPath))?.sizeBytes ?? 0;
  const env: Record<string, string> = {};
  for (const name of machine.envNames()) {
    const value = machine.env(name);
    if (value !== undefined && name !== 'RLXP_TRIAL') env[name] = value;
  }
  const identity = await ports.processes.startBackground({ argv: [node.execPath, join(node.engineFolder, 'campaign.js'), root, study], cwd: root, env, logPath });
  const deadline = clock.monotonicMs() + startupMs;
  for (;;) {
    const { state, file } = await readRunState(ports, root, study);
    if (file !== null && file.pid === identity.pid && file.start_time === identity.startTime && state !== 'none') break;
    if (!(await ports.processes.isAlive(identity))) {
      const said = new TextDecoder().decode(await ports.files.readSlice(logPath, before, 4096)).trim();
      refuse('not_started', said === '' ? 'The campaign process ended at once without a word.' : `The campaign process ended at once: ${said}`);
    }
    if (clock.monotonicMs() > deadline) refuse('not_started', `The campaign process ${identity.pid} did not come up within ${startupMs / 1000} s; see ${logPath}.`);
    await clock.sleep(50);
  }
  return { pid: identity.pid, start_time: identity.startTime };
}

// Who runs a campaign on a repository now, and the refusal that names it. Core rooms left of contract may import it.
import { campaignProcess } from '../../../src-protocol/files/event.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import type { LockHolder, Ports } from '../../ports.ts';
import { runPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';

export interface Runner {
  readonly holder: LockHolder;
  /** It is the babysitter of a campaign whose process is not there (yet, or any more). */
  readonly isBabysitter: boolean;
}

/** Longer than a babysitter waits before it starts a campaign again, and than a campaign takes to come up. */
const undecidedMs = 10_000;

export async function babysitterKey(ports: Pick<Ports, 'files'>, root: string): Promise<string> {
  return `babysitter:${await ports.files.realPath(root)}`;
}

/** Null when nothing runs. Waits while it is undecided: a babysitter whose campaign is down, comes up, or has just ended. */
export async function whoRuns(ports: Pick<Ports, 'files' | 'locks' | 'clock'>, root: string): Promise<Runner | null> {
  const deadline = ports.clock.monotonicMs() + undecidedMs;
  for (;;) {
    const holder = await ports.locks.holder(await ports.files.realPath(root));
    if (holder !== null) return { holder, isBabysitter: false };
    const babysitter = await ports.locks.holder(await babysitterKey(ports, root));
    if (babysitter === null) return null;
    if (ports.clock.monotonicMs() > deadline) return { holder: babysitter, isBabysitter: true };
    await ports.clock.sleep(50);
  }
}

type RefusalPorts = Pick<Ports, 'files' | 'processes'>;

/** Throws RefusalError campaign_running when something runs. */
export async function refuseWhileRunning(ports: RefusalPorts & Pick<Ports, 'locks' | 'clock'>, root: string): Promise<void> {
  const runner = await whoRuns(ports, root);
  if (runner !== null) throw await runningRefusal(ports, root, runner);
}

/** Of a lock that was not given; `holder` is null when nobody can say who has it. */
export async function heldRefusal(ports: RefusalPorts, root: string, holder: LockHolder | null): Promise<RefusalError> {
  if (holder !== null) return runningRefusal(ports, root, { holder, isBabysitter: false });
  return new RefusalError(makeRefusal('campaign_running', 'Another process is working on this repository.'));
}

/** Names the process, and says when it is suspended (then it neither runs nor goes away) or paused, and how it goes on. */
export async function runningRefusal({ files, processes }: RefusalPorts, root: string, { holder, isBabysitter }: Runner): Promise<RefusalError> {
  const no = (message: string, next: string) => new RefusalError(makeRefusal('campaign_running', message, { next }));
  const who = isBabysitter ? `the babysitter of ${holder.purpose}` : holder.purpose;
  const on = `on this repository (process ${holder.pid}, since ${holder.since})`;
  const study = holder.purpose.startsWith('campaign ') ? holder.purpose.slice('campaign '.length) : null;
  const wait = study === null ? 'Wait until it has ended.' : `Watch it with \`rlxp campaign watch ${study}\`, or wait until it has ended.`;
  // A machine under load keeps a question waiting; only the system knows of a suspension.
  if (!holder.answers && (await processes.isSuspended(holder))) return no(`${who} is suspended ${on}.`, `It keeps the repository until it goes on: \`kill -CONT ${holder.pid}\`.`);
  if (!holder.answers) return no(`${who} is running ${on}, and does not answer at the moment.`, wait);
  const paused = study === null ? null : await whyPaused(files, root, study);
  if (study === null || paused === null) return no(`${who} is running ${on}.`, wait);
  return no(`${who} is paused ${on}: ${paused}.`, `\`rlxp campaign resume ${study}\` lets it go on, \`rlxp campaign stop ${study}\` ends it.`);
}

/** By what it wrote itself; null when it is not paused, or when nothing can be read. */
async function whyPaused(files: Pick<Ports, 'files'>['files'], root: string, study: string): Promise<string | null> {
  const reading = await tryJsonFile(files, runPaths(root, study).campaign, campaignProcess);
  return reading.ok && reading.file.status === 'paused' ? reading.file.text.replace(/\.$/, '') : null;
}

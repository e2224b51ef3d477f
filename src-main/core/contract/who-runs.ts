// Who runs a campaign on a repository now, and the refusal that names it. Core rooms left of contract may import it.
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import type { LockHolder, Ports } from '../../ports.ts';

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

/** Throws RefusalError campaign_running when something runs. */
export async function refuseWhileRunning(ports: Pick<Ports, 'files' | 'locks' | 'clock' | 'processes'>, root: string): Promise<void> {
  const runner = await whoRuns(ports, root);
  if (runner !== null) throw await runningRefusal(ports, runner);
}

/** Of a lock that was not given; `holder` is null when nobody can say who has it. */
export async function heldRefusal(ports: Pick<Ports, 'processes'>, holder: LockHolder | null): Promise<RefusalError> {
  if (holder !== null) return runningRefusal(ports, { holder, isBabysitter: false });
  return new RefusalError(makeRefusal('campaign_running', 'Another process is working on this repository.'));
}

/** Names the process, and says when it is suspended: then it neither runs nor goes away. */
export async function runningRefusal({ processes }: Pick<Ports, 'processes'>, { holder, isBabysitter }: Runner): Promise<RefusalError> {
  const who = isBabysitter ? `the babysitter of ${holder.purpose}` : holder.purpose;
  const running = `is running on this repository (process ${holder.pid}, since ${holder.since})`;
  const wait = holder.purpose.startsWith('campaign ') ? `Watch it with \`rlxp campaign watch ${holder.purpose.slice(9)}\`, or wait until it has ended.` : 'Wait until it has ended.';
  if (holder.answers) return new RefusalError(makeRefusal('campaign_running', `${who} ${running}.`, { next: wait }));
  // A machine under load keeps a question waiting; only the system knows of a suspension.
  if (!(await processes.isSuspended(holder))) return new RefusalError(makeRefusal('campaign_running', `${who} ${running}, and does not answer at the moment.`, { next: wait }));
  const next = `It keeps the repository until it goes on: \`kill -CONT ${holder.pid}\`.`;
  return new RefusalError(makeRefusal('campaign_running', `${who} is suspended on this repository (process ${holder.pid}, since ${holder.since}).`, { next }));
}

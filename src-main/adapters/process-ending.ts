// Ends a launch and everything it left, and proves it. Only adapters/pty-processes imports it.
import { platform } from 'node:process';
import type { EndReport, ProcessIdentity } from '../ports.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';
import { growTree, livingMembers, rootTree, type ProcessTree } from './process-tree.ts';

export interface EndTarget {
  readonly identity: ProcessIdentity | null;
  readonly tag: string;
}

export interface EndOptions {
  readonly graceMs: number;
  /** How long a killed process may take to vanish; one stuck in a driver never does and is reported. */
  readonly vanishMs?: number;
  /** Start time of the launch that has the tag: no process that began before it can carry it. Absent: not known. */
  readonly launchStart?: string;
  /** Sends a signal to a process, or to a group when the number is negative; throws when it cannot. */
  readonly send?: Send;
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';
type Send = (pid: number, signal: Signal) => void;

const sendReally: Send = (pid, signal) => void process.kill(pid, signal);

/** The ladder: SIGINT to the launch's group, SIGTERM to its whole tree, SIGKILL until nothing is left. Each rung only when the last did not do. */
export async function endTree(table: ProcessTable, target: EndTarget, options: EndOptions): Promise<EndReport> {
  const { graceMs, vanishMs = 5_000 } = options;
  if (target.identity !== null && (target.identity.pid === process.pid || target.identity.pid <= 1)) throw new RangeError('We do not end ourselves.');
  const tree = new WatchedTree(table, target, options);

  let living = await tree.look();
  if (living.length === 0) living = await tree.look();
  if (living.length === 0) return { by: 'already_gone', survivors: [] };

  // On Windows every signal is an unconditional end, so the last rung is the only one.
  if (platform !== 'win32') {
    // As Ctrl-C does: the launch's own group. Without its leader, whoever is left.
    const leader = living.find((row) => row.pid === target.identity?.pid);
    const isFront = (row: ProcessRow): boolean => leader === undefined || row.group === leader.group;
    await tree.signalAll(living.filter(isFront), 'SIGINT');
    await tree.waitGone(graceMs, isFront);

    living = await tree.look();
    if (living.length === 0) return { by: 'SIGINT', survivors: [] };
    await tree.signalAll(living, 'SIGTERM');
    await tree.waitGone(graceMs, () => true);

    living = await tree.look();
    if (living.length === 0) return { by: 'SIGTERM', survivors: [] };
    await tree.signalAll(living, 'SIGKILL');
  }
  await tree.waitGone(vanishMs, () => true, (row) => signalSame(table, row, 'SIGKILL', options.send));
  const survivors = (await tree.look()).map(({ pid, startTime }) => ({ pid, startTime }));
  return { by: 'SIGKILL', survivors };
}

/** Sends to one process after checking that it is still the one meant. A process that is gone or not ours to signal is left. */
export async function signalSame(table: ProcessTable, identity: ProcessIdentity, signal: Signal, send: Send = sendReally): Promise<void> {
  const row = await table.row(identity.pid);
  if (row === null || row.isZombie || row.startTime !== identity.startTime) return;
  try {
    send(identity.pid, signal);
  } catch {
    // Gone in between, or of another user: the proof at the end tells.
  }
}

class WatchedTree {
  private tree: ProcessTree;
  private readonly table: ProcessTable;
  private readonly tag: string;
  private readonly since: string | null;
  private readonly send: Send;

  constructor(table: ProcessTable, target: EndTarget, { send = sendReally, launchStart }: EndOptions) {
    this.tree = rootTree(target.identity);
    this.table = table;
    this.tag = target.tag;
    this.since = launchStart ?? null;
    this.send = send;
  }

  /** Members that live now, new ones included. */
  async look(): Promise<readonly ProcessRow[]> {
    const rows = await this.table.rows();
    const young = rows.filter((row) => !isEarlier(row.startTime, this.since)).map((row) => row.pid);
    const tagged = new Set([...(await this.table.tags(young))].filter(([, tag]) => tag === this.tag).map(([pid]) => pid));
    this.tree = growTree(this.tree, { rows, tagged, selfPid: process.pid });
    return livingMembers(this.tree, rows);
  }

  /** Looks until nothing that `concerns` us lives. Two empty looks in a row count: a process may fork past one. */
  async waitGone(limitMs: number, concerns: (row: ProcessRow) => boolean, again?: (row: ProcessRow) => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    let emptyLooks = 0;
    for (let pauseMs = 5; ; pauseMs = Math.min(100, pauseMs * 1.5)) {
      const living = (await this.look()).filter(concerns);
      emptyLooks = living.length === 0 ? emptyLooks + 1 : 0;
      if (emptyLooks === 2 || performance.now() - startedMs > limitMs) return;
      if (again !== undefined) for (const row of living) await again(row);
      await new Promise((resolve) => setTimeout(resolve, emptyLooks === 1 ? 5 : pauseMs));
    }
  }

  /** Groups of the launch's own sessions get it as a whole, so that a fork in between gets it too; the rest one by one. */
  async signalAll(rows: readonly ProcessRow[], signal: Signal): Promise<void> {
    const groups = new Set(rows.filter((row) => row.group === row.session && this.tree.sessions.has(row.session)).map((row) => row.group));
    const reached = new Set<number>();
    for (const group of groups) {
      const members = rows.filter((row) => row.group === group);
      // While a member that we know is in it, the number is still this group's.
      if (!(await this.hasSame(members))) continue;
      try {
        this.send(-group, signal);
        for (const row of members) reached.add(row.pid);
      } catch {
        // Empty by now.
      }
    }
    for (const row of rows) if (!reached.has(row.pid)) await signalSame(this.table, row, signal, this.send);
  }

  private async hasSame(rows: readonly ProcessRow[]): Promise<boolean> {
    for (const row of rows) {
      const now = await this.table.row(row.pid);
      if (now !== null && now.startTime === row.startTime && now.group === row.group) return true;
    }
    return false;
  }
}

/** Only where start times count from boot: on a clock that was set back a later process looks earlier. */
function isEarlier(startTime: string, since: string | null): boolean {
  return platform === 'linux' && since !== null && Number(startTime) < Number(since);
}

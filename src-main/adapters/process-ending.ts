// Ends a launch and everything it left, and proves it. Only adapters/pty-processes imports it.
import { platform } from 'node:process';
import type { EndReport, ProcessIdentity } from '../ports.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';
import { growTree, livingMembers, rootTree, type ProcessTree } from './process-tree.ts';

/** How long a killed process may take to vanish; one stuck in a driver never does and is reported. */
const vanishMs = 5_000;

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

export async function endTree(
  table: ProcessTable,
  target: { readonly identity: ProcessIdentity | null; readonly tag: string },
  graceMs: number,
): Promise<EndReport> {
  if (target.identity !== null && (target.identity.pid === process.pid || target.identity.pid <= 1)) throw new RangeError('We do not end ourselves.');
  let tree: ProcessTree = rootTree(target.identity);

  async function look(): Promise<readonly ProcessRow[]> {
    const [rows, tags] = [await table.rows(), await table.tags()];
    const tagged = new Set([...tags].filter(([, tag]) => tag === target.tag).map(([pid]) => pid));
    tree = growTree(tree, { rows, tagged, selfPid: process.pid });
    return livingMembers(tree, rows);
  }

  /** Looks until nothing that `concerns` us lives. Two empty looks in a row count: a process may fork past one. */
  async function waitGone(limitMs: number, concerns: (row: ProcessRow) => boolean, again?: (row: ProcessRow) => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    let emptyLooks = 0;
    for (let pauseMs = 5; ; pauseMs = Math.min(100, pauseMs * 1.5)) {
      const living = (await look()).filter(concerns);
      emptyLooks = living.length === 0 ? emptyLooks + 1 : 0;
      if (emptyLooks === 2 || performance.now() - startedMs > limitMs) return;
      if (again !== undefined) for (const row of living) await again(row);
      await new Promise((resolve) => setTimeout(resolve, emptyLooks === 1 ? 5 : pauseMs));
    }
  }

  const atFirst = await look();
  if (atFirst.length === 0 && (await look()).length === 0) return { by: 'already_gone', survivors: [] };
  if (platform === 'win32') {
    // There every signal is an unconditional end, so there is only one step.
    await waitGone(vanishMs, () => true, (row) => signalSame(table, row, 'SIGKILL'));
    return { by: 'SIGKILL', survivors: (await look()).map(identityOf) };
  }

  // As Ctrl-C does: the launch's own group. Without its leader, whoever is left.
  const leader = atFirst.find((row) => row.pid === target.identity?.pid);
  const isFront = (row: ProcessRow): boolean => leader === undefined || row.group === leader.group;
  await signalAll(table, atFirst.filter(isFront), tree, 'SIGINT');
  await waitGone(graceMs, isFront);

  let living = await look();
  if (living.length === 0) return { by: 'SIGINT', survivors: [] };
  await signalAll(table, living, tree, 'SIGTERM');
  await waitGone(graceMs, () => true);

  living = await look();
  if (living.length === 0) return { by: 'SIGTERM', survivors: [] };
  await signalAll(table, living, tree, 'SIGKILL');
  await waitGone(vanishMs, () => true, (row) => signalSame(table, row, 'SIGKILL'));
  return { by: 'SIGKILL', survivors: (await look()).map(identityOf) };
}

/** Sends to one process after checking that it is still the one meant. A process that is gone or not ours to signal is left. */
export async function signalSame(table: ProcessTable, identity: ProcessIdentity, signal: Signal): Promise<void> {
  const row = await table.row(identity.pid);
  if (row === null || row.isZombie || row.startTime !== identity.startTime) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // Gone in between, or of another user: the proof at the end tells.
  }
}

/** Groups of the launch's own sessions get it as a whole, so that a fork in between gets it too; the rest one by one. */
async function signalAll(table: ProcessTable, rows: readonly ProcessRow[], tree: ProcessTree, signal: Signal): Promise<void> {
  const groups = new Set(rows.filter((row) => row.group === row.session && tree.sessions.has(row.session)).map((row) => row.group));
  const reached = new Set<number>();
  for (const group of groups) {
    // The number is still this group's: a member that we know is in it.
    const members = rows.filter((row) => row.group === group);
    const holder = await firstSame(table, members);
    if (holder === null) continue;
    try {
      process.kill(-group, signal);
      for (const row of members) reached.add(row.pid);
    } catch {
      // Empty by now.
    }
  }
  for (const row of rows) if (!reached.has(row.pid)) await signalSame(table, row, signal);
}

async function firstSame(table: ProcessTable, rows: readonly ProcessRow[]): Promise<ProcessRow | null> {
  for (const row of rows) {
    const now = await table.row(row.pid);
    if (now !== null && now.startTime === row.startTime && now.group === row.group) return now;
  }
  return null;
}

function identityOf(row: ProcessRow): ProcessIdentity {
  return { pid: row.pid, startTime: row.startTime };
}

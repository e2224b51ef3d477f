// Which processes belong to a launch: a pure closure over the process table. Only adapters/process-ending imports it.
import type { ProcessIdentity } from '../ports.ts';
import type { ProcessRow } from './process-table.ts';

/** Everything of a launch that was ever seen, also what has ended since. */
export interface ProcessTree {
  /** Start time by process number. */
  readonly members: ReadonlyMap<number, string>;
  /** Sessions that a member leads or led. */
  readonly sessions: ReadonlySet<number>;
}

export interface TreeSight {
  readonly rows: readonly ProcessRow[];
  /** Numbers of the processes that carry the launch's tag. */
  readonly tagged: ReadonlySet<number>;
  /** Ourselves: neither we nor a process above us nor one of our session is ever taken for a member by guess. */
  readonly selfPid: number;
}

export function rootTree(root: ProcessIdentity | null): ProcessTree {
  return { members: new Map(root === null ? [] : [[root.pid, root.startTime]]), sessions: new Set() };
}

/**
 * Adds what can be seen now: children of members, everything in a session that a living member holds (a session number is not given
 * out again while a process is in it), and everything tagged. Members already known stay known when their parents end.
 */
export function growTree(tree: ProcessTree, sight: TreeSight): ProcessTree {
  const byPid = new Map(sight.rows.map((row) => [row.pid, row]));
  const spared = ancestors(byPid, sight.selfPid);
  const ourSession = byPid.get(sight.selfPid)?.session;
  const members = new Map(tree.members);
  const sessions = new Set(tree.sessions);
  for (const row of sight.rows) if (sight.tagged.has(row.pid) && !spared.has(row.pid)) members.set(row.pid, row.startTime);

  for (let before = -1; before !== members.size; ) {
    before = members.size;
    const living = sight.rows.filter((row) => members.get(row.pid) === row.startTime);
    for (const row of living) {
      // The whole session of a launch is its own, so a tagged member without its leader still names it.
      const isOurs = row.session === row.pid || sight.tagged.has(row.pid);
      if (isOurs && row.session > 0 && row.session !== ourSession) sessions.add(row.session);
    }
    const parents = new Set(living.map((row) => row.pid));
    const held = new Set(living.map((row) => row.session).filter((session) => sessions.has(session)));
    for (const row of sight.rows) {
      if (members.get(row.pid) === row.startTime || spared.has(row.pid)) continue;
      if (parents.has(row.parent) || held.has(row.session)) members.set(row.pid, row.startTime);
    }
  }
  return { members, sessions };
}

/** Members that still run. */
export function livingMembers(tree: ProcessTree, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  return rows.filter((row) => !row.isZombie && tree.members.get(row.pid) === row.startTime);
}

function ancestors(byPid: ReadonlyMap<number, ProcessRow>, pid: number): ReadonlySet<number> {
  const above = new Set([0, 1]);
  for (let at = byPid.get(pid); at !== undefined && !above.has(at.pid); at = byPid.get(at.parent)) above.add(at.pid);
  return above;
}

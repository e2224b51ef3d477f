// The process table of macOS, read with ps. Only adapters/process-table imports it. Its parsers are tested; ps of macOS itself has not been run.
import { execFile } from 'node:child_process';
import type { ProcessRow, ProcessTable } from './process-table.ts';

export function makePsTable(): ProcessTable {
  const read = (more: readonly string[]): Promise<readonly ProcessRow[]> =>
    ps([...more, '-o', 'pid=,ppid=,pgid=,state=,lstart=']).then((text) => text.split('\n').flatMap(parsePsLine));
  return {
    row: async (pid) => (await read(['-p', String(pid)]))[0] ?? null,
    rows: () => read(['-ax']),
    tags: async () => new Map((await ps(['-axEww', '-o', 'pid=,command='])).split('\n').flatMap(parsePsTag)),
  };
}

/**
 * `  501     1   501 Ss   Mon Nov 30 09:42:29 2026`. The start time has whole seconds there. ps prints no usable session, so the
 * group stands for it: a process that we start leads both.
 */
export function parsePsLine(line: string): ProcessRow[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  if (match === null) return [];
  const [, pid, parent, group, state, startTime] = match as unknown as [string, string, string, string, string, string];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group), startTime, isZombie: state.startsWith('Z'), isStopped: state.startsWith('T') }];
}

/** With -E ps prints the environment after the command, for processes of ours. */
export function parsePsTag(line: string): [number, string][] {
  const match = /^\s*(\d+)\s.*\sRLXP_TRIAL=(\S+)/.exec(line);
  return match === null ? [] : [[Number(match[1]), match[2] as string]];
}

function ps(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024, env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } } as const;
    execFile('ps', args, options, (_error, stdout) => resolve(stdout)); // no such process: exit code 1 and no line
  });
}

// Starts real launches for the process tests and ends whatever a failed test left.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { makePtyProcesses } from '../../../src-main/adapters/pty-processes.ts';
import type { ProcessIdentity, Processes, RunningProcess, StartOptions } from '../../../src-main/ports.ts';

export const environment: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };

export interface Launches {
  readonly processes: Processes;
  launch(argv: readonly [string, ...string[]], more?: Partial<StartOptions>): Promise<RunningProcess & { readonly consolePath: string }>;
  shell(script: string, more?: Partial<StartOptions>): Promise<RunningProcess & { readonly consolePath: string }>;
}

export function makeLaunches(folder: string): Launches {
  const processes = makePtyProcesses();
  const running: RunningProcess[] = [];
  let count = 0;

  afterEach(async () => {
    for (const one of running.splice(0)) await processes.end(one, { graceMs: 0 });
  });

  async function launch(argv: readonly [string, ...string[]], more: Partial<StartOptions> = {}): Promise<RunningProcess & { readonly consolePath: string }> {
    count += 1;
    const consolePath = join(folder, `console-${count}.log`);
    const started = await processes.start({ argv, cwd: folder, env: environment, tag: `rlxp-test-${process.pid}-${count}`, consolePath, ...more });
    running.push(started);
    return Object.assign(started, { consolePath });
  }

  return { processes, launch, shell: (script, more) => launch(['/bin/sh', '-c', script], more) };
}

/** Process numbers that a fixture wrote, one a line, as identities that live now. */
export async function livingIn(pidFile: string, processes: Processes): Promise<readonly ProcessIdentity[]> {
  const identities = await Promise.all(readPids(pidFile).map((pid) => processes.identify(pid)));
  return identities.filter((identity) => identity !== null);
}

export function readPids(pidFile: string): readonly number[] {
  try {
    return readFileSync(pidFile, 'utf8').split('\n').filter((line) => line !== '').map(Number);
  } catch {
    return [];
  }
}

/** The five-process tree: leader, plain child, child deaf to INT, TERM and HUP, child in a session of its own, double-forked daemon. */
export function fiveProcesses(pidFile: string): string {
  const note = `echo $$ >> '${pidFile}'`;
  return `
    ${note}
    sh -c "${note.replaceAll('$', '\\$')}; exec sleep 1000" &
    sh -c "trap '' INT TERM HUP; ${note.replaceAll('$', '\\$')}; exec sleep 1000" &
    setsid sh -c "${note.replaceAll('$', '\\$')}; exec sleep 1000" &
    (setsid sh -c "${note.replaceAll('$', '\\$')}; exec sleep 1000" &)
    wait; wait; wait; sleep 1000`;
}

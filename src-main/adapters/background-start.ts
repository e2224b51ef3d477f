// Starts a process that outlives us, its output going to a log file. Only adapters/pty-processes imports it.
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { BackgroundProcess, ProcessExit, ProcessIdentity } from '../ports.ts';
import { findExecutable } from './executable.ts';

export interface BackgroundOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
}

/** Leads its own session, so closing our terminal does not reach it. Throws a FileError when program, folder or log are not there. */
export async function startBackground(options: BackgroundOptions, identify: (pid: number) => ProcessIdentity): Promise<BackgroundProcess> {
  const [name, ...args] = options.argv;
  const program = findExecutable(name, options.cwd, options.env);
  const log = openSync(options.logPath, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o644);
  try {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, detached: true, stdio: ['ignore', log, log], windowsHide: true });
    const exit = new Promise<ProcessExit>((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return { identity: identify(child.pid as number), exit };
  } finally {
    closeSync(log);
  }
}

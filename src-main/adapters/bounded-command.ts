// Runs one short command with a hard end: own group, killed as a whole, its pipes dropped. Only adapters import it.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';

export interface BoundedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  readonly maxBytes: number;
  readonly input?: string;
}

export type CommandResult =
  | { readonly state: 'done'; readonly exitCode: number; readonly output: Buffer; readonly sha256: string }
  /** Not found, not allowed, ended by a signal. */
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'too_slow' | 'too_long' };

/**
 * Resolves at the latest `limitMs` after the start, also when a child of the command ignores signals and holds its pipe: the time limit
 * of Node's own execFile waits for the pipe.
 */
export function runBounded(command: BoundedCommand): Promise<CommandResult> {
  return new Promise((resolve) => {
    const [program, ...args] = command.argv;
    // Typed as it is: without a free file handle there are no pipes.
    const child: ChildProcess = spawn(program, args, { cwd: command.cwd, env: command.env, detached: true, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const parts: Buffer[] = [];
    const digest = createHash('sha256');
    let bytes = 0;

    const finish = (result: CommandResult): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stdin?.destroy();
      resolve(result);
    };
    const stop = (state: 'too_slow' | 'too_long'): void => {
      killGroup(child.pid);
      child.unref();
      finish({ state });
    };
    const timer = setTimeout(() => stop('too_slow'), command.limitMs);

    child.stdout?.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > command.maxBytes) return stop('too_long');
      parts.push(part);
      digest.update(part);
    });
    child.stdin?.on('error', () => undefined); // it may not read what it is given
    child.stdin?.end(command.input ?? '');
    child.on('error', (error) => finish({ state: 'failed', reason: error.message }));
    child.on('close', (exitCode, signal) => {
      if (exitCode === null) return finish({ state: 'failed', reason: `ended by ${signal}` });
      finish({ state: 'done', exitCode, output: Buffer.concat(parts), sha256: digest.digest('hex') });
    });
  });
}

/** The group was made by us a moment ago and its leader is not reaped before `close`, so the number is still its own. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

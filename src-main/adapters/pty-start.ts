// Starts one process under a pseudo-terminal: bytes to the console file first, then to listeners. Only adapters/pty-processes imports it.
import { readSync } from 'node:fs';
import { constants } from 'node:os';
import { platform } from 'node:process';
import { StringDecoder } from 'node:string_decoder';
import type { ProcessExit, ProcessIdentity, RunningProcess, StartOptions } from '../ports.ts';
import { ConsoleFile } from './console-file.ts';
import { findExecutable } from './executable.ts';
import { tagVariable } from './process-table.ts';
import { ptyLibrary, type Terminal } from './pty-library.ts';

/** Where the library cannot tell that the last byte has come, that long a silence after the exit is taken for it. */
const quietMs = 250;

/**
 * The terminal is never paused (paused bytes are lost at exit) and always read. The process leads its own session and group. TERM and
 * PWD are set beside `env`, since a terminal has them. Throws a FileError when program, folder or console file are not there.
 */
export function startUnderPty(options: StartOptions, identify: (pid: number) => ProcessIdentity): RunningProcess {
  const [name, ...args] = options.argv;
  const program = findExecutable(name, options.cwd, options.env);
  const console = new ConsoleFile(options.consolePath);
  const env = { ...options.env, [tagVariable]: options.tag };
  let terminal: Terminal;
  try {
    terminal = ptyLibrary().spawn(program, args, { cwd: options.cwd, env, cols: options.columns ?? 120, rows: options.rows ?? 40, encoding: null });
  } catch (error) {
    console.close();
    throw error;
  }

  const identity = identify(terminal.pid);
  const listeners = new Set<(text: string) => void>();
  const decoder = new StringDecoder('utf8');
  let lastByteMs = performance.now();

  const take = (bytes: Buffer): void => {
    lastByteMs = performance.now();
    console.write(bytes);
    tell(decoder.write(bytes));
  };
  const tell = (text: string): void => {
    if (text.length === 0) return;
    for (const listener of [...listeners]) {
      try {
        listener(text);
      } catch {
        // A listener's fault must not cost a byte or another listener.
      }
    }
  };

  const exit = new Promise<ProcessExit>((resolve) => {
    terminal.onExit((end) => {
      void (async () => {
        if (platform === 'win32') while (performance.now() - lastByteMs < quietMs) await new Promise((next) => setTimeout(next, 50));
        tell(decoder.end());
        console.close();
        resolve(readExit(end));
      })();
    });
  });
  terminal.on?.('error', () => undefined);
  terminal.onData(take);
  drainBeforeClose(terminal, take);

  return {
    identity,
    tag: options.tag,
    exit,
    consoleTail: () => console.tail(),
    onOutput(onOutput) {
      listeners.add(onOutput);
      return () => void listeners.delete(onOutput);
    },
  };
}

/** The library reports exit code 0 for a process that a signal ended. */
function readExit(end: { readonly exitCode: number; readonly signal?: number }): ProcessExit {
  if (end.signal === undefined || end.signal === 0) return { exitCode: end.exitCode, signal: null };
  const name = Object.entries(constants.signals).find(([, number]) => number === end.signal)?.[0];
  return { exitCode: null, signal: name ?? `signal ${end.signal}` };
}

interface TerminalInside {
  readonly fd?: number;
  readonly _socket?: { destroy: (...args: readonly unknown[]) => unknown };
}

/** Where a terminal outlives its process (macOS), a child of it may print without end. */
const maxDrainBytes = 16 * 1024 * 1024;

/**
 * The library reads 4 KB per turn of the event loop and closes its end 200 ms after the exit, read out or not: with turns of 150 to 350 ms
 * it lost most of the output of 225 of 240 short processes, and with this none. So what is left is read before the close. It reaches
 * into a field of the exactly pinned library; a test fails when the field is gone.
 */
function drainBeforeClose(terminal: Terminal, take: (bytes: Buffer) => void): void {
  const { fd, _socket: socket } = terminal as Terminal & TerminalInside;
  if (fd === undefined || socket === undefined) return;
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (...args) => {
    socket.destroy = destroy;
    const bytes = Buffer.alloc(64 * 1024);
    try {
      for (let total = 0, count = 1; count > 0 && total < maxDrainBytes; total += count) {
        count = readSync(fd, bytes);
        if (count > 0) take(Buffer.from(bytes.subarray(0, count)));
      }
    } catch {
      // EIO or EAGAIN: nothing is left.
    }
    return destroy(...args);
  };
}

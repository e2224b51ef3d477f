// The few calls of node-pty that we use, loaded when the first terminal starts. Only adapters/pty-start imports it.
// Loaded with require: the library is a native part that no bundler may swallow, and a machine without it can still do everything else.
import { createRequire } from 'node:module';

export interface Terminal {
  readonly pid: number;
  /** Raw bytes, because `encoding` is null (the library's own types say string). */
  onData(listener: (bytes: Buffer) => void): void;
  /** Comes after the last byte. `signal` is 0 when the process ended by itself; when it did not, `exitCode` is 0 and means nothing. */
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): void;
  /** With a listener of ours the library does not throw read errors out of nowhere. */
  on?(event: 'error', listener: (error: Error) => void): void;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly encoding: null;
}

interface PtyLibrary {
  spawn(file: string, args: readonly string[], options: TerminalOptions): Terminal;
}

let library: PtyLibrary | null = null;

export function ptyLibrary(): PtyLibrary {
  library ??= createRequire(import.meta.url)('node-pty') as PtyLibrary;
  return library;
}

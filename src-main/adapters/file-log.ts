// The Log port: JSON lines in one file of ours, without secrets. Only composition files and tests import it.
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ports.ts';
import { findSecrets, makeRedactor } from '../redaction/redactor.ts';

export interface FileLogOptions {
  /** Gives the log folder, made and checked; asked once, at the first line. */
  readonly folder: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
}

const fileName = 'rlxp.log';
/** Beyond it the file becomes `rlxp.log.1`, in the place of an older one. */
const maxBytes = 5 * 1024 * 1024;
const maxLineCharacters = 16 * 1024;

/** Logging never throws: a full disk must not end a campaign. */
export function makeFileLog(options: FileLogOptions): Log {
  const { env } = options;
  const redact = makeRedactor(findSecrets({ env: (name) => env[name], envNames: () => Object.keys(env) })).text;
  const now = options.now ?? (() => new Date());
  let path: string | null = null;

  function write(level: string, message: string, facts: Readonly<Record<string, unknown>> | undefined): void {
    try {
      path ??= join(options.folder(), fileName);
      const line = redact(JSON.stringify({ at: now().toISOString(), pid: process.pid, level, message, ...(facts === undefined ? {} : { facts }) }, plain()));
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
      const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o600);
      try {
        writeSync(file, `${line.slice(0, maxLineCharacters)}\n`); // one write, so that lines of several processes do not mix
      } finally {
        closeSync(file);
      }
    } catch {
      // Nowhere left to say it.
    }
  }

  return {
    info: (message, facts) => write('info', message, facts),
    warn: (message, facts) => write('warn', message, facts),
    fault(error, facts) {
      const id = randomBytes(4).toString('hex');
      write('fault', error instanceof Error ? error.message : String(error), { id, ...facts, error });
      return id;
    },
  };
}

/** Errors with their stack and cause, numbers and big integers as they read, circles cut. */
function plain(): (key: string, value: unknown) => unknown {
  const seen = new WeakSet<object>();
  return (_key, value) => {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return '[circular]';
    seen.add(value);
    if (!(value instanceof Error)) return value;
    const { name, stack, cause } = value;
    return Object.assign({ name, stack, cause }, value);
  };
}

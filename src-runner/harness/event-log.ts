// The trial's event file: one record per update, on disk at once. Imported by harness/train-trial.ts.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { eventFileName } from '../../src-main/tfevents/event-file-name.ts';
import { makeEventWriter } from '../../src-main/tfevents/event-writer.ts';
import type { Scalar } from './training-figures.ts';

export interface EventLog {
  /** One event with all values at `step`; written, not buffered, when this returns. */
  write(step: number, scalars: readonly Scalar[]): void;
  close(): void;
}

/** Creates the folder and a new event file in it. */
export function openEventLog(folder: string): EventLog {
  mkdirSync(folder, { recursive: true });
  const name = eventFileName({ seconds: wallSeconds(), host: hostname(), pid: process.pid, count: 0 });
  const fd = openSync(join(folder, name), 'a');
  const writer = makeEventWriter((record) => writeAll(fd, record), wallSeconds());
  return {
    write(step, scalars) {
      writer.scalars({ step, wallTime: wallSeconds() }, scalars.map(([tag, value]) => ({ tag, value })));
    },
    close: () => closeSync(fd),
  };
}

function wallSeconds(): number {
  return Date.now() / 1000;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

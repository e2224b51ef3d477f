// Makes the event file of a trial large, and measures what a command of the built program needs. For tests of this folder and of test/faults.
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeEventWriter } from '../../src-main/tfevents/event-writer.ts';
import { engine } from '../campaign/project.ts';

/** Appends at least `bytes` of sound records with tags that no adapter maps and values that do not compress away. */
export function growEventFile(path: string, bytes: number): void {
  const handle = openSync(path, 'a');
  const block: Uint8Array[] = [];
  let seed = 1;
  const noise = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const writer = makeEventWriter((record) => block.push(record), 1);
  for (let step = 0; step < 2000; step += 1) writer.scalars({ step, wallTime: 4_000_000_000 + step }, Array.from({ length: 40 }, (_, tag) => ({ tag: `Noise / ${tag}`, value: noise() })));
  const whole = Buffer.concat(block.slice(1));
  for (let written = 0; written < bytes; written += whole.length) writeSync(handle, whole);
  closeSync(handle);
}

export interface Needed {
  readonly code: number | null;
  readonly out: string;
  readonly seconds: number;
  /** Largest resident size, in MB. */
  readonly peakMb: number;
}

export function runMeasured(words: readonly string[], cwd: string): Promise<Needed> {
  const tell = "process.on('exit', () => process.stderr.write('PEAK ' + process.resourceUsage().maxRSS + ' '))";
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, join(engine, 'cli.js'), ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, out: out === '' ? err : out, seconds: (performance.now() - start) / 1000, peakMb: Number(/PEAK (\d+)/.exec(err)?.[1]) / 1024 }));
  });
}

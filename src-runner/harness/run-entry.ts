// Runs an entry as a process: one argument, one line per error, one exit code. Imported by train.ts and evaluate.ts.
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTrial, type TrialContext } from './trial-context.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Ends the process with the code that `body` gives, even if a user's environment left something open. */
export async function runEntry(name: string, body: (context: TrialContext) => Promise<number>): Promise<never> {
  const file = process.argv[2];
  if (file === undefined || process.argv.length > 3) return exit(EXIT.usage, process.stderr, `usage: ${name} <path to trial.json>\n`);
  let code: number;
  try {
    code = await body(await readTrial(file));
  } catch (error) {
    return exit(EXIT.failed, process.stderr, `${name}: ${describe(error)}\n`);
  }
  return exit(code, process.stdout, '');
}

export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Our own errors carry their whole story in the message; one from a user's file, or of a kind we never throw, shows where it happened. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurKind = error.constructor === Error || error.name === 'SafetensorsError';
  return isOurKind && isBornHere(error) ? error.message : (error.stack ?? error.message);
}

/** Whether the first frame of the error's stack lies in the folder of the running bundle. */
function isBornHere(error: Error): boolean {
  const firstFrame = /^\s+at .*$/m.exec(error.stack ?? '')?.[0];
  return firstFrame === undefined || firstFrame.includes(pathToFileURL(dirname(process.argv[1] ?? '')).href);
}

async function exit(code: number, stream: NodeJS.WriteStream, text: string): Promise<never> {
  await new Promise<void>((resolve) => stream.write(text, () => resolve()));
  process.exit(code);
}

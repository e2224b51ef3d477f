// Runs an entry as a process: one argument, one line per error, one exit code. Imported by train.ts and evaluate.ts.
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

/** Our own errors carry their whole story in the message; anything else (a user's environment) shows where it happened. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.constructor === Error || error.name === 'SafetensorsError' ? error.message : (error.stack ?? error.message);
}

async function exit(code: number, stream: NodeJS.WriteStream, text: string): Promise<never> {
  await new Promise<void>((resolve) => stream.write(text, () => resolve()));
  process.exit(code);
}

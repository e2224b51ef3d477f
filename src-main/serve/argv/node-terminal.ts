// The Terminal of this process's own standard streams. Imported by cli.ts only.
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Answer, Terminal } from './terminal.ts';

export function makeNodeTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // The reader of a pipe may go away (`| head`): that ends us quietly.
  stdout.on('error', () => process.exit(0));
  stderr.on('error', () => undefined);
  return {
    cwd: process.cwd(),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    isScreen: stdout.isTTY === true && process.env['TERM'] !== 'dumb',
    hasColour: stdout.isTTY === true && process.env['TERM'] !== 'dumb' && (process.env['NO_COLOR'] ?? '') === '',
    // A terminal without a size says 0.
    columns: () => (stdout.isTTY === true ? stdout.columns || 80 : 100),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    ask,
    onInterrupt,
  };
}

function ask(question: string): Promise<Answer> {
  return new Promise((resolve) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
    reader.once('SIGINT', () => {
      resolve({ is: 'interrupted' });
      reader.close();
    });
    reader.once('close', () => resolve({ is: 'ended' }));
    reader.question(question, (answer) => {
      resolve({ is: 'line', text: answer });
      reader.close();
    });
  });
}

/** The second Ctrl-C ends the program at once, whatever the first one is still doing. */
function onInterrupt(listener: () => void): () => void {
  let count = 0;
  const onSignal = (): void => {
    count += 1;
    if (count > 1) process.exit(130);
    listener();
  };
  process.on('SIGINT', onSignal);
  return () => process.off('SIGINT', onSignal);
}

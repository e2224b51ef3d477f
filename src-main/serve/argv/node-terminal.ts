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

/** How long the terminal must be quiet before a question, and how long we wait for that at most. */
const quietMs = 40;
const longestMs = 1_000;

async function ask(question: string): Promise<Answer> {
  if (await dropTypedAhead()) return { is: 'interrupted' };
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

/** What was typed before the question stood there answers something else. True for a Ctrl-C among it. */
function dropTypedAhead(): Promise<boolean> {
  const { stdin } = process;
  return new Promise((resolve) => {
    let isInterrupted = false;
    stdin.setRawMode(true); // an unfinished line can be read only so
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(longest);
      stdin.off('data', onData);
      stdin.pause();
      stdin.setRawMode(false);
      resolve(isInterrupted);
    };
    const onData = (keys: Buffer): void => {
      isInterrupted ||= keys.includes(3);
      quiet.refresh();
    };
    const quiet = setTimeout(finish, quietMs);
    const longest = setTimeout(finish, longestMs);
    stdin.on('data', onData);
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

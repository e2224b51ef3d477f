// A Terminal that records what is written and answers from a list. Used by the tests of the argv door.
import type { Answer, Terminal } from '../../src-main/serve/argv/terminal.ts';

export interface RecordedTerminal extends Terminal {
  readonly written: { out: string; err: string };
  readonly questions: string[];
  interrupt(): void;
}

export interface RecordedTerminalOptions {
  readonly isInteractive?: boolean;
  readonly isScreen?: boolean;
  readonly hasColour?: boolean;
  readonly cwd?: string;
  /** The lines a person types, in order; then the input ends. */
  readonly answers?: readonly (string | Answer)[];
  readonly onOut?: (text: string) => void;
}

export function makeRecordedTerminal(options: RecordedTerminalOptions = {}): RecordedTerminal {
  const written = { out: '', err: '' };
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  const listeners = new Set<() => void>();
  return {
    cwd: options.cwd ?? '/work/cartpole',
    isInteractive: options.isInteractive ?? false,
    isScreen: options.isScreen ?? false,
    hasColour: options.hasColour ?? false,
    columns: () => 80,
    written,
    questions,
    out(text) {
      written.out += text;
      options.onOut?.(text);
    },
    err: (text) => void (written.err += text),
    ask(question) {
      questions.push(question);
      const answer = answers.shift();
      return Promise.resolve(answer === undefined ? { is: 'ended' } : typeof answer === 'string' ? { is: 'line', text: answer } : answer);
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    interrupt: () => listeners.forEach((listener) => listener()),
  };
}

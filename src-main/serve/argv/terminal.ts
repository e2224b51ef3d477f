// What the argv door needs of the place it writes to. cli.ts gives the real one, tests a recorded one.

/** `ended`: there was no line to read; `interrupted`: Ctrl-C instead of an answer. */
export type Answer = { readonly is: 'line'; readonly text: string } | { readonly is: 'ended' } | { readonly is: 'interrupted' };

export interface Terminal {
  readonly cwd: string;
  /** A person can be asked: standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Standard output is a terminal: colours and a status line are welcome (unless NO_COLOR says no to the former). */
  readonly isScreen: boolean;
  readonly hasColour: boolean;
  /** Width of the screen; 100 when there is none. */
  columns(): number;
  out(text: string): void;
  err(text: string): void;
  /** Asks on standard error and reads one line; what was typed before the question stood there is dropped. */
  ask(question: string): Promise<Answer>;
  /** Calls `listener` at Ctrl-C instead of ending the program, until stopped. */
  onInterrupt(listener: () => void): () => void;
}

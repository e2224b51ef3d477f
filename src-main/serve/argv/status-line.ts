// The line at the foot of a screen that is rewritten in place while lines scroll above it. Imported by run-feed.ts.
import { cut } from '../present/table.ts';
import type { Terminal } from './terminal.ts';

export interface StatusLine {
  write(lines: readonly string[], status: string): void;
  clear(): void;
}

/** On anything but a screen only whole lines are written: no carriage returns, no escapes. */
export function makeStatusLine(terminal: Terminal, isShown: boolean): StatusLine {
  let isDirty = false;
  const clear = (): void => {
    if (isDirty) terminal.out('\r\u001b[2K');
    isDirty = false;
  };
  return {
    clear,
    write(lines, status) {
      if (!isShown) return;
      clear();
      if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
      if (!terminal.isScreen || status === '') return;
      terminal.out(cut(status, terminal.columns() - 1));
      isDirty = true;
    },
  };
}

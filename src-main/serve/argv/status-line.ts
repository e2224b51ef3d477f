// The line at the foot of a screen that is rewritten in place while lines scroll above it. Imported by run-feed.ts.
import { cut } from '../present/table.ts';
import type { Terminal } from './terminal.ts';

export interface StatusLine {
  /** `status` is asked with the width there is. */
  write(lines: readonly string[], status: (columns: number) => string): void;
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
      if (!terminal.isScreen) return;
      const columns = terminal.columns() - 1;
      const text = status(columns);
      if (text === '') return;
      terminal.out(cut(text, columns));
      isDirty = true;
    },
  };
}

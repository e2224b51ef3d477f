// What is said when somebody stops watching what goes on in the background. Imported by run-feed.ts and follow.ts.
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Refusal } from '../../../src-protocol/refusal.ts';
import type { Terminal } from './terminal.ts';

export interface Detached {
  /** `the campaign`. */
  readonly what: string;
  readonly root: unknown;
  readonly study: unknown;
}

export function writeDetached(terminal: Terminal, detached: Detached): void {
  const { watch, stop } = commandsOf(detached);
  terminal.err(`\ndetached: ${detached.what} goes on in the background\n  watch it again:  ${watch}\n  stop it:         ${stop}\n`);
}

/** The same for readers of JSON. */
export function detachedRefusal(detached: Detached): Refusal {
  const { watch, stop } = commandsOf(detached);
  return makeRefusal('cancelled', `The watching was ended; ${detached.what} goes on in the background.`, { next: `Watch it again with \`${watch}\`; stop it with \`${stop}\`.` });
}

function commandsOf({ root, study }: Detached): { readonly watch: string; readonly stop: string } {
  const at = `${String(study)} --root ${quoted(String(root))}`;
  return { watch: `rlxp campaign watch ${at}`, stop: `rlxp campaign stop ${at}` };
}

/** To be copied into any shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : JSON.stringify(path);
}

// What one run of the command line works with. Made by argv.ts, used by the other files of this folder.
import { makeClient } from '../../../src-protocol/client.ts';
import type { Client, Transport } from '../../../src-protocol/client.ts';
import type { Caller } from '../../../src-protocol/caller.ts';
import type { Dispatch } from '../../core/dispatch.ts';
import { makeInProcessDoor } from '../in-process.ts';
import { makeLook } from '../present/look.ts';
import type { Look } from '../present/look.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly terminal: Terminal;
  readonly look: Look;
  /** Calls as somebody who confirmed nothing. */
  readonly transport: Transport;
  /** Calls as the person who typed `typed` at the terminal, or the script that gave it. */
  confirmed(typed: string | null): Transport;
  readonly client: Client;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** The folder that `--root` names or implies. */
  findRoot(given: string | null, form: 'nearest' | 'here'): Promise<string>;
}

export interface SessionParts {
  readonly terminal: Terminal;
  readonly dispatch: Dispatch;
  /** Login name of the person at this terminal. */
  readonly by: string;
  readonly signal: AbortSignal;
  readonly findRoot: Session['findRoot'];
}

export function makeSession({ terminal, dispatch, by, signal, findRoot }: SessionParts): Session {
  const kind: Caller['kind'] = terminal.isInteractive ? 'terminal' : 'script';
  const confirmed = (typed: string | null): Transport => makeInProcessDoor(dispatch, { kind, by, typed });
  const transport = confirmed(null);
  return {
    terminal,
    look: makeLook({ hasColour: terminal.hasColour, columns: terminal.columns() }),
    transport,
    confirmed,
    client: makeClient(transport),
    signal,
    findRoot,
  };
}

// Runs a command line against a recorded scene and terminal. Used by the tests of the argv door.
import type { CallerKind } from '../../../src-protocol/caller.ts';
import { runArgv } from '../../../src-main/serve/argv.ts';
import { makeScene } from '../../conformance/doors/scene.ts';
import type { Scene } from '../../conformance/doors/scene.ts';
import { makeRecordedTerminal } from '../recorded-terminal.ts';
import type { RecordedTerminal, RecordedTerminalOptions } from '../recorded-terminal.ts';

export interface CommandLine extends RecordedTerminalOptions {
  readonly scene?: Scene;
  /** Folders that have `.rlxp`. */
  readonly onTerminal?: (terminal: RecordedTerminal) => void;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly scene: Scene;
  readonly terminal: RecordedTerminal;
  /** The handlers that ran, with the kind of the caller. */
  readonly ran: readonly (readonly [string, CallerKind])[];
}

export async function runLine(argv: readonly string[], options: CommandLine = {}): Promise<Ran> {
  const scene = options.scene ?? makeScene();
  const terminal = makeRecordedTerminal(options);
  options.onTerminal?.(terminal);
  const code = await runArgv(argv, {
    terminal,
    dispatch: scene.dispatch,
    by: 'ada',
    version: '0.1.0',
    findRoot: (given, form) => Promise.resolve(given ?? `${terminal.cwd}/${form}`),
  });
  const ran = scene.runs.map((run) => [run.name, run.caller.kind] as const);
  return { code, ...terminal.written, scene, terminal, ran };
}

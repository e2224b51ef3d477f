// The output of a tool as lines and an exit code. Imported by run-tool.ts and follow.ts.
import { decodeOutput } from '../../../src-protocol/client.ts';
import type { ToolName } from '../../../src-protocol/index.ts';
import { presenters } from '../present/all.ts';
import type { Look } from '../present/look.ts';
import { printableValue } from '../present/look.ts';
import type { Presenter } from '../present/presenter.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';

export interface Presented {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** `wire` comes from files and repositories: what a terminal would act on is taken out first. */
export function presentOutput<Name extends ToolName>(name: Name, wire: unknown, look: Look): Presented {
  const output = decodeOutput(name, printableValue(wire));
  const presenter: Presenter<Name> = presenters[name];
  return { lines: presenter.lines(output, look), exitCode: presenter.exitCode?.(output) ?? exitCodes.ok };
}

// Runs one tool from the command line: confirm where needed, call, write, and follow where the declaration says so. Imported by argv.ts.
import type { ToolName } from '../../../src-protocol/index.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import type { Tool } from '../../../src-protocol/tool.ts';
import { confirm } from './confirm.ts';
import type { ExitCode } from './exit-codes.ts';
import { follow } from './follow.ts';
import { writeFailure, writeJson, writeLines } from './output.ts';
import { presentOutput } from './presented.ts';
import type { Session } from './session.ts';
import { withTypedNames } from './typed-names.ts';
import type { Words } from './words.ts';

export interface Given {
  readonly session: Session;
  readonly words: Words;
}

export async function runTool(tool: Tool, input: Readonly<Record<string, unknown>>, { session, words }: Given): Promise<ExitCode> {
  const { terminal } = session;
  const result = withTypedNames(await callTool(tool, input, { session, words }), tool);
  if (!result.ok) return writeFailure(terminal, result, words.json);
  const then = words.detach || !isToFollow(tool, result.output) ? undefined : tool.cli.then;
  const presented = presentOutput(tool.name as ToolName, result.output, session.look);
  if (!words.json) writeLines(terminal, presented.lines);
  if (then !== undefined) return follow({ then, input, first: result.output, json: words.json, session });
  if (words.json) writeJson(terminal, result);
  return presented.exitCode;
}

async function callTool(tool: Tool, input: Readonly<Record<string, unknown>>, { session, words }: Given): Promise<Result<unknown>> {
  const confirmation = await confirm(tool, input, { session, yes: words.yes });
  if (!confirmation.ok) return confirmation;
  const { typed, bound } = confirmation.output;
  if (tool.cli.waits !== undefined && session.terminal.isInteractive) session.terminal.err(`${tool.cli.waits}\n`);
  return session.confirmed(typed).call(tool.name, { ...input, ...bound }, { signal: session.signal });
}

/** Where the call itself started nothing, there is nothing to watch. */
function isToFollow({ cli }: Tool, output: unknown): boolean {
  const onlyIf = cli.then?.onlyIf;
  return onlyIf === undefined || (typeof output === 'object' && output !== null && 'state' in output && output.state === onlyIf);
}

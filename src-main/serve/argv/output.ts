// Writes results: JSON on request, lines otherwise; what went wrong goes to standard error. Imported by the argv door.
import type { Fault, Problem, Refusal, Result } from '../../../src-protocol/refusal.ts';
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import { differenceLines } from '../present/contract.ts';
import { printable } from '../present/look.ts';
import { problemLines } from '../present/problem.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The one JSON value of `--json`: the result as every door gives it. */
export function writeJson(terminal: Terminal, result: Result<unknown>): void {
  terminal.out(`${JSON.stringify(result, null, 2)}\n`);
}

export function writeLines(terminal: Terminal, lines: readonly string[]): void {
  if (lines.length > 0) terminal.out(`${lines.join('\n')}\n`);
}

/** Returns the exit code that goes with it. */
export function writeFailure(terminal: Terminal, result: Exclude<Result<unknown>, { ok: true }>, json: boolean): ExitCode {
  if (json) writeJson(terminal, result);
  else terminal.err(printable('refusal' in result ? refusalText(result.refusal) : faultText(result.fault)));
  return exitCodeOf(result);
}

/** A command that was not understood: nothing was called. */
export function writeUsage(terminal: Terminal, problems: readonly Problem[], where: { readonly json: boolean; readonly help: string; readonly code?: 'bad_input' | 'unknown_tool' }): ExitCode {
  const first = problems[0];
  const message = first === undefined ? 'the command was not understood' : `${first.file}: ${first.message}`;
  writeFailure(terminal, { ok: false, refusal: makeRefusal(where.code ?? 'bad_input', message, { problems, next: `See \`${where.help}\`.` }) }, where.json);
  return exitCodes.usage;
}

function refusalText({ code, message, next, problems, differences }: Refusal): string {
  // The message of wrong usage repeats the first problem, for readers of JSON.
  const isUsage = (code === 'bad_input' || code === 'unknown_tool') && problems !== undefined && problems.length > 0;
  const head = isUsage ? 'this was not understood:' : `refused: ${message}`;
  const lines = [`rlxp: ${head}`, ...problemLines(problems ?? []), ...differenceLines(differences ?? []), `next: ${next}`];
  return `${lines.join('\n')}\n`;
}

function faultText({ id, message }: Fault): string {
  return `rlxp: fault ${id}: ${message}\nThis is a bug of ours; nothing you typed caused it.\n`;
}

// The exit codes of the command line, as docs/specs/tools.md lists them (rule T51). Imported by the argv door and the presenters.
import type { Result } from '../../../src-protocol/refusal.ts';

export const exitCodes = {
  ok: 0,
  /** A fault of ours. */
  fault: 1,
  /** The command was not understood; nothing was called. */
  usage: 2,
  /** An expected no, with a next step. */
  refusal: 3,
  /** A campaign that was followed to its end did not complete. */
  notCompleted: 4,
  /** Ctrl-C; a campaign that was only watched goes on. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOf(result: Result<unknown>): ExitCode {
  if (result.ok) return exitCodes.ok;
  if ('fault' in result) return exitCodes.fault;
  switch (result.refusal.code) {
    case 'bad_input':
    case 'unknown_tool':
      return exitCodes.usage;
    case 'cancelled':
      return exitCodes.interrupted;
    default:
      return exitCodes.refusal;
  }
}

// After a tool that starts something: watches it to its end and shows the outcome; Ctrl-C only stops the watching. Imported by run-tool.ts.
import type { FeedName, ToolName } from '../../../src-protocol/index.ts';
import type { CliForm } from '../../../src-protocol/tool.ts';
import { writeDetached } from './detached.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { writeFailure, writeJson, writeLines } from './output.ts';
import { presentOutput } from './presented.ts';
import { watchFeed } from './run-feed.ts';
import type { Session } from './session.ts';

export interface Following {
  readonly then: NonNullable<CliForm['then']>;
  /** Input of the tool that started it; the feed and the tool to show take its root and study. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Output of that tool, in wire form. */
  readonly first: unknown;
  readonly json: boolean;
  readonly session: Session;
}

export async function follow({ then, input, first, json, session }: Following): Promise<ExitCode> {
  const place = { root: input['root'], study: input['study'] };
  const watched = await watchFeed(then.watch as FeedName, place, { session, mode: json ? 'silent' : 'text' });
  if (!watched.result.ok) {
    if (watched.detached !== null) writeDetached(session.terminal, watched.detached);
    if (watched.detached === null || json) writeFailure(session.terminal, watched.result, json);
    return watched.exitCode;
  }
  const shown = await session.transport.call(then.show, place, { signal: session.signal });
  // A verdict that cannot be shown is no success, whatever the campaign said when it ended.
  if (!shown.ok && watched.exitCode === exitCodes.ok) return writeFailure(session.terminal, shown, json);
  if (json) {
    writeJson(session.terminal, { ok: true, output: { run: first, end: watched.result.output.last ?? watched.result.output.snapshot, report: shown.ok ? shown.output : null } });
  } else if (shown.ok) {
    writeLines(session.terminal, presentOutput(then.show as ToolName, shown.output, session.look).lines);
  } else {
    const failed = writeFailure(session.terminal, shown, false);
    return watched.exitCode === exitCodes.ok ? failed : watched.exitCode;
  }
  return watched.exitCode;
}

// Runs one feed from the command line: lines as they come, a status line on a screen, JSON on request. Imported by argv.ts and follow.ts.
import { decodeFrame } from '../../../src-protocol/client.ts';
import type { FeedName } from '../../../src-protocol/index.ts';
import type { Frame } from '../../../src-protocol/frame.ts';
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import type { Feed } from '../../../src-protocol/tool.ts';
import { feedPresenters } from '../present/all.ts';
import { printableValue } from '../present/look.ts';
import { detachedRefusal, writeDetached } from './detached.ts';
import type { Detached } from './detached.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { writeFailure, writeJson } from './output.ts';
import type { Session } from './session.ts';
import { makeStatusLine } from './status-line.ts';
import type { Words } from './words.ts';

export async function runFeed(feed: Feed, input: Readonly<Record<string, unknown>>, given: { readonly session: Session; readonly words: Words }): Promise<ExitCode> {
  const { session, words } = given;
  const mode = words.jsonl ? 'jsonl' : words.json ? 'silent' : 'text';
  const watched = await watchFeed(feed.name as FeedName, input, { session, mode });
  if (mode === 'silent' && watched.result.ok) writeJson(session.terminal, watched.result);
  if (mode === 'text' && watched.detached !== null) writeDetached(session.terminal, watched.detached);
  else if (mode !== 'jsonl' && !watched.result.ok) writeFailure(session.terminal, watched.result, words.json);
  return watched.exitCode;
}

export interface Watched {
  readonly exitCode: ExitCode;
  /** The first snapshot, the last change and how many changes came; or why it did not end by itself. */
  /** Somebody stopped watching what goes on without them; null otherwise. */
  readonly detached: Detached | null;
  readonly result: Result<{ readonly snapshot: unknown; readonly last: unknown; readonly changes: number }>;
}

/** `text` writes lines, `jsonl` each frame as a line of JSON, `silent` nothing. */
export async function watchFeed(
  name: FeedName,
  input: Readonly<Record<string, unknown>>,
  { session, mode }: { readonly session: Session; readonly mode: 'text' | 'jsonl' | 'silent' },
): Promise<Watched> {
  const { terminal, signal } = session;
  const view = feedPresenters[name](session.look);
  const status = makeStatusLine(terminal, mode === 'text');
  let snapshot: unknown = null;
  let last: unknown = null;
  let changes = 0;
  for await (const frame of session.transport.open(name, input, { signal })) {
    if (mode === 'jsonl') terminal.out(`${JSON.stringify(frame)}\n`);
    if (frame.kind === 'end') {
      status.clear();
      const exitCode = endCode(frame, view.exitCode());
      const what = exitCode === exitCodes.interrupted ? view.goesOn() : null;
      if (what === null) return { exitCode, detached: null, result: endResult(frame, { snapshot, last, changes }) };
      const detached = { what, root: input['root'], study: input['study'] };
      return { exitCode, detached, result: { ok: false, refusal: detachedRefusal(detached) } };
    }
    if (frame.kind === 'snapshot') ({ snapshot } = frame);
    else {
      last = frame.change;
      changes = frame.seq;
    }
    status.write(linesOf(decodeFrame(name, printableFrame(frame)), view), view.statusLine);
  }
  status.clear();
  return { exitCode: exitCodes.interrupted, detached: null, result: { ok: false, refusal: makeRefusal('cancelled', `${name} was closed`) } };
}

function linesOf(frame: ReturnType<typeof decodeFrame>, view: ReturnType<(typeof feedPresenters)[FeedName]>): readonly string[] {
  switch (frame.kind) {
    case 'snapshot':
      return view.snapshot(frame.snapshot);
    case 'change':
      return view.change(frame.change);
    case 'end':
      return [];
  }
}

function printableFrame(frame: Frame): Frame {
  return printableValue(frame) as Frame;
}

function endCode(frame: Extract<Frame, { kind: 'end' }>, whenComplete: ExitCode): ExitCode {
  if (frame.fault !== undefined) return exitCodes.fault;
  if (frame.refusal === undefined) return whenComplete;
  return frame.refusal.code === 'cancelled' ? exitCodes.interrupted : exitCodes.refusal;
}

function endResult<Output>(frame: Extract<Frame, { kind: 'end' }>, output: Output): Result<Output> {
  if (frame.fault !== undefined) return { ok: false, fault: frame.fault };
  if (frame.refusal !== undefined) return { ok: false, refusal: frame.refusal };
  return { ok: true, output };
}

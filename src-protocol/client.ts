// makeClient(transport): the typed caller that every screen, door and test uses. Anyone may import it.
import { feeds, tools } from './index.ts';
import type { ChangeOf, FeedInputOf, FeedName, InputOf, OutputOf, SnapshotOf, ToolName } from './index.ts';
import type { Frame } from './frame.ts';
import type { Result } from './refusal.ts';

/** The part of an AbortSignal that is needed here; this folder knows neither Node nor the DOM. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface CallOptions {
  readonly signal?: CancelSignal;
}

/** Carries names and JSON values; knows no tool. Values are in wire form (number.ts), in both directions. */
export interface Transport {
  call(name: string, input: unknown, options?: CallOptions): Promise<Result<unknown>>;
  /** Frames are pulled: a reader that does not ask gets nothing. Ending the iteration or aborting closes the feed. */
  open(name: string, input: unknown, options?: CallOptions): AsyncIterable<Frame>;
}

export interface Client {
  call<Name extends ToolName>(name: Name, input: InputOf<Name>, options?: CallOptions): Promise<Result<OutputOf<Name>>>;
  open<Name extends FeedName>(name: Name, input: FeedInputOf<Name>, options?: CallOptions): AsyncIterable<Frame<SnapshotOf<Name>, ChangeOf<Name>>>;
}

export function makeClient(transport: Transport): Client {
  return {
    async call(name, input, options) {
      const result = await transport.call(name, input, options);
      return result.ok ? { ok: true, output: decodeOutput(name, result.output) } : result;
    },
    async *open(name, input, options) {
      for await (const frame of transport.open(name, input, options)) yield decodeFrame(name, frame);
    },
  };
}

/** Parses an output received in wire form. Throws a ZodError: the other end is of another version. */
export function decodeOutput<Name extends ToolName>(name: Name, wire: unknown): OutputOf<Name> {
  const declared = tools.find((tool) => tool.name === name);
  if (declared === undefined) throw new Error(`no tool is called ${name}`);
  return declared.output.parse(wire) as OutputOf<Name>;
}

export function decodeFrame<Name extends FeedName>(name: Name, frame: Frame): Frame<SnapshotOf<Name>, ChangeOf<Name>> {
  const declared = feeds.find((feed) => feed.name === name);
  if (declared === undefined) throw new Error(`no feed is called ${name}`);
  switch (frame.kind) {
    case 'snapshot':
      return { ...frame, snapshot: declared.snapshot.parse(frame.snapshot) as SnapshotOf<Name> };
    case 'change':
      return { ...frame, change: declared.change.parse(frame.change) as ChangeOf<Name> };
    case 'end':
      return frame;
  }
}

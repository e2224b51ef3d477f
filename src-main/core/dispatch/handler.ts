// What a handler is: the functions that rooms of the core export and dispatch runs. Rooms may import this file alone of this folder.
import type { z } from 'zod';
import type { Caller } from '../../../src-protocol/caller.ts';
import type { ChangeOf, FeedName, OutputOf, ParsedFeedInputOf, ParsedInputOf, SnapshotOf, ToolName } from '../../../src-protocol/index.ts';
import type { Feed, Tool } from '../../../src-protocol/tool.ts';
import type { Ports } from '../../ports.ts';

export interface HandlerContext {
  readonly caller: Caller;
  readonly ports: Ports;
  /** Aborts when the caller goes away or the program shuts down; long work listens to it. */
  readonly signal: AbortSignal;
}

/** Runs a tool. Throws RefusalError (one of the declared codes) for an expected no; anything else thrown is a fault. */
export type Handler<Name extends ToolName> = (input: ParsedInputOf<Name>, context: HandlerContext) => Promise<OutputOf<Name>>;

/**
 * Opens a feed. `changes` is pulled: dispatch asks for the next change when the reader has taken the last one, so a slow
 * reader costs no memory. Between two pulls a handler keeps a position (a file offset), not a queue. It ends when there
 * is nothing more to tell, and stops waiting when `context.signal` aborts.
 */
export type FeedHandler<Name extends FeedName> = (input: ParsedFeedInputOf<Name>, context: HandlerContext) => Promise<OpenFeed<SnapshotOf<Name>, ChangeOf<Name>>>;

export interface OpenFeed<Snapshot, Change> {
  readonly snapshot: Snapshot;
  readonly changes: AsyncIterable<Change>;
}

export interface ApprovalQuestion {
  readonly root: string;
  readonly study: string;
  /** The tool that asks: starting a campaign needs more to be unchanged than steering a running one. */
  readonly tool: string;
}

/** Throws RefusalError (not_approved, approval_lapsed, ...) when the study may not spend. */
export type RequireApproval = (question: ApprovalQuestion) => Promise<{ readonly agentsMayStart: boolean }>;

/** One handler for each tool; a missing one does not compile. */
export type Handlers = { readonly [Name in ToolName]: Handler<Name> };
export type FeedHandlers = { readonly [Name in FeedName]: FeedHandler<Name> };

/** The same for any list of declarations, as tests make them. */
export type HandlersFor<List extends readonly Tool[]> = {
  readonly [One in List[number] as One['name']]: (input: z.output<One['input']>, context: HandlerContext) => Promise<z.output<One['output']>>;
};
export type FeedHandlersFor<List extends readonly Feed[]> = {
  readonly [One in List[number] as One['name']]: (
    input: z.output<One['input']>,
    context: HandlerContext,
  ) => Promise<OpenFeed<z.output<One['snapshot']>, z.output<One['change']>>>;
};

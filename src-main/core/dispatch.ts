// Runs every call of every door: find, parse, permit, run, parse, record. Takes handlers and imports no room; imported by doors and workbench.ts.
import type { Caller } from '../../src-protocol/caller.ts';
import type { CallOptions } from '../../src-protocol/client.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import { makeRefusal, RefusalError } from '../../src-protocol/refusal.ts';
import type { Refusal, Result } from '../../src-protocol/refusal.ts';
import { effectOf, refusalsOf } from '../../src-protocol/tool.ts';
import type { Effect, Feed, Tool } from '../../src-protocol/tool.ts';
import type { Ports } from '../ports.ts';
import { toFailure, toFault } from './dispatch/failure.ts';
import type { Failure, FailureFacts } from './dispatch/failure.ts';
import { feedFrames } from './dispatch/feed-frames.ts';
import type { ApprovalQuestion, FeedHandlersFor, HandlerContext, HandlersFor, OpenFeed, RequireApproval } from './dispatch/handler.ts';
import { parseInput } from './dispatch/input.ts';
import { linkSignals } from './dispatch/linked-signal.ts';
import { permit } from './dispatch/permission.ts';
import { toWireValue } from './dispatch/wire.ts';

/** Both methods give values in wire form and never throw. A door adds the caller; nobody else can. */
export interface Dispatch {
  call(name: string, input: unknown, caller: Caller, options?: CallOptions): Promise<Result<unknown>>;
  open(name: string, input: unknown, caller: Caller, options?: CallOptions): AsyncIterableIterator<Frame>;
}

export type { ApprovalQuestion, RequireApproval };

export interface DispatchParts<Tools extends readonly Tool[], Feeds extends readonly Feed[]> {
  readonly tools: Tools;
  readonly feeds: Feeds;
  readonly handlers: HandlersFor<Tools>;
  readonly feedHandlers: FeedHandlersFor<Feeds>;
  readonly requireApproval: RequireApproval;
  readonly ports: Ports;
  /** Aborts when the program shuts down. */
  readonly signal?: AbortSignal;
}

type AnyHandler = (input: unknown, context: HandlerContext) => Promise<unknown>;
type AnyFeedHandler = (input: unknown, context: HandlerContext) => Promise<OpenFeed<unknown, unknown>>;

export function makeDispatch<const Tools extends readonly Tool[], const Feeds extends readonly Feed[]>(parts: DispatchParts<Tools, Feeds>): Dispatch {
  const { ports, requireApproval } = parts;
  const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  const feeds = new Map(parts.feeds.map((feed) => [feed.name, feed]));
  const handlers = new Map(Object.entries(parts.handlers as Readonly<Record<string, AnyHandler>>));
  const feedHandlers = new Map(Object.entries(parts.feedHandlers as Readonly<Record<string, AnyFeedHandler>>));

  async function call(name: string, input: unknown, caller: Caller, options: CallOptions = {}): Promise<Result<unknown>> {
    const startedMs = ports.clock.monotonicMs();
    const tool = tools.get(name);
    const handler = handlers.get(name);
    if (tool === undefined || handler === undefined) return { ok: false, refusal: unknownTool(name) };
    const link = linkSignals([options.signal, parts.signal]);
    const result = await runTool(tool, handler, { input, caller, signal: link.controller.signal });
    link.unlink();
    record('call', { tool: name, caller, effect: tool.effect, startedMs, failure: result.ok ? null : result });
    return result;
  }

  async function runTool(tool: Tool, handler: AnyHandler, given: { readonly input: unknown; readonly caller: Caller; readonly signal: AbortSignal }): Promise<Result<unknown>> {
    const { caller, signal } = given;
    const parsed = parseInput(tool.input, given.input);
    if (!parsed.ok) return parsed;
    const facts = (): FailureFacts => ({ tool: tool.name, declared: refusalsOf(tool), isCancelled: signal.aborted, input: parsed.input });
    let output: unknown;
    try {
      await requirePermission(tool, parsed.input, caller);
      output = await handler(parsed.input, { caller, ports, signal });
    } catch (thrown) {
      return toFailure(thrown, facts(), ports.log);
    }
    try {
      return { ok: true, output: encode(tool.output, output) };
    } catch (thrown) {
      return toFault(thrown, tool.name, ports.log);
    }
  }

  /** Throws RefusalError when this caller may not make this call. */
  async function requirePermission(tool: Tool, input: Readonly<Record<string, unknown>>, caller: Caller): Promise<void> {
    const about = tool.about === null ? null : textOf(input[tool.about]);
    const permission = permit(effectOf(tool, input), caller, about);
    if (permission.is === 'allowed') return;
    if (permission.is === 'refused') throw new RefusalError(permission.refusal);
    const approval = await requireApproval({ root: textOf(input['root']) ?? '', study: about ?? '', tool: tool.name });
    if (permission.agentsMustBeNamed && !approval.agentsMayStart) {
      throw new RefusalError(makeRefusal('needs_person', `the approval of ${about ?? 'this study'} does not let agents start it`));
    }
  }

  function open(name: string, input: unknown, caller: Caller, options: CallOptions = {}): AsyncIterableIterator<Frame> {
    const startedMs = ports.clock.monotonicMs();
    const feed = feeds.get(name);
    const handler = feedHandlers.get(name);
    const { controller, unlink } = linkSignals([options.signal, parts.signal]);
    // `controller` also aborts when a feed ends by itself, so only these two tell a cancelled feed.
    let asked: FailureFacts['input'] = {};
    const isCancelled = (): boolean => options.signal?.aborted === true || parts.signal?.aborted === true;
    return feedFrames({
      controller,
      async open() {
        if (feed === undefined || handler === undefined) throw new RefusalError(unknownTool(name));
        const parsed = parseInput(feed.input, input);
        if (!parsed.ok) throw new RefusalError(parsed.refusal);
        asked = parsed.input;
        const opened = await handler(parsed.input, { caller, ports, signal: controller.signal });
        return { snapshot: encode(feed.snapshot, opened.snapshot), changes: opened.changes[Symbol.asyncIterator]() };
      },
      encodeChange: (change) => (feed === undefined ? change : encode(feed.change, change)),
      toFailure(thrown) {
        const declared = feed === undefined ? new Set(['unknown_tool'] as const) : refusalsOf(feed);
        return toFailure(thrown, { tool: name, declared, isCancelled: isCancelled(), input: asked }, ports.log);
      },
      onEnd(failure) {
        unlink();
        record('feed', { tool: name, caller, effect: 'read', startedMs, failure });
      },
    });
  }

  /** One line for each call; inputs and outputs stay out of the log. */
  function record(
    what: 'call' | 'feed',
    facts: { readonly tool: string; readonly caller: Caller; readonly effect: Effect; readonly startedMs: number; readonly failure: Failure | null },
  ): void {
    const { failure } = facts;
    const outcome = failure === null ? 'ok' : 'refusal' in failure ? failure.refusal.code : `fault ${failure.fault.id}`;
    const ms = Math.round(ports.clock.monotonicMs() - facts.startedMs);
    ports.log.info(what, { tool: facts.tool, effect: facts.effect, caller: facts.caller.kind, by: facts.caller.by, outcome, ms });
  }

  return { call, open };
}

function unknownTool(name: string): Refusal {
  return makeRefusal('unknown_tool', `there is no tool called ${JSON.stringify(name)}`);
}

/** The wire form, checked against the schema: what leaves a handler is parsed like what enters it. */
function encode(schema: Tool['output'], value: unknown): unknown {
  const wire = toWireValue(value);
  schema.parse(wire);
  return wire;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

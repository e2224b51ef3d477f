// A dispatch over the real list of tools with recorded handlers: what every door is tried against.
import type { Caller } from '../../../src-protocol/caller.ts';
import { feeds, tools } from '../../../src-protocol/index.ts';
import type { FeedName, ToolName } from '../../../src-protocol/index.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { makeDispatch } from '../../../src-main/core/dispatch.ts';
import type { ApprovalQuestion, Dispatch } from '../../../src-main/core/dispatch.ts';
import type { FeedHandlers, HandlerContext, Handlers } from '../../../src-main/core/dispatch/handler.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';
import type { FakePorts } from '../../fakes/fake-ports.ts';
import { sampleChanges, sampleOutputs, sampleSnapshots } from './samples.ts';

export interface Run {
  readonly name: ToolName | FeedName;
  readonly input: unknown;
  readonly caller: Caller;
}

export interface Scene {
  readonly dispatch: Dispatch;
  readonly ports: FakePorts;
  /** Every handler that ran, in order. */
  readonly runs: Run[];
  readonly approvalQuestions: ApprovalQuestion[];
  /** What the room that keeps approvals says. */
  approval: 'none' | 'for people' | 'for agents too';
  /** Instead of the sample output. */
  readonly answers: Map<ToolName, (context: HandlerContext) => unknown>;
  /** Instead of the sample changes. */
  changes: (context: HandlerContext) => AsyncIterable<unknown>;
  /** How many changes were pulled from feeds, and how many feeds were told to stop. */
  pulled: number;
  stopped: number;
  shutdown(): void;
}

export function makeScene(): Scene {
  const ports = makeFakePorts();
  const life = new AbortController();
  const scene: Scene = {
    dispatch: makeDispatch({
      tools,
      feeds,
      handlers: Object.fromEntries(tools.map((tool) => [tool.name, handlerOf(tool.name)])) as unknown as Handlers,
      feedHandlers: Object.fromEntries(feeds.map((feed) => [feed.name, feedHandlerOf(feed.name)])) as unknown as FeedHandlers,
      requireApproval,
      ports,
      signal: life.signal,
    }),
    ports,
    runs: [],
    approvalQuestions: [],
    approval: 'for agents too',
    answers: new Map(),
    changes: () => replay(sampleChanges.campaign_watch),
    pulled: 0,
    stopped: 0,
    shutdown: () => life.abort(),
  };
  return scene;

  function handlerOf(name: ToolName) {
    return async (input: unknown, context: HandlerContext): Promise<unknown> => {
      scene.runs.push({ name, input, caller: context.caller });
      return scene.answers.get(name)?.(context) ?? sampleOutputs[name];
    };
  }

  function feedHandlerOf(name: FeedName) {
    return async (input: unknown, context: HandlerContext) => {
      scene.runs.push({ name, input, caller: context.caller });
      context.signal.addEventListener('abort', () => (scene.stopped += 1));
      return { snapshot: sampleSnapshots[name], changes: counted(scene.changes(context)) };
    };
  }

  async function* counted(changes: AsyncIterable<unknown>): AsyncGenerator {
    for await (const change of changes) {
      scene.pulled += 1;
      yield change;
    }
  }

  async function requireApproval(question: ApprovalQuestion) {
    scene.approvalQuestions.push(question);
    if (scene.approval === 'none') throw new RefusalError(makeRefusal('not_approved', `${question.study} is not approved`));
    return { agentsMayStart: scene.approval === 'for agents too' };
  }
}

export async function* replay(changes: readonly unknown[]): AsyncGenerator {
  yield* changes;
}

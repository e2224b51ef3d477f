// Made-up tools of every effect and a dispatch over them. Used by the dispatch tests.
import { z } from 'zod';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { feed, tool } from '../../../src-protocol/tool.ts';
import { makeDispatch } from '../../../src-main/core/dispatch.ts';
import type { Dispatch } from '../../../src-main/core/dispatch.ts';
import type { HandlerContext } from '../../../src-main/core/dispatch/handler.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';
import type { FakePorts } from '../../fakes/fake-ports.ts';

const parts = { title: 'A made-up tool', use: 'For tests.', refusals: ['not_found', 'unwritable'] as const, output: z.strictObject({ value: z.unknown() }) };
const place = { root: z.string(), study: z.string() };

export const madeUpTools = [
  tool({ ...parts, name: 'see_it', effect: 'read', input: z.strictObject({ text: z.string().optional(), count: z.number().default(3) }), cli: { path: ['see'] } }),
  tool({ ...parts, name: 'write_it', effect: 'write', input: z.strictObject({}), cli: { path: ['write'] } }),
  tool({ ...parts, name: 'spend_it', effect: 'spend', about: 'study', input: z.strictObject(place), cli: { path: ['spend'] } }),
  tool({ ...parts, name: 'approve_it', effect: 'approve', about: 'study', input: z.strictObject(place), cli: { path: ['approve'] } }),
  tool({ ...parts, name: 'destroy_it', effect: 'destroy', about: 'study', input: z.strictObject(place), cli: { path: ['destroy'] } }),
  tool({ ...parts, name: 'raise_it', effect: 'read', raisedBy: 'more', about: 'study', input: z.strictObject({ ...place, more: z.number().optional() }), cli: { path: ['raise'] } }),
] as const;

export const madeUpFeeds = [
  feed({ name: 'watch_it', title: 'A made-up feed', use: 'For tests.', input: z.strictObject({}), snapshot: z.number(), change: z.strictObject({ n: z.number() }), refusals: ['not_found'], cli: { path: ['watch'] } }),
] as const;

export type MadeUpName = (typeof madeUpTools)[number]['name'];

export interface MadeUp {
  readonly dispatch: Dispatch;
  readonly ports: FakePorts;
  readonly runs: { readonly name: MadeUpName; readonly input: unknown }[];
  readonly questions: unknown[];
  /** Runs in place of every handler. */
  answer: (context: HandlerContext) => unknown;
  feed: (context: HandlerContext) => Promise<{ readonly snapshot: number; readonly changes: AsyncIterable<{ n: number }> }>;
  approval: 'none' | 'for people' | 'for agents too';
  shutdown(): void;
}

export function makeMadeUp(): MadeUp {
  const ports = makeFakePorts();
  const life = new AbortController();
  const handler = (name: MadeUpName) => async (input: unknown, context: HandlerContext) => {
    madeUp.runs.push({ name, input });
    return { value: (await madeUp.answer(context)) ?? null };
  };
  const madeUp: MadeUp = {
    dispatch: makeDispatch({
      tools: madeUpTools,
      feeds: madeUpFeeds,
      handlers: {
        see_it: handler('see_it'),
        write_it: handler('write_it'),
        spend_it: handler('spend_it'),
        approve_it: handler('approve_it'),
        destroy_it: handler('destroy_it'),
        raise_it: handler('raise_it'),
      },
      feedHandlers: { watch_it: (_input: unknown, context: HandlerContext) => madeUp.feed(context) },
      requireApproval(question) {
        madeUp.questions.push(question);
        if (madeUp.approval === 'none') throw new RefusalError(makeRefusal('not_approved', 'no'));
        return Promise.resolve({ agentsMayStart: madeUp.approval === 'for agents too' });
      },
      ports,
      signal: life.signal,
    }),
    ports,
    runs: [],
    questions: [],
    answer: () => 1,
    feed: () => Promise.resolve({ snapshot: 0, changes: countTo(3) }),
    approval: 'for agents too',
    shutdown: () => life.abort(),
  };
  return madeUp;
}

export async function* countTo(last: number): AsyncGenerator<{ n: number }> {
  for (let n = 1; n <= last; n += 1) yield { n };
}

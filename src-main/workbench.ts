// The composition root: ports in, {dispatch, shutdown} out. Imported by the entries and by tests.
import { setMaxListeners } from 'node:events';
import { feeds, tools } from '../src-protocol/index.ts';
import { makeDispatch } from './core/dispatch.ts';
import type { Dispatch, RequireApproval } from './core/dispatch.ts';
import type { FeedHandlers, Handlers } from './core/dispatch/handler.ts';
import { feedHandlers, handlers, makeRequireApproval } from './handlers.ts';
import type { Ports } from './ports.ts';

export interface Workbench {
  readonly dispatch: Dispatch;
  /** Aborts every call and feed in flight. Campaigns run in processes of their own and go on. */
  shutdown(): void;
}

export interface WorkbenchRooms {
  readonly handlers: Handlers;
  readonly feedHandlers: FeedHandlers;
  readonly requireApproval: RequireApproval;
}

export function makeWorkbench(ports: Ports, rooms: WorkbenchRooms = { handlers, feedHandlers, requireApproval: makeRequireApproval(ports) }): Workbench {
  const life = new AbortController();
  setMaxListeners(0, life.signal); // every call and feed in flight listens
  return {
    dispatch: makeDispatch({ tools, feeds, ...rooms, ports, signal: life.signal }),
    shutdown: () => life.abort(),
  };
}

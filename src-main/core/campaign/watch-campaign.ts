// The feed campaign_watch: the events of a campaign as they are written, and its state in between. It keeps a position in
// events.jsonl and nothing else. Imported by the workbench.
import type { EventLine } from '../../../src-protocol/files/event.ts';
import type { ChangeOf } from '../../../src-protocol/index.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import type { FeedHandler } from '../dispatch/handler.ts';
import { runPaths } from '../workspace/layout.ts';
import { readEvents } from './event-log.ts';
import { readStatus, requireStudy } from './read-campaign.ts';

const shownAtFirst = 200;
const pollMs = 250;
const statusMs = 500;

export const campaignWatch: FeedHandler<'campaign_watch'> = async ({ root, study }, { ports, signal }) => {
  await requireStudy(ports, root, study);
  const status = await readStatus(ports, root, study);
  if (status.state === 'none') refuse('nothing_running', `The campaign of ${study} never ran.`);
  const { events } = await readEvents(ports.files, runPaths(root, study).events);
  const isLive = status.state === 'running' || status.state === 'paused';
  return {
    snapshot: { status, events: events.slice(-shownAtFirst) },
    changes: isLive ? follow({ ports, root, study, signal, from: events.length }) : nothing(),
  };
};

interface FollowOptions {
  readonly ports: Ports;
  readonly root: string;
  readonly study: string;
  readonly signal: AbortSignal;
  /** Events that the snapshot held. */
  readonly from: number;
}

async function* follow({ ports, root, study, signal, from }: FollowOptions): AsyncGenerator<ChangeOf<'campaign_watch'>> {
  const path = runPaths(root, study).events;
  let position = from;
  let sizeBytes = -1;
  let told = '';
  let toldAt = -Infinity;
  while (!signal.aborted) {
    const status = await readStatus(ports, root, study);
    const size = (await ports.files.stat(path))?.sizeBytes ?? 0;
    if (size !== sizeBytes) {
      sizeBytes = size;
      const fresh: readonly EventLine[] = (await readEvents(ports.files, path, position)).events;
      position += fresh.length;
      for (const line of fresh) yield { kind: 'event', line };
    }
    const isLive = status.state === 'running' || status.state === 'paused';
    const text = JSON.stringify(status);
    if (!isLive || (text !== told && ports.clock.monotonicMs() - toldAt >= statusMs)) {
      told = text;
      toldAt = ports.clock.monotonicMs();
      yield { kind: 'status', status };
    }
    if (!isLive) return;
    try {
      await ports.clock.sleep(pollMs, signal);
    } catch {
      return; // the reader went away
    }
  }
}

async function* nothing(): AsyncGenerator<never> {
  // a campaign that ended has nothing more to tell
}

// The slice of the watched campaign, fed by the feed campaign_watch; `apply` is its only writer. Imported by store.ts and tests.
import type { StateCreator } from 'zustand/vanilla';
import type { CampaignStatusView } from '../../src-protocol/campaign.ts';
import type { Client } from '../../src-protocol/client.ts';
import type { EventLine } from '../../src-protocol/files/event.ts';
import type { Frame } from '../../src-protocol/frame.ts';
import type { ChangeOf, SnapshotOf } from '../../src-protocol/index.ts';
import { followFeed } from './follow-feed.ts';
import { troubleOf } from './trouble.ts';
import type { Trouble } from './trouble.ts';

const mostEvents = 200;

export interface WatchedCampaign {
  readonly study: string;
  /** `opening`: nothing is known yet; `live`: following; `broken`: opening again soon; `over`: nothing more will come. */
  readonly feed: 'opening' | 'live' | 'broken' | 'over';
  readonly status: CampaignStatusView | null;
  /** Oldest first; the last ones only. */
  readonly events: readonly EventLine[];
  /** Why there is nothing to follow; `nothing_running` for a campaign that never ran. */
  readonly trouble: Trouble | null;
}

export interface CampaignSlice {
  readonly campaign: WatchedCampaign | null;
  /** Follows one campaign in place of the one before, until `stop` is called. `onOver` runs when a campaign that was live has ended. */
  watchCampaign(about: { readonly root: string; readonly study: string }, onOver?: () => void): () => void;
}

export type WatchFrame = Frame<SnapshotOf<'campaign_watch'>, ChangeOf<'campaign_watch'>>;

export function makeCampaignSlice(client: Client): StateCreator<CampaignSlice> {
  return (set, get) => ({
    campaign: null,
    watchCampaign({ root, study }, onOver) {
      const controller = new AbortController();
      const { signal } = controller;
      /** What a watch that was stopped still says is not written. */
      const write = (change: (campaign: WatchedCampaign) => WatchedCampaign): void => {
        const { campaign } = get();
        if (!signal.aborted && campaign !== null) set({ campaign: change(campaign) });
      };
      set({ campaign: { study, feed: 'opening', status: null, events: [], trouble: null } });
      void followFeed({
        client,
        name: 'campaign_watch',
        input: { root, study },
        signal,
        onFrame(frame) {
          write((campaign) => apply(campaign, frame));
          if (frame.kind === 'end' && frame.seq > 1 && !signal.aborted) onOver?.();
        },
        onBroken: () => write((campaign) => ({ ...campaign, feed: 'broken' })),
      });
      return () => controller.abort();
    },
  });
}

export function apply(campaign: WatchedCampaign, frame: WatchFrame): WatchedCampaign {
  switch (frame.kind) {
    case 'snapshot':
      return { ...campaign, feed: 'live', status: frame.snapshot.status, events: frame.snapshot.events.slice(-mostEvents), trouble: null };
    case 'change':
      return frame.change.kind === 'status' ? { ...campaign, status: frame.change.status } : { ...campaign, events: [...campaign.events, frame.change.line].slice(-mostEvents) };
    case 'end':
      return { ...campaign, feed: 'over', trouble: troubleOf(frame) };
  }
}

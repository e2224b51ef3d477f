// How a campaign reads while it is watched: a line for each event, and on a screen one status line below them.
import type { CampaignState } from '../../../src-protocol/repository.ts';
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import type { CampaignEvent, EventLine } from '../../../src-protocol/files/event.ts';
import { exitCodes } from '../argv/exit-codes.ts';
import type { ExitCode } from '../argv/exit-codes.ts';
import { eventText } from './event.ts';
import { liveLine } from './live-line.ts';
import type { Look } from './look.ts';
import type { FeedPresenters } from './presenter.ts';
import { clockText, durationText } from './words.ts';

/** How much history is shown to somebody who comes late. */
const shownHistory = 10;

export const campaignWatch: FeedPresenters['campaign_watch'] = (look) => {
  let status: CampaignStatusView | null = null;
  let endedAs: CampaignState | null = null;
  const extra = makeExtraEnd();
  return {
    snapshot(snapshot) {
      ({ status } = snapshot);
      for (const { event } of snapshot.events) extra.see(event);
      endedAs = isLive(status.state) ? null : status.state;
      if (endedAs !== null) return [];
      const hidden = Math.max(0, snapshot.events.length - shownHistory);
      const earlier = hidden === 0 ? [] : [look.dim(`(${hidden} earlier events are in events.jsonl)`)];
      return [...earlier, ...snapshot.events.slice(hidden).map((line) => eventLine(line, look))];
    },
    change(change) {
      if (change.kind === 'status') {
        ({ status } = change);
        endedAs = isLive(status.state) ? null : status.state;
        return [];
      }
      extra.see(change.line.event);
      if (change.line.event.kind === 'campaign_ended') endedAs = change.line.event.status;
      return [eventLine(change.line, look)];
    },
    statusLine: (columns) => (status === null || endedAs !== null ? '' : liveLine(status, columns)),
    goesOn: () => (status === null || endedAs !== null ? null : status.stage === 'extra' ? 'the extra trial' : 'the campaign'),
    exitCode: () => (extra.isDone() ? exitCodes.ok : exitCodeOfState(endedAs)),
  };
};

/** A process that ran an extra trial leaves the campaign as it stood: its own end is what was watched for. */
function makeExtraEnd(): { see(event: CampaignEvent): void; isDone(): boolean } {
  let isDone = false;
  return {
    see(event) {
      if (event.kind === 'campaign_started') isDone = false;
      if (event.kind === 'trial_ended' && event.trial.stage === 'extra') isDone = event.status === 'completed' || event.status === 'plateau';
    },
    isDone: () => isDone,
  };
}

function exitCodeOfState(endedAs: CampaignState | null): ExitCode {
  return endedAs === 'completed' ? exitCodes.ok : exitCodes.notCompleted;
}

function isLive(state: CampaignState): boolean {
  return state === 'running' || state === 'paused';
}

/** `  1:23  done   screen  epochs8 s42  score 187.3  (ETA 2 min 10 s)` */
function eventLine(line: EventLine, look: Look): string {
  const isProgress = line.event.kind === 'trial_ended' || line.event.kind === 'stage_started';
  const eta = isProgress && line.eta_s !== null ? look.dim(`  (ETA ${durationText(line.eta_s)})`) : '';
  return `${look.dim(clockText(line.mono_ms).padStart(7))}  ${eventText(line.event, look)}${eta}`;
}

// The campaign of the shown study, live. Imported by overview.tsx.
import { usePage } from '../../state/store.ts';
import { Badge } from '../../ui/badge.tsx';
import { CampaignProgress } from './campaign-progress.tsx';
import { EventList } from './event-list.tsx';
import { RunningTrials } from './running-trials.tsx';
import { TroubleNotice } from './trouble-notice.tsx';
import { campaignWords, isLive } from './words.ts';
import { VerdictCard } from './verdict-card.tsx';

export function CampaignPanel({ study, onRetry }: { readonly study: string; onRetry(): void }) {
  const campaign = usePage((state) => state.campaign);
  if (campaign === null || campaign.study !== study || (campaign.status === null && campaign.trouble === null)) {
    return <p className="quiet panel">{campaign?.feed === 'broken' ? 'The campaign cannot be read now; trying again…' : 'Reading the campaign…'}</p>;
  }
  const { status, events, feed, trouble } = campaign;
  if (status === null) {
    if (trouble?.is === 'refusal' && trouble.refusal.code === 'nothing_running') return <NeverRan study={study} />;
    return trouble === null ? null : <TroubleNotice title={`The campaign of ${study} cannot be shown`} trouble={trouble} onRetry={onRetry} />;
  }
  return (
    <div className="campaign">
      {status.verdict === null ? null : <VerdictCard verdict={status.verdict} />}
      <section className="panel" aria-labelledby="campaign-title">
        <h2 id="campaign-title">
          Campaign of {study} <Badge tone={campaignWords[status.state].tone}>{campaignWords[status.state].word}</Badge>
          {feed === 'broken' ? <Badge tone="warn">connection lost, trying again</Badge> : null}
        </h2>
        {status.text === status.verdict?.headline ? null : <p>{status.text}</p>}
        <CampaignProgress status={status} />
        {isLive(status.state) ? <RunningTrials trials={status.running} /> : null}
      </section>
      {trouble === null ? null : <TroubleNotice title="The live view ended early" trouble={trouble} onRetry={onRetry} />}
      <EventList events={events} />
    </div>
  );
}

function NeverRan({ study }: { readonly study: string }) {
  return (
    <section className="panel empty">
      <h2>The campaign of {study} never ran</h2>
      <p className="quiet">
        Its stages, running trials and verdict will be shown here, live. Start it in a terminal with <code className="command">{`rlxp campaign run ${study}`}</code>; nothing starts that a person did not approve.
      </p>
    </section>
  );
}

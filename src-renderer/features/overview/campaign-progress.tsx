// How far a campaign is: trials, time left, budget. Imported by campaign-panel.tsx.
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import { Meter } from '../../ui/meter.tsx';
import { durationText } from '../../ui/numbers.ts';
import { isLive } from './words.ts';

export function CampaignProgress({ status }: { readonly status: CampaignStatusView }) {
  const { trials_done: done, trials_planned: planned, budget_s: budgetS, babysitter } = status;
  return (
    <>
      <Meter label="Trials done" done={done} whole={planned} />
      <dl className="facts">
        <Fact name="Trials" value={`${done} of ${planned}`} />
        {status.stage === null ? null : <Fact name="Stage" value={status.stage.replaceAll('_', ' ')} />}
        {isLive(status.state) ? <Fact name="Time left" value={status.eta_s === null ? 'not known yet' : `about ${durationText(status.eta_s)}`} /> : null}
        <Fact name="Device time spent" value={`${durationText(status.spent_s)}${budgetS === null ? '' : ` of ${durationText(budgetS)}`}`} />
        {babysitter === null || babysitter.text === '' ? null : <Fact name="Process" value={babysitter.text} />}
        {isLive(status.state) ? <Fact name="Kept for verify" value={durationText(status.reserved_s)} /> : null}
      </dl>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

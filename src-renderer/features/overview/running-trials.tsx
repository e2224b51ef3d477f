// The trials that train or are evaluated now. Imported by campaign-panel.tsx.
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import { Meter } from '../../ui/meter.tsx';
import { numberText } from '../../ui/numbers.ts';

export function RunningTrials({ trials }: { readonly trials: CampaignStatusView['running'] }) {
  if (trials.length === 0) return <p className="quiet">No trial runs at this moment.</p>;
  return (
    <table className="trials">
      <caption className="only-spoken">Running trials</caption>
      <thead>
        <tr>
          <th scope="col">Candidate</th>
          <th scope="col">Stage</th>
          <th scope="col" className="number">Seed</th>
          <th scope="col">Progress</th>
          <th scope="col" className="number">Reward</th>
          <th scope="col" className="number">Steps/s</th>
        </tr>
      </thead>
      <tbody>
        {trials.map((one) => (
          <tr key={one.folder}>
            <th scope="row">{one.candidate}</th>
            <td>{one.stage}</td>
            <td className="number">{one.seed}</td>
            <td className="progress">
              <Meter label={`Steps of ${one.candidate}`} done={one.step} whole={one.timesteps} />
              <span className="quiet">{one.phase === 'evaluating' ? 'evaluating' : `step ${numberText(one.step)} of ${numberText(one.timesteps)}`}</span>
            </td>
            <td className="number">{one.reward === null ? '–' : numberText(one.reward)}</td>
            <td className="number">{one.steps_per_s === null ? '–' : numberText(Math.round(one.steps_per_s))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

// What happened last in a campaign, newest first; the ends of trials are also spoken. Imported by campaign-panel.tsx.
import type { EventLine } from '../../../src-protocol/files/event.ts';
import { clockText } from '../../ui/numbers.ts';
import { eventText } from './event-text.ts';

const mostShown = 12;

export function EventList({ events }: { readonly events: readonly EventLine[] }) {
  const newest = events.slice(-mostShown).reverse();
  const ended = events.findLast((line) => line.event.kind === 'trial_ended' || line.event.kind === 'campaign_ended');
  return (
    <section className="panel events" aria-labelledby="events-title">
      <h2 id="events-title">
        Last events <span className="quiet">since the campaign started</span>
      </h2>
      <p className="only-spoken" role="status">
        {ended === undefined ? '' : eventText(ended.event)}
      </p>
      {newest.length === 0 ? <p className="quiet">Nothing happened yet.</p> : null}
      <ol>
        {newest.map((line) => (
          <li key={line.seq} className={`is-${line.event.kind}`}>
            <span className="quiet clock">{clockText(line.mono_ms)}</span>
            <span>{eventText(line.event)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

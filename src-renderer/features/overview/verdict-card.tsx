// The verdict in one sentence. Imported by campaign-panel.tsx.
import type { CampaignStatusView } from '../../../src-protocol/campaign.ts';
import { verdictWords } from './words.ts';

export function VerdictCard({ verdict }: { readonly verdict: NonNullable<CampaignStatusView['verdict']> }) {
  const { tone, word } = verdictWords[verdict.word];
  return (
    <section className={`panel verdict-card ${tone}`} aria-labelledby="verdict-title">
      <h2 id="verdict-title">
        Verdict: <span className="word">{word}</span>
      </h2>
      <p>{verdict.headline}</p>
    </section>
  );
}

// How many of the eight gates are confirmed, and which are not. Imported by overview.tsx.
import { countText } from '../../../src-protocol/count-text.ts';
import type { RepositoryView } from '../../state/repository-slice.ts';
import { Badge } from '../../ui/badge.tsx';
import { gateWords } from './words.ts';

export function Gates({ gates }: { readonly gates: RepositoryView['gates'] }) {
  const confirmed = gates.filter((gate) => gate.status === 'confirmed').length;
  return (
    <section className="panel gates" aria-labelledby="gates-title">
      <h2 id="gates-title">
        Contract <span className="quiet">{`${confirmed} of ${countText(gates.length, 'gate')} confirmed`}</span>
      </h2>
      <ul>
        {gates.map(({ gate, status }) => (
          <li key={gate}>
            <span>{gate}</span>
            <Badge tone={gateWords[status].tone}>{gateWords[status].word}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

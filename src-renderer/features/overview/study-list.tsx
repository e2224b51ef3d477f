// The studies of the repository; one of them is shown beside the list. Imported by overview.tsx.
import type { RepositoryView } from '../../state/repository-slice.ts';
import { Badge } from '../../ui/badge.tsx';
import { approvalWords, campaignWords, verdictWords } from './words.ts';

export interface StudyListProps {
  readonly studies: RepositoryView['studies'];
  readonly shown: string | null;
  onShow(study: string): void;
}

export function StudyList({ studies, shown, onShow }: StudyListProps) {
  return (
    <section className="panel studies" aria-labelledby="studies-title">
      <h2 id="studies-title">Studies</h2>
      {studies.length === 0 ? (
        <p className="quiet">
          Studies will be listed here: each compares candidates against a baseline. Write one in <code>.rlxp/studies</code>, then <code className="command">rlxp study check NAME</code>.
        </p>
      ) : (
        <ul>
          {studies.map((one) => (
            <li key={one.study}>
              <button type="button" aria-pressed={one.study === shown} onClick={() => onShow(one.study)}>
                <strong>{one.study}</strong>
                {one.why === '' ? null : <span className="quiet">{one.why}</span>}
                <span className="badges">
                  {one.readable ? null : <Badge tone="bad">has problems</Badge>}
                  <Badge tone={approvalWords[one.approval].tone}>{approvalWords[one.approval].word}</Badge>
                  <Badge tone={campaignWords[one.campaign].tone}>{campaignWords[one.campaign].word}</Badge>
                  {one.verdict === null ? null : <Badge tone={verdictWords[one.verdict].tone}>{verdictWords[one.verdict].word}</Badge>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

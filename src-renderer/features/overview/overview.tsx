// The overview: what the opened repository holds, and one of its campaigns, live. Imported by app.tsx.
import { useCallback, useEffect, useState } from 'react';
import type { RepositoryView } from '../../state/repository-slice.ts';
import { usePage } from '../../state/store.ts';
import { CampaignPanel } from './campaign-panel.tsx';
import { Gates } from './gates.tsx';
import { OpenForm } from './open-form.tsx';
import { StudyList } from './study-list.tsx';
import { TroubleNotice } from './trouble-notice.tsx';
import { isLive, studyToShow } from './words.ts';
import './overview.css';

const lookAgainMs = 10_000;

export function Overview() {
  const repository = usePage((state) => state.repository);
  const trouble = usePage((state) => state.repositoryTrouble);
  const root = usePage((state) => state.root);
  const refreshRepository = usePage((state) => state.refreshRepository);
  const refresh = useCallback(() => void refreshRepository(), [refreshRepository]);
  useLookAgain(repository !== null, refresh);
  if (repository !== null) {
    return (
      <>
        {trouble === null ? null : <TroubleNotice title="The repository could not be read again; this is what it said before" trouble={trouble} onRetry={refresh} />}
        <Repository key={repository.root} repository={repository} />
      </>
    );
  }
  return (
    <div className="start">
      <h1>Open a repository</h1>
      {trouble === null ? null : <TroubleNotice title={`${root ?? 'The folder'} cannot be opened`} trouble={trouble} onRetry={refresh} />}
      <OpenForm />
    </div>
  );
}

function Repository({ repository }: { readonly repository: RepositoryView }) {
  const { root, project, gates, studies, next } = repository;
  const [chosen, setChosen] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const watchCampaign = usePage((state) => state.watchCampaign);
  const refreshRepository = usePage((state) => state.refreshRepository);
  const shown = studyToShow(studies, chosen);
  const study = shown?.study ?? null;
  /** A campaign that starts, ends or starts over is opened anew. */
  const phase = shown === null ? 'none' : isLive(shown.campaign) ? 'live' : shown.campaign;
  useEffect(() => {
    if (study === null) return undefined;
    return watchCampaign({ root, study }, () => void refreshRepository());
  }, [root, study, phase, attempt, watchCampaign, refreshRepository]);
  return (
    <div className="repository">
      <header>
        <h1>{project}</h1>
        <p className="quiet">
          Next, in a terminal: <code className="command">{next}</code>
        </p>
      </header>
      <aside>
        <StudyList studies={studies} shown={study} onShow={setChosen} />
        <Gates gates={gates} />
      </aside>
      <div className="shown">{study === null ? <NoStudy /> : <CampaignPanel study={study} onRetry={() => setAttempt((count) => count + 1)} />}</div>
    </div>
  );
}

function NoStudy() {
  return (
    <section className="panel empty">
      <h2>No campaign yet</h2>
      <p className="quiet">A study is compared by a campaign: it trains candidates in stages and ends in a verdict. The first study of this repository will be shown here.</p>
    </section>
  );
}

/** No feed tells what repository_show tells, so it is asked again while somebody looks. */
function useLookAgain(isOpen: boolean, refresh: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const look = (): void => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = setInterval(look, lookAgainMs);
    addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [isOpen, refresh]);
}

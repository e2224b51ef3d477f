// The frame of the page, and what it opens when the shell asks. Imported by main.tsx.
import { useEffect } from 'react';
import { Overview } from '../features/overview/overview.tsx';
import { usePage } from '../state/store.ts';
import { watchAskedFolder } from './asked-folder.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import './app.css';

export function App() {
  const root = usePage((state) => state.root);
  const openRepository = usePage((state) => state.openRepository);
  const closeRepository = usePage((state) => state.closeRepository);
  useEffect(() => watchAskedFolder((folder) => void openRepository(folder)), [openRepository]);
  return (
    <div className="frame">
      <header>
        <strong>rlxp Workbench</strong>
        {root === null ? null : (
          <>
            <span className="path quiet" title={root}>
              <bdi>{root}</bdi>
            </span>
            <button type="button" className="button" onClick={closeRepository}>
              Open another
            </button>
          </>
        )}
      </header>
      <main>
        <ErrorBoundary>
          <Overview />
        </ErrorBoundary>
      </main>
    </div>
  );
}

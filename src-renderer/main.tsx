// The page: host, client, store, frame.
import './no-eval.ts';
import './ui/tokens.css';
import './ui/base.css';
import './ui/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeHost } from './host.ts';
import type { Bridge } from './host.ts';
import { makeClient } from '../src-protocol/client.ts';
import { App } from './app/app.tsx';
import { makeStore, StoreProvider } from './state/store.ts';
import { Notice } from './ui/notice.tsx';

const { rlxp: bridge } = globalThis as { readonly rlxp?: Bridge };
const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no place for the page');

createRoot(place).render(
  <StrictMode>
    {bridge === undefined ? (
      <Notice tone="bad" title="This page belongs to the rlxp Workbench window">
        <p>Nothing is behind it here. Start the program instead of opening the page by itself.</p>
      </Notice>
    ) : (
      <StoreProvider value={makeStore(makeClient(makeHost(bridge)))}>
        <App />
      </StoreProvider>
    )}
  </StrictMode>,
);

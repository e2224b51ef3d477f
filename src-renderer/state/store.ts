// The one store of the page, made of slices, and how components read it. Imported by main.tsx, app, features and tests.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';
import type { Client } from '../../src-protocol/client.ts';
import { makeCampaignSlice } from './campaign-slice.ts';
import type { CampaignSlice } from './campaign-slice.ts';
import { makeRepositorySlice } from './repository-slice.ts';
import type { RepositorySlice } from './repository-slice.ts';

export type PageState = RepositorySlice & CampaignSlice;
export type PageStore = StoreApi<PageState>;

export function makeStore(client: Client): PageStore {
  return createStore<PageState>()((...parts) => ({ ...makeRepositorySlice(client)(...parts), ...makeCampaignSlice(client)(...parts) }));
}

const storeContext = createContext<PageStore | null>(null);
export const StoreProvider = storeContext.Provider;

/** What `select` gives of the state; the component is drawn again when that changes. */
export function usePage<Selected>(select: (state: PageState) => Selected): Selected {
  const store = useContext(storeContext);
  if (store === null) throw new Error('there is no store above this component');
  return useStore(store, select);
}

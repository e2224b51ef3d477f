// The slice of the opened repository: what repository_show last said about it. Imported by store.ts.
import type { StateCreator } from 'zustand/vanilla';
import type { Client } from '../../src-protocol/client.ts';
import type { OutputOf } from '../../src-protocol/index.ts';
import { troubleOf } from './trouble.ts';
import type { Trouble } from './trouble.ts';

export type RepositoryView = OutputOf<'repository_show'>;

export interface RepositorySlice {
  /** The folder that was asked for; null before the first. */
  readonly root: string | null;
  /** What it holds; null while it is unknown. Kept while it is asked again. */
  readonly repository: RepositoryView | null;
  /** Why it could not be shown the last time; what was shown before stays. */
  readonly repositoryTrouble: Trouble | null;
  readonly isAsking: boolean;
  /** Opens a folder, or asks again about the one that is open. */
  openRepository(root: string): Promise<void>;
  refreshRepository(): Promise<void>;
  /** Shows none, so that another can be opened. */
  closeRepository(): void;
}

export function makeRepositorySlice(client: Client): StateCreator<RepositorySlice> {
  return (set, get) => ({
    root: null,
    repository: null,
    repositoryTrouble: null,
    isAsking: false,
    async openRepository(root) {
      const isSame = root === get().root;
      // Asked again, the page keeps what it shows until the answer is there.
      set({ root, isAsking: true, ...(isSame ? {} : { repository: null, repositoryTrouble: null }) });
      const result = await client.call('repository_show', { root }).catch(() => ({ ok: false, fault: otherVersion }) as const);
      // A person may have opened another one meanwhile.
      if (get().root !== root) return;
      if (result.ok) set({ repository: result.output, repositoryTrouble: null, isAsking: false });
      else set({ repositoryTrouble: troubleOf(result), isAsking: false });
    },
    closeRepository: () => set({ root: null, repository: null, repositoryTrouble: null, isAsking: false }),
    async refreshRepository() {
      const { root, isAsking } = get();
      if (root !== null && !isAsking) await get().openRepository(root);
    },
  });
}

const otherVersion = { id: 'window', message: 'the answer was of another version of the program; close the window and open it again' };

// The first thing a person sees: which repository to look at. Imported by overview.tsx.
import { useState } from 'react';
import type { FormEvent } from 'react';
import { usePage } from '../../state/store.ts';

export function OpenForm() {
  const root = usePage((state) => state.root);
  const isAsking = usePage((state) => state.isAsking);
  const openRepository = usePage((state) => state.openRepository);
  const [typed, setTyped] = useState<string | null>(null);
  const folder = typed ?? root ?? '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (folder.trim() !== '') void openRepository(folder.trim());
  }

  return (
    <form className="panel open-form" onSubmit={submit}>
      <label htmlFor="folder">Folder of the repository</label>
      <div className="row">
        <input id="folder" value={folder} onChange={(event) => setTyped(event.target.value)} placeholder="/home/you/project" autoComplete="off" spellCheck={false} autoFocus />
        <button type="submit" className="button main" disabled={isAsking}>
          {isAsking ? 'Looking…' : 'Open'}
        </button>
      </div>
      <p className="quiet">
        The folder that holds <code>.rlxp</code>. Opening only reads. A new project starts with <code className="command">rlxp init --root DIR --project NAME</code> in a terminal.
      </p>
    </form>
  );
}

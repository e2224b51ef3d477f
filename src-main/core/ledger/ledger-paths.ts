// Where the ledger of a repository lies. This room only.
import path from 'node:path';

export interface LedgerPaths {
  readonly folder: string;
  readonly ledger: string;
  readonly head: string;
}

export function ledgerPaths(root: string): LedgerPaths {
  const folder = path.join(root, '.rlxp');
  return { folder, ledger: path.join(folder, 'ledger.jsonl'), head: path.join(folder, 'ledger.head.json') };
}

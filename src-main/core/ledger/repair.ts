// Repair of a ledger that cannot be trusted: keep a copy, keep the good lines, say so in a line. Core rooms left of ledger may import it.
import path from 'node:path';
import { digestBytes } from '../provenance/canonical-json.ts';
import { projectPaths } from '../workspace/layout.ts';
import { readChain } from './chain.ts';
import { adoptLedger, extend, read, withLedger, type LedgerPorts } from './ledger.ts';

export interface LedgerRepair {
  /** What was wrong, in words. */
  readonly found: string;
  readonly keptLines: number;
  /** File beside the ledger that holds every byte as it was; null when the ledger was whole and only its seal was not ours. */
  readonly copy: string | null;
}

/**
 * Makes the ledger usable again after a person asked for it: every byte goes to a copy beside it, the lines before the first damage stay,
 * and a `repaired` line ends them. Gate confirmations before that line stop counting. Null when there is nothing to repair.
 */
export async function repairLedger(ports: LedgerPorts, root: string, by: string): Promise<LedgerRepair | null> {
  const taken = await adoptLedger(ports, root, by);
  if (taken !== null) return { found: String(taken.facts['found']), keptLines: taken.seq, copy: null };
  return withLedger(ports, root, async () => {
    const { report, chain } = await read(ports, root);
    if (report.ok) return null;
    const { folder, ledger } = projectPaths(root);
    const bytes = (await ports.files.stat(ledger)) === null ? new Uint8Array() : await ports.files.readBytes(ledger);
    const copy = `ledger.jsonl.kept-${digestBytes(bytes).slice(0, 16)}`;
    await ports.files.replaceFile(path.join(folder, copy), bytes);
    const good = chain.damage === null ? bytes.subarray(0, chain.wholeBytes) : goodPart(bytes, chain.lines.length);
    await ports.files.replaceFile(ledger, good);
    const facts = { what: 'repaired', found: report.text, kept_lines: chain.lines.length, copy, copy_sha256: digestBytes(bytes) };
    await extend(ports, root, readChain(good), { kind: 'repaired', by, study: null, facts });
    return { found: report.text, keptLines: chain.lines.length, copy };
  });
}

function goodPart(bytes: Uint8Array, lines: number): Uint8Array {
  let end = 0;
  for (let line = 0; line < lines; line += 1) end = bytes.indexOf(0x0a, end) + 1;
  return bytes.subarray(0, end);
}

// The ledger of a repository: append a line, read the lines, verify the chain and its seal. Core rooms left of ledger may import it.
import { ledgerLine, type LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { digestText } from '../provenance/canonical-json.ts';
import { projectPaths } from '../workspace/layout.ts';
import { findSecrets, makeRedactor } from '../../redaction/redactor.ts';
import { readChain, type Chain } from './chain.ts';
import { judge, parseHead, sealHead, type HeadFile, type Judgement } from './head.ts';
import { withShortLock } from './short-lock.ts';

export type LedgerPorts = Pick<Ports, 'files' | 'locks' | 'clock' | 'secrets' | 'machine'>;

/** What a caller says; time, number and chain are the ledger's own. */
export type LedgerEntry = Pick<LedgerLine, 'kind' | 'by' | 'study' | 'facts'>;

export interface LedgerReport extends Judgement {
  /** Whether every line can be trusted: the states empty, sound and unfinished. */
  readonly ok: boolean;
  /** The good lines, up to the first damage, oldest first. */
  readonly lines: readonly LedgerLine[];
  /** The first damaged line, counted from 1; null when none is. */
  readonly damagedLine: number | null;
  /** Bytes of a write that a crash cut short; the next append removes them. They were never acknowledged. */
  readonly tornBytes: number;
}

const maxLedgerBytes = 64 * 1024 * 1024;

/** Reads the ledger and judges it. Writes nothing, and never takes an append that is just happening for damage. */
export async function verifyLedger(ports: LedgerPorts, root: string): Promise<LedgerReport> {
  const seen = await read(ports, root);
  if (seen.report.ok) return seen.report;
  return withLedger(ports, root, async () => (await read(ports, root)).report);
}

/**
 * Appends one line and seals it. Refuses with `damaged`, writing nothing, when the ledger as it stands cannot be trusted; a torn tail
 * and an append that a crash cut short are finished first.
 */
export async function appendLedger(ports: LedgerPorts, root: string, entry: LedgerEntry): Promise<LedgerLine> {
  return withLedger(ports, root, async () => {
    const seen = await read(ports, root);
    if (!seen.report.ok) refuse('damaged', seen.report.text);
    return extend(ports, root, seen.chain, entry);
  });
}

/**
 * A person takes over a ledger whose chain is whole but that this machine did not seal (a clone, a lost head): a `repaired` line says
 * so, and confirmations and approvals before it stop counting. Gives null when there is nothing to take over.
 */
export async function adoptLedger(ports: LedgerPorts, root: string, by: string): Promise<LedgerLine | null> {
  return withLedger(ports, root, async () => {
    const { chain, report } = await read(ports, root);
    if (report.state !== 'sealed_elsewhere' && report.state !== 'head_missing') return null;
    return extend(ports, root, chain, { kind: 'repaired', by, study: null, facts: { what: 'taken_over', found: report.text, lines: chain.lines.length, last: chain.last } });
  });
}

/** The lines that count on this machine: those after the last `repaired` line that was about the ledger itself. */
export function linesThatCount(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  const repaired = lines.findLastIndex((line) => line.kind === 'repaired' && line.facts['what'] !== otherFiles);
  return lines.slice(repaired + 1);
}

/** `what` of a `repaired` line about other files than the ledger: no decision before it is in doubt. */
export const otherFiles = 'other_files';

/** Writes one line after `chain` under the ledger's lock: head that announces it, line (which sets a torn tail aside), head that counts it. */
export async function extend(ports: LedgerPorts, root: string, chain: Chain, entry: LedgerEntry): Promise<LedgerLine> {
  const paths = projectPaths(root);
  const key = await ports.secrets.machineKey();
  const line = ledgerLine.parse({
    schema: 1,
    seq: chain.lines.length,
    at: new Date(ports.clock.wallMs()).toISOString(),
    ...entry,
    facts: makeRedactor(findSecrets(ports.machine)).plain(entry.facts),
    prev: chain.last,
  });
  const text = JSON.stringify(line);
  const hash = digestText(text);
  const announced = sealHead(key, { lines: line.seq, last: chain.last, next: hash });
  await ports.files.makeFolder(paths.folder);
  await ports.files.replaceFile(paths.ledgerHead, `${JSON.stringify(announced)}\n`);
  await ports.files.appendLine(paths.ledger, text);
  const counted = sealHead(key, { lines: line.seq + 1, last: hash, next: null });
  await ports.files.replaceFile(paths.ledgerHead, `${JSON.stringify(counted)}\n`);
  return line;
}

export function withLedger<Result>(ports: LedgerPorts, root: string, work: () => Promise<Result>): Promise<Result> {
  return withShortLock(ports, { root, kind: 'ledger', purpose: 'writing the ledger' }, work);
}

export async function read(ports: LedgerPorts, root: string): Promise<{ readonly chain: Chain; readonly report: LedgerReport }> {
  const paths = projectPaths(root);
  const head = await readHead(ports, paths.ledgerHead);
  const chain = readChain((await readIfThere(ports, paths.ledger)) ?? new Uint8Array());
  const judgement = judge(chain, head, await ports.secrets.machineKey());
  const report: LedgerReport = {
    ...judgement,
    ok: judgement.state === 'sound' || judgement.state === 'unfinished' || judgement.state === 'empty',
    lines: chain.lines,
    damagedLine: chain.damage?.line ?? null,
    tornBytes: chain.tornBytes,
  };
  return { chain, report };
}

async function readHead(ports: LedgerPorts, path: string): Promise<HeadFile> {
  const bytes = await readIfThere(ports, path);
  if (bytes === null) return 'missing';
  return parseHead(new TextDecoder().decode(bytes)) ?? 'unreadable';
}

async function readIfThere(ports: LedgerPorts, path: string): Promise<Uint8Array | null> {
  const stat = await ports.files.stat(path);
  if (stat === null) return null;
  if (stat.kind !== 'file') return refuse('damaged', `${path} is a ${stat.kind}, not a file.`);
  return ports.files.readBytes(path, { maxBytes: maxLedgerBytes });
}

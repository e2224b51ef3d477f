// The sealed head of a ledger and what it says about a chain. This room and evidence.
import { countText } from '../../../src-protocol/count-text.ts';
import { ledgerHead, type LedgerHead } from '../../../src-protocol/files/ledger.ts';
import { isSealOf, machineMark, makeSeal } from '../provenance/seal.ts';
import { emptyHash, type Chain } from './chain.ts';

/** What a head counts: `next` is the hash of the line being appended, null when no append is under way. */
export interface HeadCount {
  readonly lines: number;
  readonly last: string;
  readonly next: string | null;
}

export type LedgerState =
  /** Nothing was ever written. */
  | 'empty'
  /** Chain and head agree. */
  | 'sound'
  /** The last line is there and the head announced it, but a crash kept the head from counting it: the next append does. */
  | 'unfinished'
  /** Lines at the end are gone. */
  | 'cut'
  /** Lines were changed or added by somebody without the key. */
  | 'rewritten'
  /** A line in the middle is unreadable or does not follow from the one before. */
  | 'damaged'
  | 'head_edited'
  | 'head_missing'
  /** Another machine's key sealed the head. */
  | 'sealed_elsewhere';

export interface Judgement {
  readonly state: LedgerState;
  /** One sentence for a person. */
  readonly text: string;
}

const domain = 'rlxp ledger head v1';

export function sealHead(machineKey: Uint8Array, count: HeadCount): LedgerHead {
  return {
    schema: 1,
    ...count,
    machine: machineMark(machineKey),
    seal: makeSeal(machineKey, domain, [count.lines, count.last, count.next]),
  };
}

/** Null when the text is no head. */
export function parseHead(text: string): LedgerHead | null {
  try {
    return ledgerHead.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export type HeadFile = LedgerHead | 'missing' | 'unreadable';

export function judge(chain: Chain, head: HeadFile, machineKey: Uint8Array): Judgement {
  if (chain.damage !== null) return { state: 'damaged', text: `Line ${chain.damage.line} of the ledger is damaged: ${chain.damage.what}.` };
  const found = chain.lines.length;
  if (head === 'missing') {
    if (found === 0 && chain.tornBytes === 0) return { state: 'empty', text: 'The ledger is empty.' };
    return { state: 'head_missing', text: `The ledger has ${plural(found)}, but its sealed head is missing.` };
  }
  if (head === 'unreadable') return { state: 'head_edited', text: 'The sealed head of the ledger is unreadable.' };
  if (head.machine !== machineMark(machineKey)) {
    return { state: 'sealed_elsewhere', text: `The ledger was sealed on another machine (${head.lines} counted there, ${found} found).` };
  }
  if (!isSealOf(head.seal, machineKey, domain, [head.lines, head.last, head.next])) {
    return { state: 'head_edited', text: 'The head of the ledger was edited: its seal does not hold.' };
  }
  return compare(chain, head);
}

/** What the head says of the chain; whether the head itself is genuine only its seal tells. */
export function compare(chain: Chain, head: LedgerHead): Judgement {
  const found = chain.lines.length;
  if (found < head.lines) return { state: 'cut', text: `The ledger was cut: ${plural(head.lines)} were sealed, ${found} are there.` };
  if (found === head.lines && chain.last === head.last) return { state: 'sound', text: `The ledger is sound: ${plural(found)}.` };
  if (found === head.lines) return { state: 'rewritten', text: `The ledger was rewritten: line ${found} is not the one that was sealed.` };
  const before = chain.lines[found - 1]?.prev ?? emptyHash;
  if (found === head.lines + 1 && before === head.last && chain.last === head.next) {
    return { state: 'unfinished', text: `The ledger is sound: ${plural(found)}, the last of them not yet counted by the head.` };
  }
  return { state: 'rewritten', text: `The ledger was rewritten: ${plural(head.lines)} were sealed, ${found} are there.` };
}

function plural(lines: number): string {
  return countText(lines, 'line');
}

// The chain of ledger.jsonl as its bytes tell it, without any key. This room and evidence.
import { ledgerLine, type LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { digestBytes, digestText } from '../provenance/canonical-json.ts';

export interface Chain {
  /** The good lines, up to the first damage. */
  readonly lines: readonly LedgerLine[];
  /** SHA-256 of the last good line's bytes; of the empty string when there is none. */
  readonly last: string;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** Bytes after them: a write that a crash cut short. */
  readonly tornBytes: number;
  /** The first whole line that is no good, counted from 1. */
  readonly damage: { readonly line: number; readonly what: string } | null;
}

export const emptyHash = digestText('');

export function readChain(bytes: Uint8Array): Chain {
  const wholeBytes = endOfWholeLines(bytes);
  const tornBytes = bytes.length - wholeBytes;
  const lines: LedgerLine[] = [];
  let last = emptyHash;
  for (let start = 0; start < wholeBytes; ) {
    const stop = bytes.indexOf(newline, start);
    const lineBytes = bytes.subarray(start, stop);
    const line = readLine(lineBytes, lines.length, last);
    if (typeof line === 'string') return { lines, last, wholeBytes, tornBytes, damage: { line: lines.length + 1, what: line } };
    lines.push(line);
    last = digestBytes(lineBytes);
    start = stop + 1;
  }
  return { lines, last, wholeBytes, tornBytes, damage: null };
}

const newline = 0x0a;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A power cut may keep the length of a write and lose its bytes, so a last line with a zero byte is torn too: JSON never holds one. */
function endOfWholeLines(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(newline) + 1;
  if (end === 0 || end < bytes.length) return end;
  const start = end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1;
  return bytes.subarray(start, end).includes(0) ? start : end;
}

/** The line, or in words why it is none. */
function readLine(bytes: Uint8Array, seq: number, prev: string): LedgerLine | string {
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(bytes));
  } catch {
    return 'it is not a line of JSON';
  }
  const parsed = ledgerLine.safeParse(value);
  if (!parsed.success) return isNewer(value) ? 'it was written by a newer version of the program' : 'it is not a ledger line';
  if (parsed.data.seq !== seq) return `its number is ${parsed.data.seq} where ${seq} belongs`;
  if (parsed.data.prev !== prev) return seq === 0 ? 'it points to a line before it, and there is none' : 'it does not follow from the line before it';
  return parsed.data;
}

function isNewer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'schema' in value && typeof value.schema === 'number' && value.schema > 1;
}

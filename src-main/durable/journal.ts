// Reads a journal (JSONL): its good lines, a torn last line, damage in the middle. Anyone may import it; it needs nothing of ours.
import { readFile } from 'node:fs/promises';

/** A line longer than this is damage, and `appendLine` refuses to write one. */
export const maxLineBytes = 1024 * 1024;

export interface JournalLine {
  /** Counted from 1, as an editor counts. */
  readonly number: number;
  /** The line as written, without its newline. */
  readonly text: string;
  readonly value: unknown;
}

export interface Journal {
  /** The good lines, up to the first damage. */
  readonly lines: readonly JournalLine[];
  /** Bytes after `offset` are a last write that a crash cut short; it was never acknowledged. */
  readonly tornTail: { readonly offset: number; readonly bytes: Uint8Array } | null;
  /** The first line that is whole and yet unreadable; whoever reads must stop trusting the file. */
  readonly damage: { readonly line: number; readonly reason: string } | null;
}

/** Reads a journal file; a missing file is an empty journal. Rejects with the system's error. */
export async function readJournal(path: string): Promise<Journal> {
  try {
    return parseJournal(await readFile(path));
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return parseJournal(new Uint8Array());
    throw error;
  }
}

export function parseJournal(bytes: Uint8Array): Journal {
  const end = wholeLinesEnd(bytes);
  const tornTail = end === bytes.length ? null : { offset: end, bytes: bytes.subarray(end) };
  const lines: JournalLine[] = [];
  let start = 0;
  for (let number = 1; start < end; number += 1) {
    const stop = bytes.indexOf(newline, start);
    const line = parseLine(bytes.subarray(start, stop));
    if (typeof line === 'string') return { lines, tornTail, damage: { line: number, reason: line } };
    lines.push({ number, ...line });
    start = stop + 1;
  }
  return { lines, tornTail, damage: null };
}

/**
 * Where the whole lines end; what follows is torn. Torn is a last line without its newline, and a last line with a zero byte in it
 * (a power cut may keep the length of a write and lose a page of it; JSON never holds a zero byte).
 */
export function wholeLinesEnd(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(newline) + 1;
  if (end === 0) return 0;
  if (end < bytes.length) return end;
  const start = end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1;
  return bytes.subarray(start, end).includes(0) ? start : end;
}

const newline = 0x0a;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The line's text and value, or the reason why it is damaged. */
function parseLine(bytes: Uint8Array): { readonly text: string; readonly value: unknown } | string {
  if (bytes.length > maxLineBytes) return `longer than ${maxLineBytes} bytes`;
  if (bytes.length === 0) return 'empty';
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return 'not UTF-8';
  }
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch {
    return 'not JSON';
  }
}

// Every single change of the ledger's bytes is seen: exhaustively over small ledgers, and over seeded random mutations.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChain } from '../../../src-main/core/ledger/chain.ts';
import { judge, sealHead, type HeadCount, type LedgerState } from '../../../src-main/core/ledger/head.ts';
import { digestText } from '../../../src-main/core/provenance/canonical-json.ts';
import type { LedgerHead } from '../../../src-protocol/files/ledger.ts';

const key = new Uint8Array(32).fill(7);
const trusted: readonly LedgerState[] = ['empty', 'sound', 'unfinished'];

interface Written {
  readonly lines: readonly string[];
  readonly hashes: readonly string[];
}

function writeLines(count: number): Written {
  const lines: string[] = [];
  const hashes = [digestText('')];
  for (let seq = 0; seq < count; seq += 1) {
    const facts = { gate: `g${seq}`, seconds: seq * 1.5, text: 'äöü "quoted"' };
    const line = { schema: 1, seq, at: '2026-01-02T03:04:05.678Z', kind: 'gate_confirmed', by: 'ada', study: null, facts, prev: hashes.at(-1) };
    lines.push(JSON.stringify(line));
    hashes.push(digestText(lines.at(-1) ?? ''));
  }
  return { lines, hashes };
}

function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
}

function headOf(written: Written, change: Partial<HeadCount> = {}): LedgerHead {
  return sealHead(key, { lines: written.lines.length, last: written.hashes.at(-1) ?? '', next: null, ...change });
}

function stateOf(bytes: Uint8Array, head: LedgerHead): LedgerState {
  return judge(readChain(bytes), head, key).state;
}

const five = writeLines(5);
const head = headOf(five);
const whole = bytesOf(five.lines);

describe('the chain of the ledger', () => {
  it('LG1 LG5 reads what was written as sound', () => {
    expect(stateOf(whole, head)).toBe('sound');
    expect(readChain(whole).lines.map((line) => line.seq)).toEqual([0, 1, 2, 3, 4]);
  });

  it('LG5 notices the change of any one byte, within ASCII and out of it', () => {
    for (let at = 0; at < whole.length; at += 1) {
      for (const flip of [0x01, 0x80]) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(trusted, `byte ${at}`).not.toContain(stateOf(changed, head));
      }
    }
  });

  it('LG5 notices a byte that was taken out or put in, anywhere', () => {
    for (let at = 0; at < whole.length; at += 1) {
      expect(trusted, `without byte ${at}`).not.toContain(stateOf(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]), head));
      for (const extra of ['\n', ' ']) {
        const longer = Buffer.concat([whole.subarray(0, at), Buffer.from(extra), whole.subarray(at)]);
        expect(trusted, `with ${JSON.stringify(extra)} before byte ${at}`).not.toContain(stateOf(longer, head));
      }
    }
  });

  it('LG5 notices a cut at any byte', () => {
    for (let length = 0; length < whole.length; length += 1) expect(trusted, `${length} bytes`).not.toContain(stateOf(whole.subarray(0, length), head));
  });

  it('LG5 notices a line that was deleted, repeated, swapped or taken from another ledger', () => {
    const other = bytesOf([...five.lines.slice(0, 4), (five.lines[4] ?? '').replace('ada', 'eve')]);
    expect(stateOf(other, head)).toBe('rewritten');
    for (let at = 0; at < 5; at += 1) {
      expect(trusted).not.toContain(stateOf(bytesOf(five.lines.toSpliced(at, 1)), head));
      expect(trusted).not.toContain(stateOf(bytesOf(five.lines.toSpliced(at, 0, five.lines[at] ?? '')), head));
      for (let with_ = at + 1; with_ < 5; with_ += 1) {
        const swapped = [...five.lines];
        [swapped[at], swapped[with_]] = [five.lines[with_] ?? '', five.lines[at] ?? ''];
        expect(trusted).not.toContain(stateOf(bytesOf(swapped), head));
      }
    }
  });

  it('LG5 notices any edit of a line even when everything after it is chained anew (seeded)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), fc.string({ minLength: 1 }), (count, where, by) => {
        const written = writeLines(count);
        const lines: string[] = [];
        let prev = digestText('');
        for (const [index, line] of written.lines.entries()) {
          const value = { ...(JSON.parse(line) as Record<string, unknown>), prev };
          lines.push(JSON.stringify(index === where % count ? { ...value, by: `${by}!` } : value));
          prev = digestText(lines.at(-1) ?? '');
        }
        return stateOf(bytesOf(lines), headOf(written)) === 'rewritten';
      }),
      { seed: 20260102, numRuns: 200 },
    );
  });

  it('LG6 names the first damaged line', () => {
    const lines = five.lines.with(2, 'not json');
    const chain = readChain(bytesOf(lines));
    expect(chain.damage).toEqual({ line: 3, what: 'it is not a line of JSON' });
    expect(judge(chain, head, key).text).toBe('Line 3 of the ledger is damaged: it is not a line of JSON.');
    const newer = five.lines.with(1, (five.lines[1] ?? '').replace('"schema":1', '"schema":2'));
    expect(readChain(bytesOf(newer)).damage).toEqual({ line: 2, what: 'it was written by a newer version of the program' });
  });

  it('LG4 trusts a line that the head announced and a crash kept it from counting, and no other', () => {
    const announced = headOf(five, { lines: 4, last: five.hashes[4] ?? '', next: five.hashes[5] ?? '' });
    expect(stateOf(whole, announced)).toBe('unfinished');
    expect(stateOf(bytesOf(five.lines.slice(0, 4)), announced)).toBe('sound');
    const forged = (five.lines[4] ?? '').replace('gate_confirmed', 'experiment_approved');
    expect(stateOf(bytesOf([...five.lines.slice(0, 4), forged]), announced)).toBe('rewritten');
    expect(stateOf(whole, headOf(five, { lines: 4, last: five.hashes[4] ?? '' }))).toBe('rewritten');
    expect(stateOf(whole, headOf(five, { lines: 3, last: five.hashes[3] ?? '', next: five.hashes[4] ?? '' }))).toBe('rewritten');
  });

  it('LG7 takes a last line without its newline, or with a zero byte in it, for a write that a crash cut short', () => {
    const torn = Buffer.concat([whole, Buffer.from('{"schema":1,"seq":5')]);
    expect(stateOf(torn, head)).toBe('sound');
    expect(readChain(torn)).toMatchObject({ wholeBytes: whole.length, tornBytes: 19 });
    const zeroed = Buffer.concat([whole, Buffer.alloc(40), Buffer.from('\n')]);
    expect(readChain(zeroed)).toMatchObject({ wholeBytes: whole.length, tornBytes: 41 });
    expect(stateOf(torn, headOf(writeLines(6)))).toBe('cut');
  });

  it('LG5 notices an edit of any field of the head', () => {
    for (const change of [{ lines: 4 }, { last: '0'.repeat(64) }, { next: '1'.repeat(64) }, { seal: '2'.repeat(64) }]) {
      expect(judge(readChain(whole), { ...head, ...change }, key).state).toBe('head_edited');
    }
    expect(judge(readChain(whole), 'unreadable', key).state).toBe('head_edited');
    expect(judge(readChain(whole), 'missing', key).state).toBe('head_missing');
    expect(judge(readChain(Buffer.from('torn')), 'missing', key).state).toBe('head_missing');
    expect(judge(readChain(Buffer.alloc(0)), 'missing', key).state).toBe('empty');
  });

  it('LG8 tells a ledger sealed on another machine from a forged one', () => {
    const foreign = sealHead(new Uint8Array(32).fill(8), { lines: 5, last: five.hashes[5] ?? '', next: null });
    expect(judge(readChain(whole), foreign, key)).toMatchObject({ state: 'sealed_elsewhere', text: expect.stringContaining('another machine') as string });
    expect(judge(readChain(whole), { ...foreign, machine: head.machine }, key).state).toBe('head_edited');
  });
});

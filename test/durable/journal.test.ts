// The journal reader on bytes: torn tails at every byte, damage in the middle.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxLineBytes, parseJournal, wholeLinesEnd } from '../../src-main/durable/journal.ts';

const records = Array.from({ length: 6 }, (_, index) => JSON.stringify({ trial: `screen-ä${index}-s42`, score: index / 3, note: '😀\u2028"\\' }));
const golden = Buffer.from(records.map((record) => `${record}\n`).join(''));

test('D10 a journal cut at any byte gives every whole line and the rest as torn tail', () => {
  for (let length = 0; length <= golden.length; length += 1) {
    const cut = golden.subarray(0, length);
    const whole = cut.toString('latin1').split('\n').length - 1;
    const journal = parseJournal(cut);
    expect(journal.lines.map((line) => line.text)).toEqual(records.slice(0, whole));
    expect(journal.lines.map((line) => line.number)).toEqual(records.slice(0, whole).map((_, index) => index + 1));
    expect(journal.lines.map((line) => line.value)).toEqual(records.slice(0, whole).map((record) => JSON.parse(record) as unknown));
    expect(journal.damage).toBeNull();
    const offset = cut.lastIndexOf(10) + 1;
    if (offset === length) expect(journal.tornTail).toBeNull();
    else expect(journal.tornTail).toEqual({ offset, bytes: cut.subarray(offset) });
  }
});

test('D11 a last line with a zero byte in it is torn: a power cut kept the length and lost a page', () => {
  for (const tail of ['{"a":\0\0\0}\n', '\0\0\0\0\n', '\0\0\0\0', '\0']) {
    const journal = parseJournal(Buffer.concat([golden, Buffer.from(tail)]));
    expect(journal).toMatchObject({ damage: null, tornTail: { offset: golden.length } });
    expect(journal.lines.length).toBe(6);
  }
});

test.each([
  ['not JSON', '{"a":1'],
  ['not JSON', '{"a":NaN}'],
  ['empty', ''],
  ['not UTF-8', '\xff'],
  ['not JSON', '\0'],
  [`longer than ${maxLineBytes} bytes`, `"${'x'.repeat(maxLineBytes)}"`],
])('D12 a whole line that cannot be read (%s) is damage with its number, and the lines before it stay', (reason, line) => {
  const bytes = Buffer.concat([golden, Buffer.from(`${line}\n`, 'latin1'), golden]);
  const journal = parseJournal(bytes);
  expect(journal.damage).toEqual({ line: 7, reason });
  expect(journal.lines.length).toBe(6);
  expect(journal.tornTail).toBeNull();
});

test('D12 an unreadable last line that has its newline is damage too, never silently dropped', () => {
  expect(parseJournal(Buffer.concat([golden, Buffer.from('{"a":1\n')]))).toMatchObject({ damage: { line: 7, reason: 'not JSON' }, tornTail: null });
});

test('D13 a flipped, dropped or doubled byte never yields a line that was not written', () => {
  const written = new Set(records);
  fc.assert(
    fc.property(fc.nat(golden.length - 1), fc.integer({ min: 1, max: 255 }), fc.constantFrom('flip', 'drop', 'double'), (at, mask, how) => {
      const bytes = Buffer.from(golden);
      if (how === 'flip') bytes[at] = (bytes[at] ?? 0) ^ mask;
      const parts = how === 'flip' ? [bytes] : how === 'drop' ? [bytes.subarray(0, at), bytes.subarray(at + 1)] : [bytes.subarray(0, at + 1), bytes.subarray(at)];
      const journal = parseJournal(Buffer.concat(parts));
      const changed = journal.lines.filter((line) => !written.has(line.text));
      // One byte touches at most two lines; content inside a string may change and still be JSON: that is what seals are for.
      return changed.length <= 2 && journal.lines.every((line, index) => line.number === index + 1);
    }),
    { numRuns: 300, seed: 20261130 },
  );
});

test('D13 reading is the plain splitting of lines, for any bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('1', '{}', '"ä"', '', 'x', '\0', '\n', '\n', '\xff'), { maxLength: 12 }), (parts) => {
      const bytes = Buffer.from(parts.join(''), 'latin1');
      const end = wholeLinesEnd(bytes);
      const journal = parseJournal(bytes);
      const plain = bytes.subarray(0, end).toString('latin1').split('\n').slice(0, -1);
      const good = journal.damage === null ? plain : plain.slice(0, journal.damage.line - 1);
      expect(journal.lines.map((line) => Buffer.from(line.text).toString('latin1'))).toEqual(good);
      expect(journal.tornTail === null).toBe(end === bytes.length);
    }),
    { numRuns: 500, seed: 20261130 },
  );
});

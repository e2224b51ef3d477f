import { describe, expect, it } from 'vitest';
import { NotCommitted, openRecordJournal, readRecords, type RecordJournalOptions } from '../../../src-main/core/campaign/record-journal.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { fileError, makeFakeFiles } from '../../fakes/fake-files.ts';
import { recordOf, searchOnPaper } from './study-on-paper.ts';

const path = '/run/trials.jsonl';
const plan = (seed: number) => searchOnPaper().plan('noise', 'baseline', seed, 0);
const outcome = (seed: number) => {
  const { seq: _seq, ...rest } = recordOf(plan(seed));
  return rest;
};

function scene(over: Partial<RecordJournalOptions> = {}) {
  const files = makeFakeFiles();
  files.plant('/run/note', '');
  const told: string[] = [];
  const options: RecordJournalOptions = {
    files,
    path,
    onDiskTrouble: (reason) => {
      told.push(reason);
      return Promise.resolve('again');
    },
    onDiskFine: () => void told.push('fine'),
    ...over,
  };
  return { files, told, open: () => openRecordJournal(options) };
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RefusalError)) throw new Error('not refused');
  return error.refusal;
}

describe('the journal of records', () => {
  it('CA11: numbers records in the order they are committed, however many at once', async () => {
    const { files, open } = scene();
    const journal = await open();
    const committed = await Promise.all([1, 2, 3].map((seed) => journal.commit(outcome(seed))));
    expect(committed.map((one) => [one.seq, one.seed])).toEqual([[0, 1], [1, 2], [2, 3]]);
    expect(await readRecords(files, path)).toEqual(journal.records);
    expect((await open()).records).toEqual(committed);
  });

  it('CA14: a record the disk refuses is tried again and not lost, and nothing overtakes it', async () => {
    const { files, told, open } = scene();
    const journal = await open();
    files.failNth('appendLine', 1, 'ENOSPC', { suffix: 'trials.jsonl' });
    files.failNth('appendLine', 1, 'EIO', { suffix: 'trials.jsonl' });
    await Promise.all([journal.commit(outcome(1)), journal.commit(outcome(2))]);
    expect(told).toEqual([expect.stringContaining('ENOSPC'), expect.stringContaining('EIO'), 'fine']);
    expect((await readRecords(files, path)).map((one) => one.seed)).toEqual([1, 2]);
  });

  it('CA14: a record that reached the disk before the system reported a failure is not written twice', async () => {
    const { files, told, open } = scene();
    const journal = await open();
    const { appendLine } = files;
    let isFirst = true;
    files.appendLine = async (at, line) => {
      await appendLine(at, line);
      if (isFirst) throw fileError('EIO', at);
      isFirst = false;
    };
    await journal.commit(outcome(1));
    isFirst = false;
    await journal.commit(outcome(2));
    expect(told).toEqual([]);
    expect((await readRecords(files, path)).map((one) => [one.seq, one.seed])).toEqual([[0, 1], [1, 2]]);
  });

  it('CA14: stopped while the disk refuses, it gives the record up and leaves the file whole', async () => {
    const { files, open } = scene({ onDiskTrouble: () => Promise.resolve('give_up') });
    const journal = await open();
    await journal.commit(outcome(1));
    files.failNth('appendLine', 1, 'ENOSPC', { suffix: 'trials.jsonl', again: true });
    await expect(journal.commit(outcome(2))).rejects.toThrow(NotCommitted);
    await expect(journal.commit(outcome(3))).rejects.toThrow(NotCommitted);
    expect((await readRecords(files, path)).map((one) => one.seed)).toEqual([1]);
  });

  it('CA13: a newer schema, a damaged middle, a wrong value and a missing line are refused with the line, and nothing is written', async () => {
    const lines = [1, 2, 3].map((seed, seq) => JSON.stringify(recordOf(plan(seed), { seq })));
    const cases: readonly { readonly spoilt: readonly string[]; readonly code: string; readonly line: string }[] = [
      { spoilt: lines.with(1, (lines[1] ?? '').replace('"schema":1', '"schema":7')), code: 'newer_schema', line: `${path}:2` },
      { spoilt: lines.with(0, '{"schema":1,'), code: 'damaged', line: 'line 1' },
      { spoilt: lines.with(2, (lines[2] ?? '').replace('"seed":3', '"seed":-3')), code: 'damaged', line: 'line 3' },
      { spoilt: lines.toSpliced(1, 1), code: 'damaged', line: 'line 2' },
      { spoilt: [lines[0] ?? '', lines[0] ?? '', lines[2] ?? ''], code: 'damaged', line: 'line 2' },
    ];
    for (const { spoilt, code, line } of cases) {
      const { files, open } = scene();
      files.plant(path, `${spoilt.join('\n')}\n`);
      const before = files.contents();
      const refusal = await refusalOf(open());
      expect(refusal.code).toBe(code);
      expect(refusal.message).toContain(line);
      expect(files.contents()).toEqual(before);
    }
  });

  it('CA13: a torn tail was never acknowledged: it is set aside by the next record', async () => {
    const { files, open } = scene();
    files.plant(path, `${JSON.stringify(recordOf(plan(1), { seq: 0 }))}\n{"schema":1,"se`);
    const journal = await open();
    expect(journal.records.map((one) => one.seed)).toEqual([1]);
    await journal.commit(outcome(2));
    expect((await readRecords(files, path)).map((one) => [one.seq, one.seed])).toEqual([[0, 1], [1, 2]]);
    expect(Object.keys(files.contents('/run')).some((name) => name.includes('.torn-'))).toBe(true);
  });

  it('MT8: a journal that was removed or cut is told, kept beside, and never begun anew', async () => {
    const { files, told, open } = scene({
      onDiskTrouble: (reason) => {
        told.push(reason);
        if (told.length === 3) files.plant(path, files.contents('/run')[`${path}.kept`] ?? '');
        return Promise.resolve('again');
      },
    });
    const journal = await open();
    expect(await journal.loss()).toBeNull();
    for (const seed of [1, 2]) await journal.commit(outcome(seed));
    expect(await journal.loss()).toBeNull();
    const whole = files.contents('/run')[path] ?? '';
    files.plant(path, whole.slice(0, whole.indexOf('\n') + 1));
    expect(await journal.loss()).toContain('trials.jsonl was cut while the campaign ran; it held 2 records');
    await files.remove(path);
    expect(await journal.loss()).toContain('was removed or emptied');
    await journal.commit(outcome(3));
    expect(told).toEqual([...Array<unknown>(3).fill(expect.stringContaining('removed or emptied')), 'fine']);
    expect((await readRecords(files, path)).map((one) => one.seed)).toEqual([1, 2, 3]);
    expect(files.contents('/run')[`${path}.kept`]).toBe(whole);
  });
});

// What every Files port must do, asked of the real disk and of the one in memory.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import type { Files } from '../../../src-main/ports.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';

interface Kit {
  readonly files: Files;
  readonly root: string;
  addLink(path: string, target: string): void;
  addOther(path: string): void;
}

function realKit(): Kit {
  const root = mkdtempSync('/tmp/rlxp-t-');
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return { files: makeDiskFiles(), root, addLink: (path, target) => symlinkSync(target, path), addOther: (path) => void execFileSync('mkfifo', [path]) };
}

function fakeKit(): Kit {
  const files = makeFakeFiles({ wallMs: Date.now });
  files.plant('/work/.keep', '');
  return { files, root: '/work', addLink: files.addLink, addOther: files.addOther };
}

const refused = (code: string): unknown => expect.objectContaining({ code, path: expect.any(String) as string, message: expect.any(String) as string });

async function* inPieces(pieces: readonly string[], fault: Error | null = null): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(new TextEncoder().encode(piece));
  if (fault !== null) throw fault;
}

describe.each([['disk', realKit], ['memory', fakeKit]] as const)('%s', (_name, makeKit) => {
  const { files, root, addLink, addOther } = makeKit();
  const at = (...parts: string[]): string => join(root, ...parts);

  test('D37 content comes in pieces; a source that fails leaves the old file, and its error is the cause', async () => {
    await files.replaceFile(at('pieces'), inPieces(['one ', '', 'two']));
    expect(await files.readText(at('pieces'))).toBe('one two');
    const fault = new Error('the source broke');
    await expect(files.replaceFile(at('pieces'), inPieces(['half'], fault))).rejects.toMatchObject({ code: 'EUNKNOWN', cause: fault });
    expect(await files.readText(at('pieces'))).toBe('one two');
    expect((await files.list(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('D1 a file is replaced whole, keeps its mode, and becomes another file', async () => {
    await files.replaceFile(at('a'), 'one');
    await files.setMode(at('a'), 0o600);
    const before = await files.stat(at('a'));
    await files.replaceFile(at('a'), new Uint8Array([0xc3, 0xa4]));
    expect(await files.readText(at('a'))).toBe('ä');
    const after = await files.stat(at('a'));
    expect(after).toMatchObject({ kind: 'file', sizeBytes: 2, mode: 0o600 });
    expect(after?.identity).not.toBe(before?.identity);
    await files.replaceFile(at('a'), 'x', { mode: 0o640 });
    expect((await files.stat(at('a')))?.mode).toBe(0o640);
  });

  test('D2 what cannot be replaced is refused and leaves nothing behind', async () => {
    await files.makeFolder(at('d2', 'folder'));
    await expect(files.replaceFile(at('d2', 'missing', 'a'), 'x')).rejects.toEqual(refused('ENOENT'));
    await expect(files.replaceFile(at('d2', 'folder'), 'x')).rejects.toEqual(refused('EISDIR'));
    expect(await files.list(at('d2'))).toEqual(['folder']);
  });

  test('D3 reading: caps, slices, kinds that are no regular file, text that is no text', async () => {
    await files.replaceFile(at('r'), '0123456789');
    expect(await files.readText(at('r'), { maxBytes: 10 })).toBe('0123456789');
    await expect(files.readText(at('r'), { maxBytes: 9 })).rejects.toEqual(refused('ETOOBIG'));
    await expect(files.readBytes(at('r'), { maxBytes: 9 })).rejects.toEqual(refused('ETOOBIG'));
    const slice = async (offset: number, length: number): Promise<string> => Buffer.from(await files.readSlice(at('r'), offset, length)).toString();
    expect([await slice(0, 3), await slice(8, 5), await slice(10, 1), await slice(99, 1)]).toEqual(['012', '89', '', '']);
    await files.replaceFile(at('latin1'), new Uint8Array([0x61, 0xe4]));
    await expect(files.readText(at('latin1'))).rejects.toEqual(refused('EILSEQ'));
    expect(await files.readBytes(at('latin1'))).toEqual(new Uint8Array([0x61, 0xe4]));
    await expect(files.readText(at('none'))).rejects.toEqual(refused('ENOENT'));
    await expect(files.readText(root)).rejects.toEqual(refused('EISDIR'));
  });

  test('D4 a pipe is refused without waiting for its other end', async () => {
    addOther(at('pipe'));
    expect((await files.stat(at('pipe')))?.kind).toBe('other');
    for (const attempt of [
      () => files.readText(at('pipe')),
      () => files.readSlice(at('pipe'), 0, 1),
      () => files.appendLine(at('pipe'), '1'),
      () => files.truncate(at('pipe'), 0),
      () => files.copyFile(at('pipe'), at('copy')),
    ]) {
      await expect(attempt()).rejects.toEqual(refused('EINVAL'));
    }
    await files.remove(at('pipe'));
  });

  test('D5 a link is told as a link and never read or written through; its folders may be links', async () => {
    await files.makeFolder(at('real'));
    await files.replaceFile(at('real', 'target'), 'kept');
    addLink(at('link'), at('real', 'target'));
    addLink(at('linked-folder'), at('real'));
    expect((await files.stat(at('link')))?.kind).toBe('link');
    for (const attempt of [
      () => files.readText(at('link')),
      () => files.appendLine(at('link'), '1'),
      () => files.appendText(at('link'), 'x'),
      () => files.truncate(at('link'), 0),
      () => files.setMode(at('link'), 0o600),
      () => files.copyFile(at('link'), at('copy')),
    ]) {
      await expect(attempt()).rejects.toEqual(refused('ELOOP'));
    }
    await files.replaceFile(at('link'), 'mine');
    expect([await files.readText(at('link')), await files.readText(at('real', 'target'))]).toEqual(['mine', 'kept']);
    expect(await files.readText(at('linked-folder', 'target'))).toBe('kept');
    expect(await files.realPath(at('linked-folder', 'target'))).toBe(await files.realPath(at('real', 'target')));
    await files.remove(at('linked-folder'));
    expect(await files.readText(at('real', 'target'))).toBe('kept');
  });

  test('D6 a journal: appended lines are read back, a torn tail is moved aside, damage is told', async () => {
    const path = at('d6', 'trials.jsonl');
    expect(await files.readJournal(path)).toEqual({ lines: [], tornTail: null, damage: null });
    await files.makeFolder(at('d6'));
    for (const value of ['1', '{"a":"ä"}']) await files.appendLine(path, value);
    await files.appendText(path, '{"torn":');
    expect(await files.readJournal(path)).toMatchObject({ lines: [{ number: 1, text: '1' }, { number: 2, text: '{"a":"ä"}', value: { a: 'ä' } }], tornTail: { offset: 13 }, damage: null });
    await files.appendLine(path, '3');
    expect(await files.readJournal(path)).toMatchObject({ lines: [{ value: 1 }, {}, { value: 3 }], tornTail: null, damage: null });
    const side = (await files.list(at('d6'))).filter((name) => name.startsWith('trials.jsonl.torn-'));
    expect(side.length).toBe(1);
    expect(await files.readText(at('d6', side[0] ?? ''))).toBe('{"torn":');
    await files.appendText(path, 'not json\n4\n');
    expect(await files.readJournal(path)).toMatchObject({ damage: { line: 4, reason: 'not JSON' } });
  });

  test('D8 nothing lies below a file', async () => {
    await files.replaceFile(at('a-file'), 'x');
    expect(await files.stat(at('a-file', '.rlxp'))).toBeNull();
  });

  test('D7 what is no line is not appended, and nothing is made for it', async () => {
    for (const line of ['a\nb', '\n', `"${'x'.repeat(1024 * 1024)}"`]) await expect(files.appendLine(at('lines'), line)).rejects.toEqual(refused('EINVAL'));
    expect(await files.stat(at('lines'))).toBeNull();
    await expect(files.appendLine(at('nowhere', 'lines'), '1')).rejects.toEqual(refused('ENOENT'));
  });

  test('D7 appends at the same time within one process queue up', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => files.appendLine(at('many'), JSON.stringify({ index, text: 'x'.repeat(index * 50) }))));
    const { lines, damage } = await files.readJournal(at('many'));
    expect(damage).toBeNull();
    expect(lines.map((line) => (line.value as { index: number }).index)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  test('D8 folders, lists, moves, copies, removals', async () => {
    await files.makeFolder(at('f', 'g', 'h'));
    await files.makeFolder(at('f', 'g', 'h'));
    await files.replaceFile(at('f', 'g', 'b'), 'b');
    await files.setMode(at('f', 'g', 'b'), 0o640);
    await files.replaceFile(at('f', 'g', 'B'), 'B');
    expect(await files.list(at('f', 'g'))).toEqual(['B', 'b', 'h']);
    expect(await files.list(at('no-such'))).toEqual([]);
    await expect(files.list(at('f', 'g', 'b'))).rejects.toEqual(refused('ENOTDIR'));
    await expect(files.makeFolder(at('f', 'g', 'b'))).rejects.toEqual(refused('EEXIST'));
    await files.copyFile(at('f', 'g', 'b'), at('f', 'copy'));
    expect(await files.stat(at('f', 'copy'))).toMatchObject({ sizeBytes: 1, mode: 0o640 });
    await files.rename(at('f', 'g'), at('f', 'moved'));
    expect([await files.list(at('f')), await files.readText(at('f', 'moved', 'b'))]).toEqual([['copy', 'moved'], 'b']);
    await expect(files.rename(at('f', 'g'), at('x'))).rejects.toEqual(refused('ENOENT'));
    await files.remove(at('f'));
    await files.remove(at('f'));
    expect([await files.stat(at('f')), await files.list(at('f'))]).toEqual([null, []]);
  });

  test('D8 truncating, free space, and the real path', async () => {
    await files.replaceFile(at('t'), '0123456789');
    await files.truncate(at('t'), 3);
    expect(await files.readText(at('t'))).toBe('012');
    await expect(files.truncate(at('no-such'), 0)).rejects.toEqual(refused('ENOENT'));
    expect(await files.freeBytes(at('a folder', 'not made yet'))).toBeGreaterThan(0);
    await expect(files.realPath(at('no-such'))).rejects.toEqual(refused('ENOENT'));
  });

  test('D5 statEach says what stat says, of files, folders, links and nothing at all', async () => {
    await files.makeFolder(at('each'));
    await files.replaceFile(at('each', 'f'), 'abc');
    await addLink(at('each', 'l'), at('each', 'f'));
    const paths = [at('each'), at('each', 'f'), at('each', 'l'), at('each', 'none'), at('each', 'f', 'below')];
    expect(await files.statEach(paths)).toEqual(await Promise.all(paths.map((path) => files.stat(path))));
    expect((await files.statEach(paths)).map((stat) => stat?.kind)).toEqual(['folder', 'file', 'link', undefined, undefined]);
    expect(await files.statEach([])).toEqual([]);
  });

  test('D8 the time of a folder changes when a name comes or goes, and of no other folder', async () => {
    await files.makeFolder(at('times', 'below'));
    const timeOf = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return (await files.stat(at('times')))?.modifiedMs;
    };
    const times = [await timeOf()];
    for (const change of [
      () => files.replaceFile(at('times', 'a'), '1'),
      () => files.rename(at('times', 'a'), at('times', 'b')),
      () => files.remove(at('times', 'b')),
      () => files.makeFolder(at('times', 'c')),
    ]) {
      await change();
      times.push(await timeOf());
    }
    expect(new Set(times).size).toBe(5);
    await files.replaceFile(at('times', 'below', 'x'), '1');
    expect(await timeOf()).toBe(times.at(-1));
  });

  test('D9 a watch does not tell of the files it is to leave out', async () => {
    await files.makeFolder(at('quiet'));
    await files.appendText(at('quiet', 'console.log'), '1');
    let calls = 0;
    const stop = files.watch(at('quiet'), () => (calls += 1), { except: [at('quiet', 'console.log')] });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await files.appendText(at('quiet', 'console.log'), '2');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(calls).toBe(0);
    await files.appendText(at('quiet', 'other.log'), '2');
    await expect.poll(() => calls, { timeout: 5_000 }).toBeGreaterThan(0);
    stop();
  });

  test('D9 a watch tells of changes in a folder that was made after it began', async () => {
    await files.makeFolder(at('grows'));
    let calls = 0;
    const stop = files.watch(at('grows'), () => (calls += 1));
    await files.makeFolder(at('grows', 'later'));
    await expect.poll(() => calls, { timeout: 5_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = calls;
    await files.appendText(at('grows', 'later', 'x'), '1');
    await expect.poll(() => calls, { timeout: 5_000 }).toBeGreaterThan(before);
    stop();
  });

  test('D9 a watch hints at changes below it until it is stopped', async () => {
    await files.makeFolder(at('w'));
    let calls = 0;
    const stop = files.watch(at('w'), () => (calls += 1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await files.replaceFile(at('w', 'x'), '1');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(calls).toBeGreaterThan(0);
    stop();
    stop();
    const before = calls;
    await files.replaceFile(at('w', 'y'), '1');
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(calls).toBe(before);
    files.watch(at('not', 'there'), () => undefined)();
  });
});

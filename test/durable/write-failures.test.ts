// Every single call of a write made to fail, writes that come up short, and a disk that is really full.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { appendLine } from '../../src-main/durable/append-line.ts';
import { makeFolder, removeStaleTemps, tempPid } from '../../src-main/durable/folders.ts';
import { parseJournal, readJournal } from '../../src-main/durable/journal.ts';
import { replaceFile, tempName } from '../../src-main/durable/replace-file.ts';
import { failingDisk } from './support/failing-disk.ts';

const root = mkdtempSync('/tmp/rlxp-t-');
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'x'));
});

test.each(['EIO', 'ENOSPC', 'EACCES', 'EMFILE'])('D32 replaceFile with any one call failing (%s) rejects with that error and leaves the old or the new file and no temp', async (code) => {
  const path = join(folder, 'winner.json');
  let failed = 0;
  for (let nth = 1; ; nth += 1) {
    writeFileSync(path, 'old');
    const disk = failingDisk(nth, code);
    const outcome = await replaceFile(path, 'new content', { disk }).then(() => null, (error: unknown) => error);
    expect(readdirSync(folder)).toEqual(['winner.json']);
    if (outcome === null) {
      expect(disk.calls.length).toBeLessThan(nth);
      expect(readFileSync(path, 'utf8')).toBe('new content');
      break;
    }
    failed += 1;
    expect(outcome).toMatchObject({ code });
    // Only the sync of the folder comes after the rename.
    expect(readFileSync(path, 'utf8'), disk.calls.join(', ')).toBe(disk.calls.at(-1) === 'fsync of the folder' ? 'new content' : 'old');
  }
  expect(failed).toBe(7); // lstat, open, write, fsync, close, rename, fsync of the folder
});

test('D33 a write that takes only half of the bytes is no success', async () => {
  const path = join(folder, 'a');
  writeFileSync(path, 'old');
  const disk = failingDisk(3, 'ENOSPC', 'short');
  await expect(replaceFile(path, 'new content', { disk })).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(disk.calls.filter((call) => call === 'write').length).toBe(2);
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['old', ['a']]);
});

test.each([
  ['a whole journal', '{"n":1}\n', ['{"n":1}']],
  ['a torn one', '{"n":1}\n{"n":', ['{"n":1}']],
  ['a missing one', null, []],
] as const)('D34 appendLine on %s with any one call failing leaves every whole line and no half of a new one', async (_name, before, kept) => {
  const path = join(folder, 'trials.jsonl');
  for (let nth = 1; ; nth += 1) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    if (before !== null) writeFileSync(path, before);
    const disk = failingDisk(nth, 'EIO');
    const outcome = await appendLine(path, '{"n":2}', { disk }).then(() => null, (error: unknown) => error);
    const journal = await readJournal(path);
    expect(journal.damage).toBeNull();
    const texts = journal.lines.map((line) => line.text);
    if (outcome === null) {
      expect(texts).toEqual([...kept, '{"n":2}']);
      break;
    }
    expect(outcome).toMatchObject({ code: 'EIO' });
    // A close or a sync of the folder fails after the line is on disk: not acknowledged, and whole.
    const isLate = ['close', 'fsync of the folder'].includes(disk.calls.at(-1) ?? '') && texts.length > kept.length;
    expect(texts, disk.calls.join(', ')).toEqual(isLate ? [...kept, '{"n":2}'] : [...kept]);
    await appendLine(path, '{"n":3}');
    expect((await readJournal(path)).lines.at(-1)?.text).toBe('{"n":3}');
  }
});

test('D34 a short append is cut back, and bytes of another writer are never cut', async () => {
  const path = join(folder, 'j');
  writeFileSync(path, '1\n');
  const nth = 1 + failingCallsBefore(await callsOf(path), 'write');
  await expect(appendLine(path, '{"long":"xxxxxxxxxxxxxxxx"}', { disk: failingDisk(nth, 'ENOSPC', 'short') })).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n');
  const disk = failingDisk(1 + failingCallsBefore(await callsOf(path), 'fsync'), 'EIO');
  const open = disk.open.bind(disk);
  disk.open = async (...args) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle);
    return { ...handle, write: async (bytes, position) => { const count = await write(bytes, position); appendFileSync(path, `"somebody else's much longer line"\n`); return count; } };
  };
  await expect(appendLine(path, '3', { disk })).rejects.toMatchObject({ code: 'EIO' });
  expect(readFileSync(path, 'utf8')).toBe(`1\n2\n2\n3\n"somebody else's much longer line"\n`);

  /** Names of the calls of one good append (which adds the line 2). */
  async function callsOf(file: string): Promise<readonly string[]> {
    const plain = failingDisk(Infinity, 'EIO');
    await appendLine(file, '2', { disk: plain });
    return plain.calls;
  }
  function failingCallsBefore(calls: readonly string[], name: string): number {
    return calls.lastIndexOf(name);
  }
});

test('D35 a journal cut at every byte of its last three lines is repaired by the next append, the cut piece kept beside it', async () => {
  const lines = [1, 2, 3, 4].map((n) => JSON.stringify({ n, text: 'ä😀'.repeat(n) }));
  const golden = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const path = join(folder, 'j.jsonl');
  let repaired = 0;
  for (let length = Buffer.byteLength(lines[0] ?? ''); length <= golden.length; length += 1) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const cut = golden.subarray(0, length);
    writeFileSync(path, cut);
    const { lines: whole, tornTail } = parseJournal(cut);
    await appendLine(path, '"next"', { now: () => new Date(0) });
    expect((await readJournal(path)).lines.map((line) => line.text)).toEqual([...whole.map((line) => line.text), '"next"']);
    const side = readdirSync(folder).filter((name) => name !== 'j.jsonl');
    expect(side).toEqual(tornTail === null ? [] : ['j.jsonl.torn-19700101T000000000Z']);
    if (tornTail === null) continue;
    repaired += 1;
    expect(readFileSync(join(folder, side[0] ?? ''))).toEqual(Buffer.from(tornTail.bytes));
    expect(statSync(join(folder, side[0] ?? '')).mode & 0o777).toBe(0o600);
  }
  expect(repaired).toBeGreaterThan(100);
  // A second piece of the same instant does not overwrite the first; a piece longer than the first look is found whole.
  appendFileSync(path, `{"long":"${'z'.repeat(40_000)}`);
  await appendLine(path, '1', { now: () => new Date(0) });
  appendFileSync(path, '{"second');
  await appendLine(path, '1', { now: () => new Date(0) });
  expect(readdirSync(folder).filter((name) => name.includes('.torn-'))).toEqual(['j.jsonl.torn-19700101T000000000Z', 'j.jsonl.torn-19700101T000000000Z-1']);
  expect((await readJournal(path)).damage).toBeNull();
});

test('D36 on a really full disk replaceFile and appendLine reject with ENOSPC and leave every file as it was', async (context) => {
  const mount = join(folder, 'full');
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount], { stdio: 'pipe' });
  } catch (error) {
    process.stdout.write(`skipped: no tmpfs can be mounted here (${String(error).split('\n')[0] ?? ''})\n`);
    return context.skip();
  }
  try {
    const winner = join(mount, 'winner.json');
    const journal = join(mount, 'trials.jsonl');
    await replaceFile(winner, 'x'.repeat(30_021));
    await appendLine(journal, '{"n":1}');
    const before = readFileSync(winner, 'utf8');
    await expect(replaceFile(winner, 'y'.repeat(30_021))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(winner, 'utf8')).toBe(before);
    for (let round = 0; round < 3; round += 1) await expect(appendLine(journal, JSON.stringify('z'.repeat(40_000)))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(journal, 'utf8')).toBe('{"n":1}\n');
    await expect(appendLine(join(mount, 'new.jsonl'), JSON.stringify('z'.repeat(40_000)))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readdirSync(mount).sort()).toEqual(['trials.jsonl', 'winner.json']);
    // A torn tail that finds no room beside it stays where it is.
    appendFileSync(journal, `{"torn":"${'t'.repeat(12_000)}`);
    const torn = readFileSync(journal);
    writeFileSync(join(mount, 'ballast'), 'b'.repeat(12_000));
    await expect(appendLine(journal, '2')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(journal)).toEqual(torn);
    rmSync(join(mount, 'ballast'));
    rmSync(winner);
    await appendLine(journal, '2');
    expect((await readJournal(journal)).lines.map((line) => line.text)).toEqual(['{"n":1}', '2']);
  } finally {
    execFileSync('umount', [mount]);
  }
});

test('D37 modes: a new file follows the umask, a replaced one keeps its bits, an explicit mode holds against the umask', async () => {
  const path = join(folder, 'a');
  const old = process.umask(0o077);
  try {
    await replaceFile(path, '1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o755);
    await replaceFile(path, '2');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    await replaceFile(path, '3', { mode: 0o664 });
    expect(statSync(path).mode & 0o777).toBe(0o664);
  } finally {
    process.umask(old);
  }
});

test('D37 names of any length are replaced, and content may come in parts', async () => {
  const path = join(folder, 'ä'.repeat(127));
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one ');
    await Promise.resolve();
    yield Buffer.from('two');
  }
  await replaceFile(path, parts());
  expect(readFileSync(path, 'utf8')).toBe('one two');
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    await Promise.resolve();
    throw new Error('the source failed');
  }
  await expect(replaceFile(path, broken())).rejects.toThrow('the source failed');
  expect([readFileSync(path, 'utf8'), readdirSync(folder).length]).toEqual(['one two', 1]);
});

test('D38 temp files of dead processes are swept, those of living ones and everything else stay', async () => {
  const gone = tempName('a').replace(`.${process.pid}.`, '.999999999.');
  const own = tempName('a');
  for (const name of [gone, own, '.a.1.tmp', 'a.tmp', '.a.999999999.xyz.tmp']) writeFileSync(join(folder, name), '');
  symlinkSync('/etc/passwd', join(folder, gone.replace('.a.', '.link.')));
  const now = Date.now();
  expect(await removeStaleTemps(folder, { nowMs: now })).toEqual([]); // too young: it may be written on another machine
  expect(await removeStaleTemps(folder, { nowMs: now + 3_600_000 })).toEqual([gone]);
  expect(await removeStaleTemps(folder, { nowMs: now + 25 * 3_600_000 })).toEqual([own]);
  expect(readdirSync(folder).length).toBe(4);
  expect(await removeStaleTemps(join(folder, 'missing'), { nowMs: now })).toEqual([]);
  expect([tempPid(own), tempPid('.a.1.tmp')]).toEqual([process.pid, null]);
});

test('D39 every folder that is made is made durable in the one above it', async () => {
  const disk = failingDisk(Infinity, 'EIO');
  await makeFolder(join(folder, 'a', 'b', 'c'), disk);
  expect(disk.calls.filter((call) => call === 'fsync of the folder').length).toBe(3);
  await makeFolder(join(folder, 'a', 'b', 'c'), disk);
  expect(disk.calls.filter((call) => call === 'fsync of the folder').length).toBe(3);
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'), disk)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'x'), disk)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

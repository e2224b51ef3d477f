// Finding the repository and reading files of it, on a real disk with real links.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { makeDiskFiles } from '../../../src-main/adapters/disk-files.ts';
import { findRoot, requireRoot } from '../../../src-main/core/workspace/find-root.ts';
import { readRepoFile, whyUnsafe } from '../../../src-main/core/workspace/repo-read.ts';

const files = makeDiskFiles();
let folder = '';
let root = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rlxp-repo-')));
  root = path.join(folder, 'repo');
  mkdirSync(path.join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(path.join(root, '.rlxp'));
  mkdirSync(path.join(folder, 'repo-evil'));
  mkdirSync(path.join(folder, 'linked'));
  writeFileSync(path.join(root, 'src', 'a.py'), 'print(1)\n');
  writeFileSync(path.join(root, 'big.txt'), 'x'.repeat(100));
  writeFileSync(path.join(folder, 'repo-evil', 'x'), 'secret');
  symlinkSync('../repo-evil/x', path.join(root, 'link'));
  symlinkSync('..', path.join(root, 'up'));
  symlinkSync('src/a.py', path.join(root, 'inside'));
  symlinkSync('loop', path.join(root, 'loop'));
  symlinkSync('/dev/zero', path.join(root, 'zero'));
  symlinkSync(path.join(folder, 'repo-evil'), path.join(folder, 'linked', '.rlxp'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [path.join(root, 'pipe')]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function said(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing was refused';
  } catch (error) {
    if (error instanceof RefusalError) return `${error.refusal.code}: ${error.refusal.message}`;
    throw error;
  }
}

describe('reading a file of the repository', () => {
  test('F23 a regular file inside is read, also through a link that stays inside', async () => {
    expect(await readRepoFile(files, root, 'src/a.py')).toEqual({ path: path.join(root, 'src', 'a.py'), text: 'print(1)\n', sizeBytes: 9 });
    expect((await readRepoFile(files, root, './src/../src/a.py'.replace('../src/', ''))).sizeBytes).toBe(9);
    expect((await readRepoFile(files, root, 'inside')).path).toBe(path.join(root, 'src', 'a.py'));
  });

  test.each([
    ['../repo-evil/x', 'bad_input: The path "../repo-evil/x" goes up with `..`.'],
    ['src/../../repo-evil/x', 'bad_input: The path "src/../../repo-evil/x" goes up with `..`.'],
    ['link', 'bad_input: The path "link" leads out of the repository through a link.'],
    ['up/repo-evil/x', 'bad_input: The path "up/repo-evil/x" leads out of the repository through a link.'],
    ['zero', 'bad_input: The path "zero" leads out of the repository through a link.'],
    ['loop', 'invalid_file: "loop" is a chain of links without end.'],
    ['pipe', 'invalid_file: "pipe" is no regular file.'],
    ['src', 'invalid_file: "src" is no regular file.'],
    ['none', 'not_found: "none" does not exist.'],
    ['src/a.py/x', 'not_found: "src/a.py/x" does not exist.'],
  ])('F23 %s is refused', async (relative, message) => {
    expect(await said(readRepoFile(files, root, relative))).toBe(message);
  });

  test('F23 a file over the cap is refused', async () => {
    expect(await said(readRepoFile(files, root, 'big.txt', { maxBytes: 99 }))).toBe('invalid_file: "big.txt" has 100 bytes; at most 99 are read.');
  });

  test.each([
    ['', 'is empty'],
    ['/etc/passwd', 'is absolute'],
    ['C:\\x', 'is absolute'],
    ['c:x', 'is absolute'],
    ['\\\\server\\share', 'is absolute'],
    ['a\\..\\..\\b', 'goes up with `..`'],
    ['a\0b', 'holds a NUL character'],
    ['a'.repeat(4097), 'is longer than 4096 characters'],
    ['a.yaml:$DATA', 'holds a colon'],
    ['src/NUL.txt', 'names a device'],
    ['com1', 'names a device'],
    ['src./a', 'has a part that ends in a dot or a space'],
    ['a ', 'has a part that ends in a dot or a space'],
    ['./src/a.py', null],
    ['console/nulls.py', null],
  ])('F23 before the disk is asked, %j', (relative, why) => {
    expect(whyUnsafe(relative)).toBe(why);
  });
});

describe('finding the root', () => {
  test('F22 the nearest folder going up that holds .rlxp', async () => {
    expect(await findRoot(files, path.join(root, 'src', 'deep'))).toBe(root);
    expect(await findRoot(files, root)).toBe(root);
    expect(await findRoot(files, folder)).toBeNull();
    expect(await said(requireRoot(files, folder))).toBe(`not_a_repository: Neither ${folder} nor a folder above it holds .rlxp.`);
  });

  test('F22 a link in place of .rlxp is not followed', async () => {
    expect(await said(findRoot(files, path.join(folder, 'linked')))).toMatch(/^not_a_repository: .*\.rlxp is a link, so it is not used\.$/);
  });
});

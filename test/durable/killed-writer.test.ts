// Real processes that are killed while they write, at random instants and at chosen system calls; and a real user without rights.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendLine } from '../../src-main/durable/append-line.ts';
import { readJournal } from '../../src-main/durable/journal.ts';
import { bundle } from '../adapters/support/bundle.ts';

const root = mkdtempSync('/tmp/rlxp-t-');
afterAll(() => rmSync(root, { recursive: true, force: true }));
let bundleUrl = '';
beforeAll(async () => {
  bundleUrl = await bundle('test/durable/support/durable-entry.ts', 'durable');
});

/** Writes version after version and line after line, telling each that was acknowledged; at most `limit`. */
function writer(folder: string, limit: number): string {
  return `
    import { appendLine, replaceFile } from ${JSON.stringify(bundleUrl)};
    import { writeSync } from 'node:fs';
    for (let n = 1; n <= ${limit}; n += 1) {
      await replaceFile(${JSON.stringify(join(folder, 'winner.json'))}, JSON.stringify({ n, text: 'x'.repeat(5000), end: true }));
      await appendLine(${JSON.stringify(join(folder, 'trials.jsonl'))}, JSON.stringify({ n, text: 'y'.repeat(700) }));
      writeSync(1, n + '\\n');
    }`;
}

/** Checks what a killed writer left, appends once more, and gives how many of its lines were found. */
async function inspect(folder: string, acknowledged: number): Promise<number> {
  const winner = existsSync(join(folder, 'winner.json')) ? (JSON.parse(readFileSync(join(folder, 'winner.json'), 'utf8')) as { n: number; end: boolean }) : { n: 0, end: true };
  expect(winner.end).toBe(true);
  expect(winner.n).toBeGreaterThanOrEqual(acknowledged);
  const path = join(folder, 'trials.jsonl');
  const before = await readJournal(path);
  expect(before.damage).toBeNull();
  const numbers = before.lines.map((line) => (line.value as { n: number }).n);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(acknowledged);
  await appendLine(path, '{"n":-1}');
  const after = await readJournal(path);
  expect([after.lines.length, after.tornTail, after.damage]).toEqual([numbers.length + 1, null, null]);
  return numbers.length;
}

test('D40 a writer killed at a random instant loses nothing that it was told is written', async () => {
  let lines = 0;
  for (let round = 0; round < 6; round += 1) {
    const folder = join(root, `r${round}`);
    mkdirSync(folder);
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer(folder, 1e9)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    while (text === '') await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    lines += await inspect(folder, text.split('\n').length - 1);
  }
  process.stdout.write(`killed writers: 6 killed, ${lines} lines found, 0 acknowledged ones lost\n`);
});

test('D41 a writer killed at its nth fsync, write or rename loses nothing that it was told is written', async (context) => {
  if (spawnSync('strace', ['-V']).status !== 0) {
    process.stdout.write('skipped: strace is not installed\n');
    return context.skip();
  }
  let killed = 0;
  for (const [call, nth] of [['fsync', 1], ['fsync', 2], ['fsync', 3], ['fsync', 4], ['fsync', 5], ['rename', 1], ['rename', 2], ['ftruncate', 1]] as const) {
    const folder = join(root, `${call}-${nth}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'trials.jsonl'), '{"n":1}\n{"torn"');
    writeFileSync(join(folder, 'winner.json'), '{"n":1,"end":true}');
    const script = writer(folder, 4).replace('let n = 1', 'let n = 2');
    const run = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${nth}`, process.execPath, '--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' }, // strace counts calls by thread
    });
    if (run.signal === 'SIGKILL' || run.status === 137) killed += 1;
    await inspect(folder, Number(run.stdout.trim().split('\n').at(-1) || 1));
  }
  expect(killed).toBe(8);
});

test('D42 a user without rights gets EACCES and leaves every file and folder as it was', (context) => {
  if (process.getuid?.() !== 0) {
    process.stdout.write('skipped: only root can become another user\n');
    return context.skip();
  }
  const folder = join(root, 'locked');
  mkdirSync(folder);
  chmodSync(root, 0o755);
  writeFileSync(join(folder, 'winner.json'), 'old', { mode: 0o644 });
  writeFileSync(join(folder, 'trials.jsonl'), '1\n', { mode: 0o644 });
  const script = `
    import { appendLine, replaceFile } from ${JSON.stringify(bundleUrl)};
    const told = [];
    for (const work of [() => replaceFile(${JSON.stringify(join(folder, 'winner.json'))}, 'new'), () => appendLine(${JSON.stringify(join(folder, 'trials.jsonl'))}, '2'), () => appendLine(${JSON.stringify(join(folder, 'new.jsonl'))}, '2')]) {
      told.push(await work().then(() => 'done', (error) => error.code));
    }
    console.log(told.join());`;
  const run = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(run.stdout.trim()).toBe('EACCES,EACCES,EACCES');
  expect(readdirSync(folder)).toEqual(['trials.jsonl', 'winner.json']);
  expect([readFileSync(join(folder, 'winner.json'), 'utf8'), readFileSync(join(folder, 'trials.jsonl'), 'utf8')]).toEqual(['old', '1\n']);
});

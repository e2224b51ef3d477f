// Starts real processes under a terminal: their environment, their output to the last byte, their ends.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ConsoleFile } from '../../src-main/adapters/console-file.ts';
import { environment, makeLaunches } from './support/launches.ts';
import { scratchFolder } from './support/scratch.ts';
import { sleep, until } from './support/wait.ts';

const folder = scratchFolder();
const { processes, launch, shell } = makeLaunches(folder);

test('P1 arguments arrive as they were given, whatever is in them', async () => {
  const args = ['a b', "it's", '"', '$(id)', '`id`', ';', '*', '--flag', '', 'é😀', '\u202e', 'x'.repeat(255), 'line\nbreak', '\\'];
  const one = await launch([process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...args], { columns: 9_999 });
  expect(await one.exit).toEqual({ exitCode: 0, signal: null });
  expect(JSON.parse(readFileSync(one.consolePath, 'utf8'))).toEqual(args);
});

test('P2 the environment is the given one, the tag, and what a terminal sets (TERM, PWD)', async () => {
  const one = await launch([process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.env))'], { env: { ...environment, MINE: '1' }, tag: 'rlxp-p2', columns: 9_999 });
  await one.exit;
  expect(JSON.parse(readFileSync(one.consolePath, 'utf8'))).toEqual({ ...environment, MINE: '1', RLXP_TRIAL: 'rlxp-p2', TERM: 'xterm', PWD: folder });
});

test('P3 it has a terminal and leads a session and a group of its own', async () => {
  const one = await shell('test -t 0 && test -t 1 && test -t 2 && echo tty; stty size; cat /proc/$$/stat', { columns: 77, rows: 33 });
  await one.exit;
  const [tty, size, stat] = readFileSync(one.consolePath, 'utf8').split('\r\n');
  expect([tty, size]).toEqual(['tty', '33 77']);
  expect(stat?.slice(stat.lastIndexOf(')') + 4).split(' ').slice(1, 3)).toEqual([String(one.identity.pid), String(one.identity.pid)]);
});

test('P4 exits are told as they were: code, signal, and a start that cannot be', async () => {
  expect(await (await shell('exit 0')).exit).toEqual({ exitCode: 0, signal: null });
  expect(await (await shell('exit 7')).exit).toEqual({ exitCode: 7, signal: null });
  expect(await (await shell('kill -KILL $$')).exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect(await (await shell('kill -SEGV $$')).exit).toEqual({ exitCode: null, signal: 'SIGSEGV' });
  await expect(launch(['no-such-program'])).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(launch(['./console-1.log'])).rejects.toMatchObject({ code: 'EACCES' });
  await expect(launch(['/bin/true'], { cwd: join(folder, 'missing') })).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(launch(['/bin/true'], { consolePath: join(folder, 'missing', 'c.log') })).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(launch(['/bin/true'], { consolePath: folder })).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(launch(['/bin/true'], { tag: 'two words' })).rejects.toThrow(RangeError);
});

test('P4 a process that ends at once still has an identity, and it is not alive', async () => {
  for (let round = 0; round < 20; round += 1) {
    const one = await launch(['/bin/true']);
    expect(one.identity.pid).toBeGreaterThan(1);
    expect(await one.exit).toEqual({ exitCode: 0, signal: null });
    expect(await processes.isAlive(one.identity)).toBe(false);
  }
});

test('P5 a flood of 20 MB is complete in the file and takes no memory', async () => {
  const block = Buffer.alloc(1024 * 1024, 'abcdefghijklmnopqrstuvwxyz012345');
  const before = process.memoryUsage().rss;
  const one = await launch([process.execPath, '-e', `const b = Buffer.alloc(1048576, 'abcdefghijklmnopqrstuvwxyz012345'); for (let i = 0; i < 20; i += 1) require('fs').writeSync(1, b); console.log('LAST')`]);
  let heard = 0;
  one.onOutput((text) => (heard += text.length));
  await one.exit;
  const bytes = readFileSync(one.consolePath);
  expect(bytes.length).toBe(20 * 1024 * 1024 + 'LAST\r\n'.length);
  const expected = createHash('sha256');
  for (let index = 0; index < 20; index += 1) expected.update(block);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected.update('LAST\r\n').digest('hex'));
  expect(heard).toBe(bytes.length);
  expect(one.consoleTail().length).toBe(8 * 1024);
  expect(one.consoleTail().endsWith('LAST\r\n')).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test('P6 the last line of 30 short runs is in the file when exit resolves', async () => {
  let lost = 0;
  for (let round = 0; round < 30; round += 1) {
    const one = await shell(`head -c 3000 /dev/zero | tr '\\0' x; echo; echo "Traceback ${round}"`);
    await one.exit;
    if (!readFileSync(one.consolePath, 'utf8').endsWith(`Traceback ${round}\r\n`)) lost += 1;
  }
  expect(lost).toBe(0);
});

test('P6 nothing is lost when we are busy while processes exit', async () => {
  const sizes = Array.from({ length: 16 }, (_, index) => 3_000 + index * 4_000);
  const all = await Promise.all(sizes.map((size, index) => shell(`sleep 0.0${index % 10}; head -c ${size} /dev/zero | tr '\\0' x; echo; echo "Traceback ${size}"`)));
  let left = all.length;
  for (const one of all) void one.exit.then(() => (left -= 1));
  while (left > 0) {
    const busyUntil = performance.now() + 150 + Math.random() * 150; // the library closes 200 ms after an exit
    while (performance.now() < busyUntil);
    await sleep(1);
  }
  const lost = all.filter((one, index) => readFileSync(one.consolePath, 'utf8') !== `${'x'.repeat(sizes[index] ?? 0)}\r\nTraceback ${sizes[index]}\r\n`);
  expect(lost.length).toBe(0);
});

test('P6 a child that keeps the terminal does not hold up the exit of its parent', async () => {
  const one = await shell(`(trap '' HUP; sleep 5; echo late; sleep 30) & echo first`);
  const startedMs = performance.now();
  expect(await one.exit).toEqual({ exitCode: 0, signal: null });
  expect(performance.now() - startedMs).toBeLessThan(4_000);
  expect(readFileSync(one.consolePath, 'utf8')).toBe('first\r\n');
});

test('P7 a character split over two writes is one character for listeners and in the tail', async () => {
  const one = await shell(`printf 'a\\303'; sleep 0.1; printf '\\244b\\360\\237'; sleep 0.1; printf '\\230\\200c'; sleep 0.05; printf '\\377'`);
  const chunks: string[] = [];
  one.onOutput((text) => chunks.push(text));
  await one.exit;
  expect(chunks.join('')).toBe('aäb😀c\ufffd');
  expect(chunks.length).toBeGreaterThan(2);
  expect(readFileSync(one.consolePath)).toEqual(Buffer.concat([Buffer.from('aäb😀c'), Buffer.from([0xff])]));
});

test('P8 bytes are in the file before a listener hears of them, and a failing listener costs nothing', async () => {
  const one = await shell('for i in 1 2 3 4 5; do echo "line $i"; sleep 0.02; done');
  let heard = '';
  let isBehind = false;
  one.onOutput(() => {
    throw new Error('a fault of the listener');
  });
  const stop = one.onOutput((text) => {
    heard += text;
    if (statSync(one.consolePath).size < heard.length) isBehind = true;
  });
  await one.exit;
  stop();
  stop();
  expect(isBehind).toBe(false);
  expect(heard).toBe(readFileSync(one.consolePath, 'utf8'));
});

test('P8 a full disk costs the console nothing that still fits later, and the process nothing at all', async (context) => {
  const mount = join(folder, 'full');
  mkdirSync(mount);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount]).status !== 0) {
    process.stdout.write('skipped: no tmpfs can be mounted here\n');
    return context.skip();
  }
  try {
    writeFileSync(join(mount, 'ballast'), 'b'.repeat(60 * 1024));
    const one = await shell(`head -c 20000 /dev/zero | tr '\\0' x; echo FULL; while [ -e '${join(mount, 'ballast')}' ]; do sleep 0.02; done; echo END; exit 5`, { consolePath: join(mount, 'console.log') });
    await until('the flood', () => one.consoleTail().includes('FULL'));
    expect(statSync(join(mount, 'console.log')).size).toBeLessThan(5_000);
    rmSync(join(mount, 'ballast'));
    expect(await one.exit).toEqual({ exitCode: 5, signal: null });
    expect(readFileSync(join(mount, 'console.log'), 'utf8')).toBe(`${'x'.repeat(20_000)}FULL\r\nEND\r\n`);
  } finally {
    spawnSync('umount', [mount]);
  }
});

test('P8 what a full disk could not take in time is named in the file', () => {
  const path = join(folder, 'lost.log');
  const console = new ConsoleFile(path);
  const full = vi.spyOn(console as unknown as { put: (bytes: Buffer) => number }, 'put').mockImplementation(() => {
    throw new Error('ENOSPC');
  });
  for (let part = 0; part < 12; part += 1) console.write(Buffer.alloc(100 * 1024, String.fromCharCode(97 + part)));
  full.mockRestore();
  console.write(Buffer.from('end'));
  console.close();
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith(`\r\n[rlxp: ${200 * 1024 - 24 * 1024} bytes of output were lost here`)).toBe(true);
  expect(text.endsWith('lend')).toBe(true);
});

test('P9 a background process leads its own session, logs to its file, and is not waited for', async () => {
  const logPath = join(folder, 'background.log');
  const { identity } = await processes.startBackground({ argv: ['/bin/sh', '-c', 'echo out; echo err >&2; echo "[$RLXP_TRIAL$MINE]"; exec sleep 1000'], cwd: folder, env: { ...environment, MINE: '2' }, logPath });
  await until('its log', () => readFileSync(logPath, 'utf8') === 'out\nerr\n[2]\n');
  const stat = readFileSync(`/proc/${identity.pid}/stat`, 'utf8');
  expect(stat.slice(stat.lastIndexOf(')') + 4).split(' ').slice(1, 3)).toEqual([String(identity.pid), String(identity.pid)]);
  expect(await processes.isAlive(identity)).toBe(true);
  await processes.ask(identity, 'SIGTERM');
  await until('its end', async () => !(await processes.isAlive(identity)));
  await expect(processes.startBackground({ argv: ['nothing-here'], cwd: folder, env: environment, logPath })).rejects.toMatchObject({ code: 'ENOENT' });
});

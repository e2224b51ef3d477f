// Starts real processes under a terminal: their environment, their output to the last byte, their ends.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('P6 the last line of 30 short runs is in the file when exit resolves, also when we were busy', async () => {
  let lost = 0;
  for (let round = 0; round < 30; round += 1) {
    const one = await shell(`head -c 3000 /dev/zero | tr '\\0' x; echo; echo "Traceback ${round}"`);
    if (round % 3 === 0) {
      await sleep(4);
      const busyUntil = performance.now() + 260; // longer than the library leaves its end open
      while (performance.now() < busyUntil);
    }
    await one.exit;
    if (!readFileSync(one.consolePath, 'utf8').endsWith(`Traceback ${round}\r\n`)) lost += 1;
  }
  expect(lost).toBe(0);
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

test('P9 a background process leads its own session, logs to its file, and is not waited for', async () => {
  const logPath = join(folder, 'background.log');
  const identity = await processes.startBackground({ argv: ['/bin/sh', '-c', 'echo out; echo err >&2; echo "[$RLXP_TRIAL$MINE]"; exec sleep 1000'], cwd: folder, env: { ...environment, MINE: '2' }, logPath });
  await until('its log', () => readFileSync(logPath, 'utf8') === 'out\nerr\n[2]\n');
  const stat = readFileSync(`/proc/${identity.pid}/stat`, 'utf8');
  expect(stat.slice(stat.lastIndexOf(')') + 4).split(' ').slice(1, 3)).toEqual([String(identity.pid), String(identity.pid)]);
  expect(await processes.isAlive(identity)).toBe(true);
  await processes.ask(identity, 'SIGTERM');
  await until('its end', async () => !(await processes.isAlive(identity)));
  await expect(processes.startBackground({ argv: ['nothing-here'], cwd: folder, env: environment, logPath })).rejects.toMatchObject({ code: 'ENOENT' });
});

// The real ports put together, as the built entries use them: from one bundled file, in a process of their own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bundle } from './support/bundle.ts';
import { scratchFolder } from './support/scratch.ts';

const folder = scratchFolder();
let bundleUrl = '';

beforeAll(async () => {
  bundleUrl = await bundle('src-main/adapters/system-ports.ts', 'system-ports');
});

/** Runs `body` with `ports` and `folder` at hand; gives what it printed as JSON. */
function run(body: string): unknown {
  const script = `
    import { makeSystemPorts } from ${JSON.stringify(bundleUrl)};
    const folder = ${JSON.stringify(folder)};
    const ports = makeSystemPorts({ entryUrl: import.meta.url });
    const answer = await (async () => { ${body} })();
    console.log(JSON.stringify(answer));`;
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), RLXP_CONFIG_DIR: join(folder, 'config'), RLXP_RUNTIME_DIR: join(folder, 'run') };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env, cwd: folder });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('P28 putting the ports together makes nothing on disk, and a process with ports at rest ends by itself', () => {
  run('await ports.machine.hardware(); return ports.clock.monotonicMs();');
  expect(readdirSync(folder)).toEqual([]);
});

test('P28 from one bundled file every port works, the terminal library included', () => {
  mkdirSync(join(folder, 'work'), { recursive: true });
  const answer = run(`
    const lock = await ports.locks.take('k', 'test');
    const started = await ports.processes.start({ argv: ['/bin/sh', '-c', 'echo hello'], cwd: folder, env: {}, tag: 't-1', consolePath: folder + '/work/console.log' });
    const exit = await started.exit;
    const key = await ports.secrets.machineKey();
    ports.log.info('said');
    return { held: lock.held, exit, key: key.length, text: await ports.files.readText(folder + '/work/console.log'), boot: (await ports.processes.bootId()).length };`);
  expect(answer).toEqual({ held: true, exit: { exitCode: 0, signal: null }, key: 32, text: 'hello\r\n', boot: 36 });
  expect(readFileSync(join(folder, 'config', 'logs', 'rlxp.log'), 'utf8')).toContain('said');
  expect(existsSync(join(folder, 'config', 'machine.key'))).toBe(true);
});

test('P29 a process gets no open file of ours', () => {
  const answer = run(`
    const { openSync } = await import('node:fs');
    openSync(folder + '/work/console.log', 'r');
    const lock = await ports.locks.take('k', 'test');
    const idle = await ports.processes.start({ argv: ['/bin/sh', '-c', 'sleep 30'], cwd: folder, env: {}, tag: 't-2', consolePath: folder + '/work/idle.log' });
    const list = ['/bin/sh', '-c', 'for f in /proc/$$/fd/*; do readlink $f; done'];
    const one = await ports.processes.start({ argv: list, cwd: folder, env: {}, tag: 't-3', consolePath: folder + '/work/fds.log' });
    await one.exit;
    const { exit } = await ports.processes.startBackground({ argv: list, cwd: folder, env: {}, logPath: folder + '/work/fds-2.log' });
    await Promise.all([exit, ports.clock.sleep(10)]);
    await ports.processes.end(idle, { graceMs: 500 });
    return [await ports.files.readText(folder + '/work/fds.log'), await ports.files.readText(folder + '/work/fds-2.log')];`) as readonly [string, string];
  // Files and sockets are told by their names; what the test's own starter left open (a pipe) is not ours.
  const [terminal, background] = answer.map((text) => [...new Set(text.trim().split(/\r?\n/))].filter((name) => name.startsWith(folder) || name.startsWith('socket:')));
  expect(terminal).toEqual([]);
  expect(background).toEqual([join(folder, 'work', 'fds-2.log')]);
});

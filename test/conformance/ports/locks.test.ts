// What every Locks, Machine, Git, NodeRuntime and Log port must do, asked of the real ones and of the fakes.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFileLog } from '../../../src-main/adapters/file-log.ts';
import { makeGitCommand } from '../../../src-main/adapters/git-command.ts';
import { makeNodeRuntime } from '../../../src-main/adapters/node-runtime.ts';
import { makePtyProcesses } from '../../../src-main/adapters/pty-processes.ts';
import { makeSocketLocks } from '../../../src-main/adapters/socket-locks.ts';
import { makeSystemMachine } from '../../../src-main/adapters/system-machine.ts';
import { makeFakeGit, makeFakeLocks, makeFakeLog, makeFakeMachine, makeFakeNode } from '../../fakes/fake-small-ports.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';
import type { Log } from '../../../src-main/ports.ts';

const folder = mkdtempSync('/tmp/rlxp-t-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['sockets', makeSocketLocks({ folder: () => folder, processes: makePtyProcesses() })],
  ['fake', makeFakeLocks()],
])('%s', (_name, locks) => {
  test('L1 a lock is taken once, names its holder, and can be taken again when given back', async () => {
    expect(await locks.holder('k')).toBeNull();
    const first = await locks.take('k', 'campaign quick');
    if (!first.held) throw new Error('not held');
    const second = await locks.take('k', 'campaign other');
    expect(second).toMatchObject({ held: false, holder: { purpose: 'campaign quick', pid: expect.any(Number) as number, host: expect.any(String) as string } });
    expect(await locks.holder('k')).toEqual(second.held ? null : second.holder);
    const other = await locks.take('another key', 'x');
    expect(other.held).toBe(true);
    await first.release();
    expect(await locks.holder('k')).toBeNull();
    const third = await locks.take('k', 'y');
    expect(third.held).toBe(true);
    await first.release(); // long given back: it must not free the lock of the next one
    expect(await locks.holder('k')).toMatchObject({ purpose: 'y' });
    for (const one of [third, other]) if (one.held) await one.release();
  });
});

describe.each([['system', makeSystemMachine()], ['fake', makeFakeMachine()]] as const)('%s', (_name, machine) => {
  test('P21 a machine tells what it is, and guesses nothing about GPUs', async () => {
    const hardware = await machine.hardware();
    expect(hardware.usableCores).toBeGreaterThanOrEqual(1);
    expect(hardware.memoryBytes).toBeGreaterThan(0);
    expect(hardware.gpus).toBe('unknown');
    expect([machine.userName(), machine.hostName()]).not.toContain('');
    expect(machine.envNames()).toEqual([...machine.envNames()].sort());
    for (const name of machine.envNames()) expect(machine.env(name)).toBeTypeOf('string');
    expect(machine.env('RLXP_NO_SUCH_NAME')).toBeUndefined();
  });
});

const here = realpathSync(import.meta.dirname);
const fakeFacts = { root: here, commit: 'a'.repeat(40), branch: 'main', isDirty: false, diffDigest: null };

describe.each([
  ['git', makeGitCommand({ env: process.env }), here, folder],
  ['fake', makeFakeGit(fakeFacts, (path) => path.startsWith('node_modules/')), here, '/elsewhere'],
] as const)('%s', (_name, git, inside, outside) => {
  test('P31 facts inside a repository, null outside', async () => {
    const facts = await git.facts(inside);
    expect(facts?.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(inside.startsWith(facts?.root ?? '?')).toBe(true);
    expect(await git.facts(outside)).toBeNull();
  });

  test('P32 ignored paths inside, none outside', async () => {
    expect(await git.ignored(inside, ['node_modules/x', 'kept.ts'])).toEqual(new Set(['node_modules/x']));
    expect(await git.ignored(outside, ['node_modules/x'])).toEqual(new Set());
  });
});

const entryUrl = import.meta.url;
const realNode = makeNodeRuntime({ entryUrl, execPath: process.execPath, env: {}, isElectron: false, resourcesPath: null });

describe.each([['checkout', realNode], ['fake', makeFakeNode()]] as const)('%s', (_name, node) => {
  test('P24 the runtime names a Node, an engine folder and a version', () => {
    expect([node.execPath.startsWith('/'), node.engineFolder.endsWith(join('out', 'engine'))]).toEqual([true, true]);
    expect(node.version).toMatch(/^\d+\.\d+\.\d+/);
    if (node.commit !== null) expect(node.commit).toMatch(/^[0-9a-f]{40}$/);
  });
});

const fakeLog = makeFakeLog();
const fileLog = makeFileLog({ folder: () => folder, env: {} });
const fileLines = (): readonly Record<string, unknown>[] => readFileSync(join(folder, 'rlxp.log'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);

describe.each([
  ['file', fileLog, fileLines],
  ['fake', fakeLog, () => fakeLog.lines],
] as const)('%s', (_name, log: Log, lines: () => readonly object[]) => {
  test('P26 lines in order with their facts, and an id for each fault', () => {
    log.info('one', { a: 1 });
    log.warn('two');
    const id = log.fault(new Error('three'));
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(log.fault('four')).not.toBe(id);
    expect(lines()).toMatchObject([{ level: 'info', message: 'one', facts: { a: 1 } }, { level: 'warn', message: 'two' }, { level: 'fault', message: 'three', facts: { id } }, { level: 'fault', message: 'four' }]);
  });
});

test('P27 the fake ports stand on one clock and one disk', async () => {
  const ports = makeFakePorts({ programFor: () => ({ runsMs: 1_000, outputs: [{ afterMs: 10, text: 'hi' }] }) });
  await ports.files.makeFolder('/run');
  const one = await ports.processes.start({ argv: ['x'], cwd: '/', env: {}, tag: 't', consolePath: '/run/c.log' });
  const before = ports.clock.wallMs();
  expect(await ports.clock.settle(one.exit)).toEqual({ exitCode: 0, signal: null });
  expect(ports.clock.wallMs() - before).toBe(1_000);
  expect(ports.files.contents('/run')).toEqual({ '/run/c.log': 'hi' });
  ports.files.failNth('replaceFile', 2, 'ENOSPC', { suffix: '.json' });
  await ports.files.replaceFile('/run/a.json', '1');
  await ports.files.replaceFile('/run/a.txt', '1');
  await expect(ports.files.replaceFile('/run/a.json', '2')).rejects.toMatchObject({ code: 'ENOSPC', path: '/run/a.json' });
  expect(await ports.files.readText('/run/a.json')).toBe('1');
  await ports.files.replaceFile('/run/a.json', '3');
  ports.files.setFreeBytes(4);
  await expect(ports.files.appendLine('/run/l', '12345')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await ports.files.stat('/run/l')).toBeNull();
  ports.clock.suspend(60_000);
  expect(ports.clock.wallMs() - before).toBe(61_000);
  expect(ports.clock.monotonicMs()).toBe(1_000);
});

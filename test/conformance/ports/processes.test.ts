// What every Processes port must do, asked of real processes and of the scripted ones.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makePtyProcesses } from '../../../src-main/adapters/pty-processes.ts';
import type { ProcessIdentity, Processes, RunningProcess } from '../../../src-main/ports.ts';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';
import { makeFakeProcesses, type FakeProgram } from '../../fakes/fake-processes.ts';

type Spec = Pick<FakeProgram, 'runsMs' | 'outputs' | 'exitCode' | 'ignores' | 'exitCodeOnInterrupt'>;

interface Kit {
  readonly processes: Processes;
  readonly folder: string;
  argv(spec: Spec): readonly [string, ...string[]];
  pass(ms: number): Promise<void>;
  settle<T>(promise: Promise<T>): Promise<T>;
  read(path: string): Promise<string>;
  /** SIGSTOP, or SIGCONT. */
  suspend(identity: ProcessIdentity, isSuspended: boolean): void;
}

/** A real program that does what a scripted one does. */
function script(spec: Spec): string {
  const handlers = (spec.ignores ?? []).map((name) => `process.on('${name}', () => {});`);
  if (spec.exitCodeOnInterrupt !== undefined) handlers.push(`process.on('SIGINT', () => process.exit(${spec.exitCodeOnInterrupt}));`);
  const outputs = (spec.outputs ?? []).map(({ afterMs, text }) => `setTimeout(() => process.stdout.write(${JSON.stringify(text)}), ${afterMs});`);
  const end = spec.runsMs === 'forever' ? 'setInterval(() => {}, 1000);' : `setTimeout(() => process.exit(${spec.exitCode ?? 0}), ${spec.runsMs});`;
  return [...handlers, ...outputs, end].join('\n');
}

function realKit(): Kit {
  const folder = mkdtempSync('/tmp/rlxp-t-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    processes: makePtyProcesses(),
    folder,
    argv: (spec) => [process.execPath, '-e', script(spec)],
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    settle: (promise) => promise,
    read: (path) => Promise.resolve(readFileSync(path, 'utf8')),
    suspend: ({ pid }, isSuspended) => void process.kill(pid, isSuspended ? 'SIGSTOP' : 'SIGCONT'),
  };
}

function fakeKit(): Kit {
  const clock = makeFakeClock();
  const files = makeFakeFiles();
  files.plant('/work/.keep', '');
  const processes = makeFakeProcesses({ clock, files, programFor: ({ argv }) => JSON.parse(argv[1] ?? '') as FakeProgram });
  return { processes, folder: '/work', argv: (spec) => ['node', JSON.stringify(spec)], pass: clock.advance, settle: clock.settle, read: (path) => files.readText(path), suspend: processes.suspend };
}

describe.each([['real', realKit], ['fake', fakeKit]] as const)('%s', (kind, makeKit) => {
  const { processes, folder, argv, pass, settle, read, suspend } = makeKit();
  let count = 0;
  const start = (spec: Spec): Promise<RunningProcess> => {
    count += 1;
    return processes.start({ argv: argv(spec), cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, tag: `rlxp-c-${kind}-${count}`, consolePath: join(folder, `${count}.log`) });
  };

  test('P4 a process exits with its code, its output is in the file by then, and it is no longer alive', async () => {
    const one = await start({ runsMs: 150, outputs: [{ afterMs: 0, text: 'first ' }, { afterMs: 60, text: 'second' }], exitCode: 3 });
    const heard: string[] = [];
    one.onOutput((text) => heard.push(text));
    expect(await processes.isAlive(one.identity)).toBe(true);
    expect(await processes.identify(one.identity.pid)).toEqual(one.identity);
    expect(await settle(one.exit)).toEqual({ exitCode: 3, signal: null });
    expect(await read(join(folder, `${count}.log`))).toBe('first second');
    expect([one.consoleTail(), heard.join('')]).toEqual(['first second', 'first second']);
    expect([await processes.isAlive(one.identity), await processes.identify(one.identity.pid)]).toEqual([false, null]);
    expect(await settle(processes.end(one, { graceMs: 50 }))).toEqual({ by: 'already_gone', survivors: [] });
  });

  test('P13 ending climbs only as far as it must', async () => {
    const polite = await start({ runsMs: 'forever', exitCodeOnInterrupt: 0, outputs: [{ afterMs: 0, text: 'up' }] });
    const plain = await start({ runsMs: 'forever', outputs: [{ afterMs: 0, text: 'up' }] });
    const stubborn = await start({ runsMs: 'forever', ignores: ['SIGINT'], outputs: [{ afterMs: 0, text: 'up' }] });
    const deaf = await start({ runsMs: 'forever', ignores: ['SIGINT', 'SIGTERM'], outputs: [{ afterMs: 0, text: 'up' }] });
    for (const one of [polite, plain, stubborn, deaf]) while (one.consoleTail() === '') await pass(10);
    for (const [one, by, exit] of [
      [polite, 'SIGINT', { exitCode: 0, signal: null }],
      [plain, 'SIGINT', { exitCode: null, signal: 'SIGINT' }],
      [stubborn, 'SIGTERM', { exitCode: null, signal: 'SIGTERM' }],
      [deaf, 'SIGKILL', { exitCode: null, signal: 'SIGKILL' }],
    ] as const) {
      expect(await settle(processes.end(one, { graceMs: 100 }))).toEqual({ by, survivors: [] });
      expect(await settle(one.exit)).toEqual(exit);
    }
  });

  test('P17 living processes are found by the beginning of their tag', async () => {
    const first = await start({ runsMs: 'forever' });
    const second = await start({ runsMs: 'forever' });
    // A program just started carries its tag once it is executed.
    const found = async (prefix: string): Promise<readonly string[]> => (await processes.findTagged(prefix)).map(({ tag }) => tag).sort();
    while ((await found(`rlxp-c-${kind}-`)).length < 2) await pass(10);
    expect(await found(first.tag)).toEqual([first.tag]);
    expect(await found(`rlxp-c-${kind}-`)).toEqual([first.tag, second.tag].sort());
    await settle(processes.end({ identity: null, tag: first.tag }, { graceMs: 100 }));
    expect(await found(`rlxp-c-${kind}-`)).toEqual([second.tag]);
    await processes.ask(second.identity, 'SIGTERM');
    expect(await settle(second.exit)).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(await found(`rlxp-c-${kind}-`)).toEqual([]);
  });

  test('P15 the same number with another start time is another process', async () => {
    const one = await start({ runsMs: 'forever' });
    const other = { pid: one.identity.pid, startTime: '1' };
    expect(await processes.isAlive(other)).toBe(false);
    await processes.ask(other, 'SIGTERM');
    expect(await settle(processes.end({ identity: other, tag: 'rlxp-c-nobody' }, { graceMs: 20 }))).toEqual({ by: 'already_gone', survivors: [] });
    expect(await processes.isAlive(one.identity)).toBe(true);
    await settle(processes.end(one, { graceMs: 20 }));
  });

  test('P16 no tag, no ending; and never ourselves', async () => {
    await expect(processes.end({ identity: null, tag: '' }, { graceMs: 0 })).rejects.toThrow(RangeError);
    await expect(processes.findTagged('')).rejects.toThrow(RangeError);
    const self = await processes.self();
    await expect(processes.end({ identity: self, tag: 'x' }, { graceMs: 0 })).rejects.toThrow(RangeError);
    expect(await processes.isAlive(self)).toBe(true);
    expect(await processes.bootId()).toBe(await processes.bootId());
    expect(await processes.bootId()).not.toBe('');
  });

  test('P9 a background process logs to its file and can be asked to stop', async () => {
    const logPath = join(folder, 'background.log');
    const { identity } = await processes.startBackground({ argv: argv({ runsMs: 'forever', outputs: [{ afterMs: 0, text: 'hello' }] }), cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logPath });
    while ((await read(logPath)) !== 'hello') await pass(10);
    expect(await processes.isAlive(identity)).toBe(true);
    await processes.ask(identity, 'SIGTERM');
    while (await processes.isAlive(identity)) await pass(10);
  });

  test('P50 whoever started a background process learns of its end, by its code or its signal', async () => {
    const startOne = (spec: Spec) => processes.startBackground({ argv: argv(spec), cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logPath: join(folder, 'ends.log') });
    const coded = await startOne({ runsMs: 50, exitCode: 7 });
    expect(await settle(coded.exit)).toEqual({ exitCode: 7, signal: null });
    const killed = await startOne({ runsMs: 'forever' });
    await processes.ask(killed.identity, 'SIGTERM');
    expect(await settle(killed.exit)).toEqual({ exitCode: null, signal: 'SIGTERM' });
    expect(await processes.isAlive(killed.identity)).toBe(false);
  });

  test('P51 a stopped process is told as suspended, and lives', async () => {
    const { identity, exit } = await processes.startBackground({ argv: argv({ runsMs: 'forever' }), cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, logPath: join(folder, 'stopped.log') });
    expect(await processes.isSuspended(identity)).toBe(false);
    suspend(identity, true);
    while (!(await processes.isSuspended(identity))) await pass(5);
    expect(await processes.isAlive(identity)).toBe(true);
    expect(await processes.isSuspended({ ...identity, startTime: '1' })).toBe(false);
    suspend(identity, false);
    while (await processes.isSuspended(identity)) await pass(5);
    await processes.ask(identity, 'SIGTERM');
    await settle(exit);
    expect(await processes.isSuspended(identity)).toBe(false);
  });
});

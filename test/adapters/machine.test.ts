// Cores under control groups, the running Node, the log, and the process tables of other systems: all on texts.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { quotaCores, usableCores } from '../../src-main/adapters/cgroup-cores.ts';
import { makeFileLog } from '../../src-main/adapters/file-log.ts';
import { makeNodeRuntime, relaxedSimdFlags } from '../../src-main/adapters/node-runtime.ts';
import { parsePsLine, parsePsTag } from '../../src-main/adapters/process-table-ps.ts';
import { parseWindowsLine } from '../../src-main/adapters/process-table-windows.ts';
import { parseStat, tagIn } from '../../src-main/adapters/process-table.ts';
import { makeSystemMachine, sumOfPeaks } from '../../src-main/adapters/system-machine.ts';
import { removeGap } from '../../src-main/adapters/system-clock.ts';
import { scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();

test.each<[string, Readonly<Record<string, string>>, number | null]>([
  ['nothing there', {}, null],
  ['version 2, no limit', { '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': 'max 100000\n' }, null],
  ['version 2', { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/cpu.max': '150000 100000\n' }, 1.5],
  ['version 2, the group above is tighter', { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/cpu.max': '800000 100000\n', '/sys/fs/cgroup/a/cpu.max': '200000 100000\n' }, 2],
  ['version 2 in a container that sees the path of its host', { '/proc/self/cgroup': '0::/../../x\n', '/sys/fs/cgroup/cpu.max': '50000 100000\n' }, 0.5],
  ['version 1', { '/proc/self/cgroup': '5:cpu,cpuacct:/d/1\n', '/sys/fs/cgroup/cpu/d/1/cpu.cfs_quota_us': '300000\n', '/sys/fs/cgroup/cpu/d/1/cpu.cfs_period_us': '100000\n' }, 3],
  ['version 1, no limit', { '/proc/self/cgroup': '5:cpu:/\n', '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' }, null],
  ['garbage', { '/proc/self/cgroup': 'x\n0::/a', '/sys/fs/cgroup/a/cpu.max': 'what\n' }, null],
])('P20 cores follow the control groups: %s', (_name, tree, expected) => {
  expect(quotaCores((path) => tree[path] ?? null)).toBe(expected);
});

test('P20 usable cores are whole, at least one, and never more than affinity allows', () => {
  expect([usableCores(8, null), usableCores(8, 2.9), usableCores(8, 0.3), usableCores(2, 16)]).toEqual([8, 2, 1, 2]);
});

test('P21 the hardware is told without asking for a GPU', async () => {
  const machine = makeSystemMachine();
  const hardware = await machine.hardware();
  expect(hardware.usableCores).toBeGreaterThanOrEqual(1);
  expect(hardware.memoryBytes).toBeGreaterThan(64 * 1024 * 1024);
  expect(hardware.gpus).toBe('unknown');
  expect(machine.userName()).not.toBe('');
  expect(machine.envNames()).toContain('PATH');
  expect(machine.env('RLXP_NO_SUCH_NAME')).toBeUndefined();
});

test('P60 the memory of processes is the sum of their peaks, and of this one more than it has now', async () => {
  const status: Readonly<Record<string, string>> = { '/proc/7/status': 'Name:\tpython\nVmPeak:\t  900 kB\nVmHWM:\t     500 kB\nVmRSS:\t 20 kB\n', '/proc/8/status': 'VmHWM:\t 24 kB\n', '/proc/9/status': 'Name:\tkthreadd\n' };
  expect(sumOfPeaks([7, 8, 9, 10], (path) => status[path] ?? null)).toBe(524 * 1024);
  const own = await makeSystemMachine().peakMemoryBytes([process.pid]);
  expect(own).toSatisfy((bytes) => bytes === 'unknown' || Number(bytes) >= process.memoryUsage().rss * 0.5);
});

test('P22 a process name with brackets and spaces does not shift the fields of its row', () => {
  const rest = 'S 10 20 30 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2';
  const row = { pid: 7, parent: 10, group: 20, session: 30, startTime: '987654', isZombie: false, isStopped: false };
  for (const name of ['a', 'a b', ') R 1 2 3', '((', 'x) S 1 (y']) expect(parseStat(7, `7 (${name}) ${rest}`)).toEqual(row);
  expect(parseStat(7, `7 (a) ${rest.replace('S', 'T')}`)?.isStopped).toBe(true);
  expect(parseStat(7, `7 (a) ${rest.replace('S', 'Z')}`)?.isZombie).toBe(true);
  expect(parseStat(7, `7 (a) ${rest.replace('S', 'Z').replace('20 0 1 0', '20 0 4 0')}`)?.isZombie).toBe(false);
  expect(parseStat(7, '')).toBeNull();
});

test('P22 a tag is a whole variable, not the end of another one', () => {
  expect(tagIn(Buffer.from('A=1\0RLXP_TRIAL=t-1\0B=2\0'))).toBe('t-1');
  expect(tagIn(Buffer.from('RLXP_TRIAL=t-1'))).toBe('t-1');
  expect(tagIn(Buffer.from('NOT_RLXP_TRIAL=x\0A=RLXP_TRIAL=y\0RLXP_TRIAL=z\0'))).toBe('z');
  expect(tagIn(Buffer.from('NOT_RLXP_TRIAL=x\0'))).toBeNull();
});

test('P22 rows of ps and of PowerShell are read (the programs themselves have not run on their systems)', () => {
  expect(parsePsLine('  501     1   501 Ss   Mon Nov 30 09:42:29 2026    ')).toEqual([{ pid: 501, parent: 1, group: 501, session: 501, startTime: 'Mon Nov 30 09:42:29 2026', isZombie: false, isStopped: false }]);
  expect(parsePsLine('  503   501   501 T    Mon Nov 30 09:42:29 2026')[0]?.isStopped).toBe(true);
  expect(parsePsLine('  502   501   501 Z+   Mon Nov 30 09:42:29 2026')[0]?.isZombie).toBe(true);
  expect([parsePsLine(''), parsePsTag('1 launchd'), parseWindowsLine('Caption,x')]).toEqual([[], [], []]);
  expect(parsePsTag(' 501 python train.py HOME=/Users/a RLXP_TRIAL=t-1 LANG=C')).toEqual([[501, 't-1']]);
  expect(parseWindowsLine('4242,1,638999999999999999\r')).toEqual([{ pid: 4242, parent: 1, startTime: '638999999999999999', group: 0, session: 0, isZombie: false, isStopped: false }]);
});

test('P23 a gap in the beats of a clock that runs on during suspension is taken out of it', () => {
  let state = { lastBeatMs: 0, removedMs: 0 };
  for (const nowMs of [5_000, 10_000, 39_000]) state = removeGap(state, nowMs);
  expect(state).toEqual({ lastBeatMs: 39_000, removedMs: 0 });
  state = removeGap(state, 39_000 + 8 * 3600_000);
  expect(state.lastBeatMs - state.removedMs).toBe(39_000 + 5_000);
});

test('P24 the engine lies where the built entry says, and Electron is never the Node that runs it', () => {
  const root = join(scratch, 'checkout');
  for (const folder of ['out/engine/chunks', 'out/main', 'src-main/adapters', '.git/refs/heads', 'resources/engine/bin']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"version":"1.2.3"}');
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git', 'packed-refs'), `# pack-refs\n${'a'.repeat(40)} refs/heads/main\n`);
  const at = (entry: string, more = {}): ReturnType<typeof makeNodeRuntime> =>
    makeNodeRuntime({ entryUrl: pathToFileURL(join(root, entry)).href, execPath: '/usr/bin/node', env: { npm_node_execpath: '/opt/node' }, isElectron: false, resourcesPath: null, ...more });
  for (const entry of ['out/engine/cli.js', 'out/engine/chunks/x.js', 'out/main/electron.js', 'src-main/adapters/system-ports.ts']) {
    expect(at(entry)).toEqual({ execPath: '/usr/bin/node', engineFolder: join(root, 'out', 'engine'), version: '1.2.3', relaxedSimdFlags: relaxedSimdFlags(process.versions.node), commit: 'a'.repeat(40) });
  }
  expect([relaxedSimdFlags('20.20.2'), relaxedSimdFlags('22.1.0'), relaxedSimdFlags('24.4.0')]).toEqual([['--experimental-wasm-relaxed-simd'], [], []]);
  writeFileSync(join(root, '.git', 'refs', 'heads', 'main'), `${'b'.repeat(40)}\n`);
  expect(at('out/engine/cli.js').commit).toBe('b'.repeat(40));
  expect(at('out/main/electron.js', { isElectron: true, execPath: '/x/electron' }).execPath).toBe('/opt/node');
  const packaged = { isElectron: true, resourcesPath: join(root, 'resources') };
  expect(at('out/main/electron.js', packaged)).toMatchObject({ engineFolder: join(root, 'resources', 'engine'), execPath: '/opt/node' });
  writeFileSync(join(root, 'resources', 'engine', 'bin', process.platform === 'win32' ? 'node.exe' : 'node'), '');
  expect(at('out/main/electron.js', packaged).execPath).toContain(join('resources', 'engine', 'bin'));
});

test('P26 the log is private JSON lines, turns over at 5 MB, and never throws', () => {
  const folder = join(scratch, 'log');
  mkdirSync(folder);
  const log = makeFileLog({ folder: () => folder, env: { A_TOKEN: 'top-secret-value' }, now: () => new Date(0) });
  const circle: Record<string, unknown> = { nan: NaN, big: 10n, value: 'top-secret-value' };
  circle['self'] = circle;
  log.info('hello\nworld', circle);
  const id = log.fault(new Error('broken', { cause: new Error('why') }));
  log.warn('w');
  const lines = readFileSync(join(folder, 'rlxp.log'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toMatchObject({ at: '1970-01-01T00:00:00.000Z', level: 'info', message: 'hello\nworld', facts: { nan: 'NaN', big: '10', value: '[redacted]', self: '[circular]' } });
  expect(lines[1]).toMatchObject({ level: 'fault', message: 'broken', facts: { id, error: { name: 'Error', cause: { name: 'Error' } } } });
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(statSync(join(folder, 'rlxp.log')).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, 'rlxp.log'), 'x'.repeat(5 * 1024 * 1024 + 1));
  log.info('after');
  expect(readFileSync(join(folder, 'rlxp.log'), 'utf8').split('\n').length).toBe(2);
  expect(statSync(join(folder, 'rlxp.log.1')).size).toBe(5 * 1024 * 1024 + 1);
  const nowhere = makeFileLog({ folder: () => { throw new Error('no folder'); }, env: {} });
  nowhere.info('x');
  expect(nowhere.fault('odd')).toMatch(/^[0-9a-f]{8}$/);
});

// Ends real process trees and proves that nothing of them lives and nothing else was touched.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endTree } from '../../src-main/adapters/process-ending.ts';
import { makeProcessTable, type ProcessRow, type ProcessTable } from '../../src-main/adapters/process-table.ts';
import { makePtyProcesses } from '../../src-main/adapters/pty-processes.ts';
import { fiveProcesses, livingIn, makeLaunches, readPids } from './support/launches.ts';
import { scratchFolder } from './support/scratch.ts';
import { sleep, until } from './support/wait.ts';

const folder = scratchFolder();
const { processes, launch, shell } = makeLaunches(folder);

test('P10 the five-process tree is gone after end, and neighbours live on', async () => {
  const pidFile = join(folder, 'five');
  const neighbour = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const sibling = await shell('exec sleep 1000', { tag: 'rlxp-p10-ab' });
  const leader = await shell(fiveProcesses(pidFile), { tag: 'rlxp-p10-a' });
  await until('five processes', () => readPids(pidFile).length === 5);
  expect((await livingIn(pidFile, processes)).length).toBe(5);

  const report = await processes.end(leader, { graceMs: 200 });
  expect(report).toEqual({ by: 'SIGKILL', survivors: [] });
  expect(await livingIn(pidFile, processes)).toEqual([]);
  expect(await processes.isAlive(sibling.identity)).toBe(true);
  expect(await processes.identify(neighbour.pid as number)).not.toBeNull();
  expect(await leader.exit).toMatchObject({ exitCode: null });
  neighbour.kill('SIGKILL');
});

test('P11 strays are found by their tag alone, when the leader went long ago', async () => {
  const pidFile = join(folder, 'orphans');
  const tag = 'rlxp-p11';
  const note = `echo $$ >> '${pidFile}'; exec sleep 1000`;
  const leader = await shell(`setsid sh -c "${note.replaceAll('$', '\\$')}" & (sh -c "trap '' HUP; ${note.replaceAll('$', '\\$')}" &) ; sleep 0.2`, { tag });
  await leader.exit;
  await until('two orphans', () => readPids(pidFile).length === 2);
  expect((await processes.findTagged('rlxp-p1')).map((found) => found.tag)).toEqual([tag, tag]);
  const report = await processes.end({ identity: leader.identity, tag }, { graceMs: 200 });
  expect(report).toEqual({ by: 'SIGTERM', survivors: [] });
  expect(await livingIn(pidFile, processes)).toEqual([]);
  expect(await processes.end({ identity: null, tag }, { graceMs: 500 })).toEqual({ by: 'already_gone', survivors: [] });
});

test('CO5: the end of a launch reads no environment of what began before it, and that of everything later', async () => {
  const real = makeProcessTable();
  const asked: (readonly number[] | undefined)[] = [];
  const ours = makePtyProcesses({ ...real, tags: (among) => (asked.push(among), real.tags(among)) });
  const older = spawn('sleep', ['1000'], { stdio: 'ignore' });
  await sleep(50); // start times count in hundredths of a second
  const tag = 'rlxp-co5';
  const leader = await ours.start({ argv: ['sh', '-c', 'setsid sleep 1000 & exec sleep 1000'], cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, tag, consolePath: join(folder, 'co5') });
  await until('the stray', async () => (await ours.findTagged(tag)).length === 2);
  const younger = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const stray = (await ours.findTagged(tag)).find(({ identity }) => identity.pid !== leader.identity.pid);
  asked.length = 0;
  expect(await ours.end(leader, { graceMs: 500 })).toMatchObject({ survivors: [] });
  expect(await ours.findTagged(tag)).toEqual([]);
  expect(asked.length).toBeGreaterThan(2);
  const looks = asked.slice(0, -1);
  for (const among of looks) expect([among?.includes(older.pid as number), among?.includes(younger.pid as number)]).toEqual([false, true]);
  expect(looks[0]).toContain(stray?.identity.pid);
  // Whose launch nobody remembers, a stray for one, may have begun at any time: everything is read.
  asked.length = 0;
  await ours.end({ identity: { pid: younger.pid as number, startTime: 'another' }, tag }, { graceMs: 100 });
  for (const among of asked) expect(among).toContain(older.pid);
  for (const child of [older, younger]) child.kill('SIGKILL');
});

test('P12 a child that dropped the tag from its environment is still found by its parents and its session', async () => {
  const pidFile = join(folder, 'cleaned');
  const note = `echo $$ >> '${pidFile}'; exec sleep 1000`.replaceAll('$', '\\$');
  const leader = await shell(`env -i PATH="$PATH" sh -c "${note}" & env -i PATH="$PATH" setsid sh -c "${note}" & (env -i PATH="$PATH" sh -c "${note}" &); (env -i PATH="$PATH" sh -m -c "sh -c '${note}' &" &); wait`);
  await until('four children', () => readPids(pidFile).length === 4); // the last one orphaned, in a group of its own
  expect(await processes.end(leader, { graceMs: 500 })).toMatchObject({ survivors: [] });
  expect(await livingIn(pidFile, processes)).toEqual([]);
});

test('P13 each step of the ladder is taken only when the one before did not do', async () => {
  const polite = await shell('trap "echo bye; exit 0" INT; echo up; while :; do sleep 0.05; done');
  await until('it to start', () => polite.consoleTail().includes('up'));
  expect(await processes.end(polite, { graceMs: 2_000 })).toEqual({ by: 'SIGINT', survivors: [] });
  expect(await polite.exit).toEqual({ exitCode: 0, signal: null });
  expect(polite.consoleTail()).toContain('bye');

  const deafToInt = await shell('trap "" INT; echo up; while :; do sleep 0.05; done');
  await until('it to start', () => deafToInt.consoleTail().includes('up'));
  expect(await processes.end(deafToInt, { graceMs: 200 })).toEqual({ by: 'SIGTERM', survivors: [] });
  expect(await deafToInt.exit).toEqual({ exitCode: null, signal: 'SIGTERM' });

  const deaf = await shell('trap "" INT TERM HUP; echo up; while :; do sleep 0.05; done');
  await until('it to start', () => deaf.consoleTail().includes('up'));
  expect(await processes.end(deaf, { graceMs: 150 })).toEqual({ by: 'SIGKILL', survivors: [] });
  expect(await deaf.exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
  expect(await processes.end(deaf, { graceMs: 150 })).toEqual({ by: 'already_gone', survivors: [] });
});

test('P13 a Node process blocked in Atomics.wait ends, since a blocked thread hears no handler', async () => {
  const script = `process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); console.log('up');
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 10);`;
  const blocked = await launch([process.execPath, '-e', script]);
  await until('it to start', () => blocked.consoleTail().includes('up'));
  await sleep(60);
  expect(await processes.end(blocked, { graceMs: 200 })).toEqual({ by: 'SIGKILL', survivors: [] });
});

test('P14 a tree that forks while it is ended leaves nothing', async () => {
  const pidFile = join(folder, 'storm');
  const script = `
    const { spawn } = require('node:child_process'); const { appendFileSync } = require('node:fs');
    for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {});
    setInterval(() => { const c = spawn('sleep', ['1000'], { detached: Math.random() < 0.5, stdio: 'ignore' }); c.unref(); appendFileSync(${JSON.stringify(pidFile)}, c.pid + '\\n'); }, 20);
    console.log('up');`;
  const storm = await launch([process.execPath, '-e', script]);
  await until('some forks', () => readPids(pidFile).length >= 15);
  expect(await processes.end(storm, { graceMs: 300 })).toEqual({ by: 'SIGKILL', survivors: [] });
  const forks = readPids(pidFile).length;
  expect(await livingIn(pidFile, processes)).toEqual([]);
  process.stdout.write(`fork storm: ${forks} forks, 0 alive\n`);
});

test('P15 a process whose start time differs is never signalled', async () => {
  const neighbour = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const pid = neighbour.pid as number;
  const reused = { pid, startTime: '1' };
  expect(await processes.isAlive(reused)).toBe(false);
  await processes.ask(reused, 'SIGTERM');
  expect(await processes.end({ identity: reused, tag: 'rlxp-p15' }, { graceMs: 50 })).toEqual({ by: 'already_gone', survivors: [] });
  expect(await processes.identify(pid)).not.toBeNull();
  await processes.ask((await processes.identify(pid)) ?? reused, 'SIGTERM');
  await until('it to go', async () => (await processes.identify(pid)) === null);
});

test('P16 neither we ourselves nor an empty or odd tag can be ended', async () => {
  await expect(processes.end({ identity: await processes.self(), tag: 'x' }, { graceMs: 0 })).rejects.toThrow(RangeError);
  for (const tag of ['', 'a b', 'a\n', 'ä', 'x'.repeat(201)]) await expect(processes.end({ identity: null, tag }, { graceMs: 0 })).rejects.toThrow(RangeError);
  await expect(processes.findTagged('')).rejects.toThrow(RangeError);
});

/** A table that shows a list of rows per look, the last one for ever, and what was signalled. */
function scripted(looks: readonly (readonly ProcessRow[])[]): { readonly table: ProcessTable; readonly sent: string[]; readonly send: (pid: number, signal: string) => void } {
  let look = 0;
  const now = (): readonly ProcessRow[] => looks[Math.min(look, looks.length) - 1] ?? [];
  const sent: string[] = [];
  return {
    sent,
    send: (pid, signal) => void sent.push(`${signal} ${pid}`),
    table: {
      row: (pid) => Promise.resolve(now().find((row) => row.pid === pid) ?? null),
      rows() {
        look += 1;
        return Promise.resolve(now());
      },
      tags: () => Promise.resolve(new Map()),
    },
  };
}

const rowOf = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({ pid, startTime: `s${pid}`, parent: 1, group: 5_000_000, session: 5_000_000, isZombie: false, isStopped: false, ...more });
const leader = rowOf(5_000_000);
const target = { identity: { pid: leader.pid, startTime: leader.startTime }, tag: 't' };

test('P18 a process that nothing ends is named as a survivor', async () => {
  const stuck = rowOf(5_000_001, { parent: leader.pid });
  const { table, send } = scripted([[leader, stuck], [leader, stuck], [leader, stuck], [stuck]]);
  expect(await endTree(table, target, { graceMs: 10, vanishMs: 60, send })).toEqual({ by: 'SIGKILL', survivors: [{ pid: 5_000_001, startTime: 's5000001' }] });
});

test('P18 a process that one look misses is not taken for gone', async () => {
  const late = rowOf(5_000_001, { parent: leader.pid });
  const { table, sent, send } = scripted([[leader, late], [], [late], []]);
  expect(await endTree(table, target, { graceMs: 500, vanishMs: 500, send })).toMatchObject({ survivors: [] });
  expect(sent[0]).toBe('SIGINT -5000000');
});

test('P18 a child born between the kill and the proof is killed by the next look', async () => {
  const born = rowOf(5_000_002, { parent: 5_000_001, group: 5_000_002 });
  const deaf = rowOf(5_000_001, { parent: leader.pid, group: 5_000_001 });
  const { table, sent, send } = scripted([...Array.from({ length: 12 }, () => [leader, deaf]), [deaf, born], [], [born], [born], []]);
  expect(await endTree(table, target, { graceMs: 1, vanishMs: 5_000, send })).toEqual({ by: 'SIGKILL', survivors: [] });
  expect(sent).toContain('SIGKILL 5000002');
});

test('P19 a number that was given to somebody else meanwhile is never signalled, and a stranger in it is no member', async () => {
  const child = rowOf(5_000_001, { parent: leader.pid, group: 5_000_001, session: 5_000_001 });
  const strangers = [rowOf(5_000_000, { startTime: 'other' }), rowOf(5_000_001, { startTime: 'other', session: 5_000_001 }), rowOf(5_000_003, { parent: 5_000_001, session: 5_000_000 })];
  const { table, sent, send } = scripted([[leader, child], strangers]);
  expect(await endTree(table, target, { graceMs: 50, vanishMs: 50, send })).toEqual({ by: 'SIGINT', survivors: [] });
  expect(sent).toEqual(['SIGINT -5000000']);
});

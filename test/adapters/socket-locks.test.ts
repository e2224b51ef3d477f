// Locks across real processes: suspended, killed and racing holders.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { makePtyProcesses } from '../../src-main/adapters/pty-processes.ts';
import { makeSocketLocks } from '../../src-main/adapters/socket-locks.ts';
import { bundle } from './support/bundle.ts';
import { scratchFolder } from './support/scratch.ts';
import { until } from './support/wait.ts';

const scratch = scratchFolder();
const folder = join(scratch, 'run');
const processes = makePtyProcesses();
const locks = makeSocketLocks({ folder: () => folder, processes });
const children: ChildProcess[] = [];
let bundleUrl = '';

beforeAll(async () => {
  mkdirSync(folder, { mode: 0o700 });
  bundleUrl = await bundle('test/adapters/support/lock-entry.ts', 'locks');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that runs `body` with `locks` and `say(line)` at hand. */
function child(body: string): { readonly process: ChildProcess; readonly lines: string[]; readonly done: Promise<number | null> } {
  const script = `
    import { makeLocksOf, processes, sleep } from ${JSON.stringify(bundleUrl)};
    import { closeSync, openSync, unlinkSync } from 'node:fs';
    const locks = makeLocksOf(${JSON.stringify(folder)});
    const say = (line) => process.stdout.write(line + '\\n');
    ${body}`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(started);
  const lines: string[] = [];
  let text = '';
  started.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    lines.splice(0, lines.length, ...text.split('\n').slice(0, -1));
  });
  return { process: started, lines, done: new Promise((resolve) => started.on('close', resolve)) };
}

const holdForEver = `const got = await locks.take('repo', 'campaign quick'); say(String(got.held)); setInterval(() => {}, 1000);`;

test('L1 a lock that is taken is refused, naming the holder and its purpose', async () => {
  const first = child(holdForEver);
  await until('the first holder', () => first.lines[0] === 'true');
  const second = await locks.take('repo', 'campaign other');
  expect(second).toMatchObject({ held: false, holder: { pid: first.process.pid, purpose: 'campaign quick', bootId: await processes.bootId() } });
  expect(await locks.holder('repo')).toMatchObject({ pid: first.process.pid });
  expect(await locks.take('another repo', 'x')).toMatchObject({ held: true });
});

test('L2 a holder that was killed does not block, and its remains are swept away', async () => {
  const first = child(holdForEver);
  await until('the first holder', () => first.lines[0] === 'true');
  first.process.kill('SIGKILL');
  await first.done;
  expect(await locks.holder('repo')).toBeNull();
  const startedMs = performance.now();
  const second = await locks.take('repo', 'campaign other');
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  expect(second.held).toBe(true);
  if (second.held) await second.release();
  expect(readdirSync(folder).filter((name) => name.includes('.claim')).length).toBe(1); // the one of the other repository above
});

test('L2 what a killed holder started, and lives on, does not keep its lock', async () => {
  const first = child(`${holdForEver}
    const env = { PATH: process.env.PATH };
    const start = { argv: ['/bin/sh', '-c', 'trap "" HUP; sleep 30'], cwd: '/tmp', env, tag: 'rlxp-l2-left', consolePath: ${JSON.stringify(join(scratch, 'left.log'))}, logPath: ${JSON.stringify(join(scratch, 'left-2.log'))} };
    await processes.start(start);
    await processes.startBackground({ ...start, env: { ...env, RLXP_TRIAL: 'rlxp-l2-left' } });
    say('started');`);
  await until('its processes', () => first.lines[1] === 'started');
  first.process.kill('SIGKILL');
  await first.done;
  try {
    const second = await locks.take('repo', 'campaign other');
    expect(second.held).toBe(true);
    if (second.held) await second.release();
    expect((await processes.findTagged('rlxp-l2-left')).length).toBeGreaterThan(0);
  } finally {
    await processes.end({ identity: null, tag: 'rlxp-l2-left' }, { graceMs: 0 });
  }
});

test('L3 L9 a suspended holder keeps its lock, is named from its side file, and goes on unharmed', async () => {
  const first = child(`${holdForEver} setInterval(() => say('beat'), 50);`);
  await until('the first holder', () => first.lines[0] === 'true');
  first.process.kill('SIGSTOP');
  const startedMs = performance.now();
  try {
    expect(await locks.take('repo', 'campaign other')).toMatchObject({ held: false, holder: { pid: first.process.pid, purpose: 'campaign quick', answers: false } });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  } finally {
    first.process.kill('SIGCONT');
  }
  const beats = first.lines.length;
  await until('life after the suspension', () => first.lines.length > beats + 2);
  expect(await locks.holder('repo')).toMatchObject({ pid: first.process.pid, answers: true });
});

test('L4 four processes that race for a lock, a third of them killed while holding it: never two at once', async () => {
  const inside = join(scratch, 'inside');
  const body = `
    let wins = 0;
    for (let round = 0; round < 30; round += 1) {
      const got = await locks.take('raced', 'round ' + round);
      if (!got.held) { await sleep(Math.random() * 4); continue; }
      let file;
      try { file = openSync(${JSON.stringify(inside)}, 'wx'); } catch (error) { say('TWO ' + error.code); process.exit(3); }
      wins += 1; say('win');
      await sleep(Math.random() * 3);
      closeSync(file); unlinkSync(${JSON.stringify(inside)});
      if (Math.random() < 0.3) process.kill(process.pid, 'SIGKILL');
      await got.release();
    }
    say('done ' + wins);`;
  let wins = 0;
  let kills = 0;
  const endMs = performance.now() + 3_000;
  const runner = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const one = child(body);
      const code = await one.done;
      expect(one.lines.filter((line) => line.startsWith('TWO'))).toEqual([]);
      wins += one.lines.filter((line) => line === 'win').length;
      if (code === null) kills += 1;
    }
  };
  await Promise.all([runner(), runner(), runner(), runner()]);
  process.stdout.write(`lock race: ${wins} wins, ${kills} holders killed, 0 double\n`);
  expect(existsSync(inside)).toBe(false);
  expect(wins).toBeGreaterThan(10);
  expect(kills).toBeGreaterThan(1);
  expect((await locks.take('raced', 'after')).held).toBe(true);
}, 20_000);

test('L5 attempts at the same instant within one process: exactly one wins, nobody waits for a timeout', async () => {
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.all(Array.from({ length: 6 }, () => locks.take('crowd', 'x')));
    const winners = results.filter((result) => result.held);
    expect(winners.length).toBe(1);
    for (const winner of winners) if (winner.held) await winner.release();
    expect(await locks.holder('crowd')).toBeNull();
  }
});

test('L6 a lock whose runtime folder was removed is published again', async () => {
  const other = join(scratch, 'gone');
  mkdirSync(other, { mode: 0o700 });
  const { Claim } = await import('../../src-main/adapters/lock-claim.ts');
  const holder = { pid: 1, startTime: '1', bootId: 'b', host: 'h', purpose: 'p', since: 's' };
  const claim = await Claim.make(other, 'lock-x', holder);
  claim.hold();
  expect(claim.refresh()).toBe(true);
  rmSync(other, { recursive: true });
  expect(claim.refresh()).toBe(false);
  const again = await claim.again();
  const { askClaim } = await import('../../src-main/adapters/lock-claim.ts');
  expect(await askClaim(other, again.name)).toMatchObject({ state: 'held', holder });
  await again.withdraw();
  expect(readdirSync(other)).toEqual([]);
});

test('L7 giving back twice is harmless, and a stranger in the folder is no lock', async () => {
  writeFileSync(join(folder, 'something-else'), 'x');
  const got = await locks.take('twice', 'x');
  if (!got.held) throw new Error('not held');
  await got.release();
  await got.release();
  expect(await locks.holder('twice')).toBeNull();
});

test('L8 a runtime folder with a path too long for a socket is refused with the way out', async () => {
  const long = join(scratch, 'x'.repeat(90));
  mkdirSync(long);
  chmodSync(long, 0o700);
  await expect(makeSocketLocks({ folder: () => long, processes }).take('k', 'p')).rejects.toThrow(/RLXP_RUNTIME_DIR/);
});

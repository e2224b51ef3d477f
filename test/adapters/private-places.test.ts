// The folders and the key that only this user may reach.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeKeyFile } from '../../src-main/adapters/key-file.ts';
import { configFolder, logFolder, makePrivate, runtimeFolder, type Place } from '../../src-main/adapters/private-folder.ts';
import { bundle } from './support/bundle.ts';
import { scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();
const uid = process.getuid?.() ?? null;
const place = (env: Place['env'], platform = 'linux'): Place => ({ env, platform, uid, home: join(scratch, 'home'), tmp: join(scratch, 'tmp') });
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;
let keyBundle = '';

beforeAll(async () => {
  keyBundle = await bundle('src-main/adapters/key-file.ts', 'key-file');
});

test('D20 the runtime folder: told, else the session folder, else a folder of ours in the temporary one', () => {
  const session = join(scratch, 'session');
  mkdirSync(session);
  expect(runtimeFolder(place({ RLXP_RUNTIME_DIR: join(scratch, 'told') }))).toBe(join(scratch, 'told'));
  expect(runtimeFolder(place({ XDG_RUNTIME_DIR: session }))).toBe(join(session, 'rlxp'));
  expect(runtimeFolder(place({ XDG_RUNTIME_DIR: join(scratch, 'missing'), TMPDIR: '/x' }, 'darwin'))).toBe(join(scratch, 'tmp', `rlxp-${uid}`));
  if (!existsRunUser()) expect(runtimeFolder(place({ XDG_RUNTIME_DIR: 'relative' }))).toBe(join(scratch, 'tmp', `rlxp-${uid}`));
  for (const folder of ['told', 'session/rlxp', `tmp/rlxp-${uid}`]) expect(modeOf(join(scratch, folder))).toBe(0o700);
});

test('D20 the config and the log folder follow each platform', () => {
  const home = join(scratch, 'home');
  expect(configFolder(place({}))).toBe(join(home, '.config', 'rlxp'));
  expect(configFolder(place({ XDG_CONFIG_HOME: join(scratch, 'xdg') }))).toBe(join(scratch, 'xdg', 'rlxp'));
  expect(configFolder(place({}, 'darwin'))).toBe(join(home, 'Library', 'Application Support', 'rlxp'));
  expect(configFolder(place({ APPDATA: join(scratch, 'roaming') }, 'win32'))).toBe(join(scratch, 'roaming', 'rlxp'));
  expect(configFolder(place({ RLXP_CONFIG_DIR: join(scratch, 'conf') }, 'darwin'))).toBe(join(scratch, 'conf'));
  expect(logFolder(place({ XDG_STATE_HOME: join(scratch, 'state') }))).toBe(join(scratch, 'state', 'rlxp'));
  expect(logFolder(place({ RLXP_CONFIG_DIR: join(scratch, 'conf') }))).toBe(join(scratch, 'conf', 'logs'));
});

test('D21 a private folder left open is closed; a link, a file, or one of another user is refused', () => {
  const open = join(scratch, 'open');
  mkdirSync(open, { mode: 0o777 });
  chmodSync(open, 0o777);
  makePrivate(open, uid);
  expect(modeOf(open)).toBe(0o700);
  const shared = join(scratch, 'shared');
  mkdirSync(shared);
  writeFileSync(join(shared, 'of another program'), '');
  chmodSync(shared, 0o755);
  expect(() => runtimeFolder(place({ RLXP_RUNTIME_DIR: shared }))).toThrow(/chmod 700/);
  expect(modeOf(shared)).toBe(0o755);
  expect(() => configFolder(place({ RLXP_CONFIG_DIR: '/tmp' }))).toThrow(/Name a folder of its own|belongs to user/);
  symlinkSync(open, join(scratch, 'link'));
  expect(() => makePrivate(join(scratch, 'link'), uid)).toThrow(/rm '/);
  expect(() => makePrivate(open, 4242)).toThrow(/belongs to user/);
});

test('D22 the machine key is 32 bytes, made once, 0600, and the same for every process', async () => {
  const folder = makePrivate(join(scratch, 'keys'), uid);
  const secrets = makeKeyFile({ folder: () => folder, uid });
  const key = await secrets.machineKey();
  expect(key.length).toBe(32);
  expect(await secrets.machineKey()).toEqual(key);
  expect(await makeKeyFile({ folder: () => folder, uid }).machineKey()).toEqual(key);
  expect(modeOf(join(folder, 'machine.key'))).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['machine.key']);
});

test('D22 twenty that start at once get one key', async () => {
  const folder = makePrivate(join(scratch, 'race'), uid);
  const keys = await Promise.all(Array.from({ length: 20 }, () => makeKeyFile({ folder: () => folder, uid }).machineKey()));
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['machine.key']);
});

test('D23 a key that others can read, that is not ours, or that is damaged is refused with the fix', async () => {
  const folder = makePrivate(join(scratch, 'bad'), uid);
  const path = join(folder, 'machine.key');
  const secrets = makeKeyFile({ folder: () => folder, uid });
  await secrets.machineKey();
  chmodSync(path, 0o640);
  await expect(secrets.machineKey()).rejects.toMatchObject({ code: 'EKEYOPEN', fix: expect.stringContaining(`chmod 600 '${path}'`) as string });
  chmodSync(path, 0o600);
  await expect(makeKeyFile({ folder: () => folder, uid: 4242 }).machineKey()).rejects.toMatchObject({ code: 'EKEYOWNER' });
  for (const text of ['', 'short\n', `${'0'.repeat(64)}`, `${'g'.repeat(64)}\n`, 'x'.repeat(5000)]) {
    writeFileSync(path, text);
    await expect(secrets.machineKey()).rejects.toMatchObject({ code: 'EKEYDAMAGED' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  rmSync(path);
  symlinkSync('/dev/zero', path);
  await expect(secrets.machineKey()).rejects.toMatchObject({ code: 'EKEYDAMAGED' });
});

test('D23 another user cannot make us use his folder, and gets no key out of ours', (context) => {
  if (uid !== 0) {
    process.stdout.write('skipped: only root can become another user\n');
    return context.skip();
  }
  const folder = makePrivate(join(scratch, 'ours'), uid);
  execFileSync('chmod', ['755', scratch]);
  const script = `import { makeKeyFile } from ${JSON.stringify(keyBundle)}; await makeKeyFile({ folder: () => ${JSON.stringify(folder)}, uid: 65534 }).machineKey().catch((error) => console.log(error.code));`;
  const other = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(other.stdout.trim()).toBe('EACCES');
});

function existsRunUser(): boolean {
  return lstatSync(`/run/user/${uid}`, { throwIfNoEntry: false }) !== undefined;
}

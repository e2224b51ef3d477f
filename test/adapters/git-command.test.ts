// Facts of real repositories, and a repository whose own configuration names programs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBounded } from '../../src-main/adapters/bounded-command.ts';
import { makeGitCommand } from '../../src-main/adapters/git-command.ts';
import { scratchFolder } from './support/scratch.ts';
import { until } from './support/wait.ts';

const scratch = realpathSync(scratchFolder());
const git = makeGitCommand({ env: process.env });
const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b', GIT_CONFIG_NOSYSTEM: '1', HOME: scratch, PATH: process.env['PATH'] };

function run(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: identity, encoding: 'utf8' });
}

function repository(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  run(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'train.py'), 'a = 1\n');
  writeFileSync(join(folder, '.gitignore'), 'runs/\n*.pt\n');
  run(folder, 'add', '.');
  run(folder, 'commit', '-q', '-m', 'x');
  return folder;
}

test('P30 a clean repository, one with an edit, one with a new file, and our own files, which never count', async () => {
  const folder = repository('plain');
  mkdirSync(join(folder, 'sub'));
  const commit = run(folder, 'rev-parse', 'HEAD').trim();
  expect(await git.facts(join(folder, 'sub'))).toEqual({ root: folder, commit, branch: 'main', isDirty: false, diffDigest: null });
  mkdirSync(join(folder, '.rlxp'));
  writeFileSync(join(folder, '.rlxp', 'ledger.jsonl'), '{}\n');
  expect((await git.facts(folder))?.isDirty).toBe(false);
  writeFileSync(join(folder, 'new.py'), '');
  expect(await git.facts(folder)).toMatchObject({ isDirty: true, diffDigest: null });
  writeFileSync(join(folder, 'train.py'), 'a = 2\n');
  const digest = createHash('sha256').update(run(folder, 'diff', 'HEAD')).digest('hex');
  expect(await git.facts(folder)).toMatchObject({ isDirty: true, diffDigest: digest });
  run(folder, 'checkout', '-q', '--detach');
  expect(await git.facts(folder)).toMatchObject({ branch: null, commit });
});

test('P31 no repository, no commit yet, no folder, no git: null or unknown, never an error', async () => {
  const bare = join(scratch, 'none');
  mkdirSync(bare);
  expect(await git.facts(bare)).toBeNull();
  expect(await git.facts(join(scratch, 'missing'))).toBeNull();
  expect(await makeGitCommand({ env: process.env, program: 'no-such-git' }).facts(repository('real'))).toBeNull();
  expect(await git.ignored(bare, ['a'])).toEqual(new Set());
  run(bare, 'init', '-q');
  expect(await git.facts(bare)).toMatchObject({ root: bare, commit: null, diffDigest: null });
});

test('P32 ignored paths are told, whatever characters they hold', async () => {
  const folder = repository('ignored');
  const odd = 'runs/ä "x"\n.txt';
  expect(await git.ignored(folder, ['train.py', 'runs/a', 'best.pt', odd, '-x.pt', 'src/a.py'])).toEqual(new Set(['runs/a', 'best.pt', odd, '-x.pt']));
  expect(await git.ignored(folder, [])).toEqual(new Set());
});

test('P33 programs that a repository names in its configuration are not run', async () => {
  const folder = repository('hostile');
  const proof = join(scratch, 'proof');
  const evil = join(folder, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\ntouch '${proof}'\ncat\n`);
  chmodSync(evil, 0o755);
  for (const name of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.editor', 'diff.external', 'diff.x.command', 'diff.x.textconv', 'pager.diff', 'credential.helper']) run(folder, 'config', name, evil);
  mkdirSync(join(folder, 'hooks'));
  run(folder, 'config', 'core.hooksPath', join(folder, 'hooks'));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout']) {
    writeFileSync(join(folder, 'hooks', hook), `#!/bin/sh\ntouch '${proof}'\n`);
    chmodSync(join(folder, 'hooks', hook), 0o755);
  }
  writeFileSync(join(folder, '.gitattributes'), '*.py diff=x\n');
  writeFileSync(join(folder, 'train.py'), 'a = 3\n');
  run(folder, '--no-pager', 'diff', 'HEAD'); // a plain git does run them, so the trap is set
  expect(existsSync(proof)).toBe(true);
  rmSync(proof);
  expect(await git.facts(folder)).toMatchObject({ isDirty: true, diffDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  await git.ignored(folder, ['a']);
  expect(existsSync(proof)).toBe(false);

  run(folder, 'config', 'filter.x.clean', evil);
  writeFileSync(join(folder, '.gitattributes'), '*.py filter=x\n');
  expect(await git.facts(folder)).toMatchObject({ isDirty: null, diffDigest: null });
  expect(existsSync(proof)).toBe(false);
});

test('P34 a git that hangs with a deaf child on its pipe is over at the limit, and nothing of it lives', async () => {
  const pidFile = join(scratch, 'pids');
  const slow = join(scratch, 'slow-git');
  writeFileSync(slow, `#!/bin/sh\ntrap '' TERM INT\necho $$ > '${pidFile}'\nsh -c 'trap "" TERM INT HUP; echo $$ >> ${pidFile}; exec sleep 100' &\nwait; sleep 100\n`);
  chmodSync(slow, 0o755);
  const startedMs = performance.now();
  expect(await makeGitCommand({ env: process.env, program: slow, limitMs: 300 }).facts(scratch)).toBeNull();
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  const pids = execFileSync('cat', [pidFile], { encoding: 'utf8' }).trim().split('\n').map(Number);
  expect(pids.length).toBe(2);
  await until('both to be gone', () => pids.every((pid) => !existsSync(`/proc/${pid}/fd/0`)));
});

test('P34 a command that prints without end is cut off', async () => {
  expect(await runBounded({ argv: ['/bin/sh', '-c', 'yes'], cwd: scratch, env: { PATH: '/usr/bin:/bin' }, limitMs: 5_000, maxBytes: 100_000 })).toEqual({ state: 'too_long' });
  expect(await runBounded({ argv: ['/bin/sh', '-c', 'kill -9 $$'], cwd: scratch, env: { PATH: '/usr/bin:/bin' }, limitMs: 5_000, maxBytes: 100 })).toEqual({ state: 'failed', reason: 'ended by SIGKILL' });
});

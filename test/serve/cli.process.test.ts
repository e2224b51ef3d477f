// The real `rlxp` command in processes of its own: piped, and at a pseudo-terminal.
import { execFile, spawn as spawnPiped } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The library's own types are for CommonJS. */
interface Pty {
  spawn(file: string, args: readonly string[], options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly cols: number; readonly rows: number }): {
    onData(listener: (text: string) => void): void;
    onExit(listener: (exit: { readonly exitCode: number }) => void): void;
    write(keys: string): void;
  };
}
const { spawn } = createRequire(import.meta.url)('node-pty') as Pty;

const bin = fileURLToPath(new URL('../../bin/rlxp.mjs', import.meta.url));
let home = '';
let root = '';

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'rlxp-cli-')));
  root = join(home, 'project');
  const made = await run(['--version']);
  expect(made.code).toBe(0);
  await mkdir(join(root, 'deep', 'er'), { recursive: true });
});

afterAll(() => rm(home, { recursive: true, force: true }));

describe('rlxp, piped', () => {
  it('T44, T46, T51: starts a project, finds it from below, and refuses to start it twice', async () => {
    expect(await run(['init', '--root', root, '--project', 'Cart'])).toMatchObject({ code: 0 });
    const shown = await run(['contract', 'show'], { cwd: join(root, 'deep', 'er') });
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(/^Cart\n/);
    expect(shown.out).not.toMatch(/[\u001b\r]/);
    const again = await run(['init', '--root', root, '--project', 'Cart', '--json']);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([3, { refusal: { code: 'already_exists' } }]);
  });

  it('T51: outside a project and for wrong words it says so', async () => {
    const outside = await run(['contract', 'show', '--json', '--root', home]);
    expect([outside.code, JSON.parse(outside.out)]).toMatchObject([3, { refusal: { code: 'not_a_repository' } }]);
    expect(await run(['contrakt'])).toMatchObject({ code: 2, out: '' });
  });

  it('T21, T48: a script cannot confirm, whatever it writes to standard input', async () => {
    await run(['contract', 'set', 'budget', '--root', root, '--value', '{"wall_hours": 1, "per_trial_s": 60}']);
    const tried = await run(['contract', 'confirm', 'budget', '--root', root], { stdin: 'budget\n' });
    expect(tried).toMatchObject({ code: 3, out: '' });
    expect(tried.err).toContain('only a person');
  });

  it('ends quietly when the reader of a pipe goes away', async () => {
    const child = spawnPiped(process.execPath, [bin, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    expect(err).not.toContain('EPIPE');
  });
});

describe('rlxp, at a terminal', () => {
  it('T48: confirms a gate for a person who types its name, and records who', async () => {
    const { code, screen } = await atTerminal(['contract', 'confirm', 'budget', '--root', root], 'budget\r');
    expect(screen).toContain('wall_hours: 1');
    expect(screen).toContain('confirmed the gate budget');
    expect(code).toBe(0);
    const contract = await readFile(join(root, '.rlxp', 'contract.yaml'), 'utf8');
    expect(contract).toContain('status: confirmed');
  });

  it('T54: what was typed before the question stood there confirms nothing', async () => {
    await run(['contract', 'set', 'metric', '--root', root, '--value', '{"primary": "score"}']);
    // The name, once as a whole line and once unfinished; then Enter alone as the answer.
    const ahead = await atTerminal(['contract', 'confirm', 'metric', '--root', root], '\r', 'metric\rmetric');
    expect(ahead.code).toBe(3);
    expect(ahead.screen).toContain('nothing was typed');
    expect(await atTerminal(['contract', 'confirm', 'metric', '--root', root], 'metric\r', 'no\r')).toMatchObject({ code: 0 });
  });

  it.each([
    ['another name', 'bugdet\r', 3],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 3],
  ])('T48, T51: %s confirms nothing', async (_what, keys, expected) => {
    await run(['contract', 'set', 'task', '--root', root, '--value', '{"task": "cartpole"}']);
    const { code } = await atTerminal(['contract', 'confirm', 'task', '--root', root], keys);
    expect(code).toBe(expected);
    const shown = await run(['contract', 'show', '--json', '--root', root]);
    expect(JSON.parse(shown.out)).toMatchObject({ output: { gates: expect.arrayContaining([expect.objectContaining({ gate: 'task', status: 'draft' })]) as unknown } });
  });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], options: { readonly cwd?: string; readonly stdin?: string } = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { cwd: options.cwd ?? home, env: environment() }, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, out, err: err.replace(/^rlxp: building.*\n/, '') });
    });
    child.stdin?.end(options.stdin ?? '');
  });
}

/** Types `keys` once the question stands, and `ahead` at once. */
function atTerminal(args: readonly string[], keys: string, ahead = ''): Promise<{ readonly code: number; readonly screen: string }> {
  return new Promise((resolve) => {
    const terminal = spawn(process.execPath, [bin, ...args], { cwd: home, env: { ...environment(), TERM: 'xterm', NO_COLOR: '1' }, cols: 120, rows: 40 });
    let screen = '';
    let isTyped = false;
    if (ahead !== '') terminal.write(ahead);
    terminal.onData((text) => {
      screen += text;
      if (isTyped || !screen.includes('press Enter to leave it: ')) return;
      isTyped = true;
      terminal.write(keys);
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen }));
  });
}

/** Keys, logs and locks of the tests stay in their own folder. */
function environment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, RLXP_CONFIG_DIR: join(home, 'config'), RLXP_RUNTIME_DIR: join(home, 'runtime') };
}

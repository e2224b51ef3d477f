// `npm run test:edges`: makes or reuses a Python environment with the pinned trainers, then runs test/edges with it. Without Python or a
// package index it fails and says what is missing: a run that skipped would look like one that passed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.mjs';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

const oldest = [3, 11];
const requirements = join(home, 'test/edges/requirements.txt');
const isWindows = process.platform === 'win32';

await ensureReady();
try {
  const folder = await environment();
  const bin = join(folder, isWindows ? 'Scripts' : 'bin');
  const vitest = join(home, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, RLXP_EDGES_VENV: folder, PATH: `${bin}${isWindows ? ';' : ':'}${process.env.PATH ?? ''}` };
  const given = process.argv.slice(2).map((argument) => (argument.startsWith('-') ? argument : `test/edges/${argument}`));
  const scope = given.some((argument) => argument.startsWith('test/')) ? given : ['test/edges/', ...given];
  // One file at a time: what is measured here must not wait for what is measured there.
  const { code } = await runChild(process.execPath, [vitest, 'run', '--no-file-parallelism', ...scope], { cwd: home, env });
  process.exitCode = code;
} catch (error) {
  process.stderr.write(`test:edges could not run: ${error.message}\n`);
  process.exitCode = 1;
}

/** Folder of the environment; it lies outside the checkout and is used again until the pinned packages or the interpreter change. */
async function environment() {
  const python = await findPython();
  const digest = createHash('sha256').update(readFileSync(requirements)).update(python.version).digest('hex').slice(0, 12);
  const cache = process.env.RLXP_EDGES_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rlxp');
  const folder = join(cache, `edges-${digest}`);
  const stamp = join(folder, '.complete');
  mkdirSync(cache, { recursive: true });
  await withBuildLock(`${folder}.lock`, async () => {
    if (existsSync(stamp)) return say(`using ${folder}`);
    say(`making ${folder} with Python ${python.version}: about 1.5 GB, once`);
    rmSync(folder, { recursive: true, force: true });
    await must([python.command, '-m', 'venv', folder], 'a virtual environment could not be made: on Debian it is the package python3-venv');
    const own = join(folder, isWindows ? 'Scripts/python.exe' : 'bin/python');
    await must([own, '-m', 'pip', 'install', '--quiet', '--no-input', '-r', requirements], `the packages of test/edges/requirements.txt could not be installed: is a package index within reach?`);
    writeFileSync(stamp, '');
  });
  return folder;
}

async function findPython() {
  const asked = process.env.RLXP_EDGES_PYTHON;
  const tried = asked === undefined ? ['python3', 'python'] : [asked];
  for (const command of tried) {
    const version = await versionOf(command);
    if (version === null) continue;
    const [major, minor] = version.split('.').map(Number);
    if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return { command, version };
    throw new Error(`${command} is Python ${version}; ${oldest.join('.')} or later is needed. Name another one with RLXP_EDGES_PYTHON.`);
  }
  throw new Error(`no Python was found (tried ${tried.join(', ')}). Install Python ${oldest.join('.')} or later, or name one with RLXP_EDGES_PYTHON.`);
}

async function versionOf(command) {
  try {
    const { code, text } = await runChild(command, ['-c', 'import platform; print(platform.python_version())'], { output: 'collect' });
    return code === 0 ? text.trim() : null;
  } catch {
    return null; // no such program
  }
}

async function must([command, ...args], otherwise) {
  const { code } = await runChild(command, args, { output: 'stderr' });
  if (code !== 0) throw new Error(otherwise);
}

function say(text) {
  process.stderr.write(`rlxp: ${text}\n`);
}

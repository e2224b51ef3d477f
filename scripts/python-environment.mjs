// A Python environment with pinned packages, made once in a cache folder and used again until packages or interpreter change.
// Imported by the scripts of this folder and by test/bench; needs nothing but Node.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { withBuildLock } from './build-lock.mjs';
import { runChild } from './child.mjs';

const oldest = [3, 11];
const isWindows = process.platform === 'win32';

/** Where things that are made once lie: outside every checkout. */
export function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rlxp');
}

/**
 * Folder of the environment `<name>-<digest>` in `cache`. Throws an Error that says what is missing: no Python, no venv, no package
 * index. `asked`: the only interpreter to try; `asking`: the variable that names it, for the message.
 */
export async function pythonEnvironment({ name, requirements, cache, asked, asking, size, say }) {
  const python = await findPython(asked, asking);
  const digest = createHash('sha256').update(readFileSync(requirements)).update(python.version).digest('hex').slice(0, 12);
  return madeOnce({ folder: join(cache, `${name}-${digest}`), say }, async (folder) => {
    say(`making ${folder} with Python ${python.version}: ${size}, once`);
    await must([python.command, '-m', 'venv', folder], 'a virtual environment could not be made: on Debian it is the package python3-venv');
    const own = pythonIn(folder);
    await must([own, '-m', 'pip', 'install', '--quiet', '--no-input', '-r', requirements], `the packages of ${basename(requirements)} could not be installed: is a package index within reach?`);
  });
}

/** Folder of the programs of an environment. */
export function programsIn(folder) {
  return join(folder, isWindows ? 'Scripts' : 'bin');
}

export function pythonIn(folder) {
  return join(programsIn(folder), isWindows ? 'python.exe' : 'python');
}

/** Makes a folder unless it was made to the end before; one process at a time. */
export async function madeOnce({ folder, say }, make) {
  const stamp = join(folder, '.complete');
  mkdirSync(join(folder, '..'), { recursive: true });
  await withBuildLock(`${folder}.lock`, async () => {
    if (existsSync(stamp)) return say(`using ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    await make(folder);
    writeFileSync(stamp, '');
  });
  return folder;
}

/** Runs a command whose output goes to standard error; throws `otherwise` when it fails. */
export async function must([command, ...args], otherwise, options = {}) {
  const { code } = await runChild(command, args, { ...options, output: 'stderr' });
  if (code !== 0) throw new Error(otherwise);
}

async function findPython(asked, asking) {
  const tried = asked === undefined ? ['python3', 'python'] : [asked];
  for (const command of tried) {
    const version = await versionOf(command);
    if (version === null) continue;
    const [major, minor] = version.split('.').map(Number);
    if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return { command, version };
    throw new Error(`${command} is Python ${version}; ${oldest.join('.')} or later is needed. Name another one with ${asking}.`);
  }
  throw new Error(`no Python was found (tried ${tried.join(', ')}). Install Python ${oldest.join('.')} or later, or name one with ${asking}.`);
}

async function versionOf(command) {
  try {
    const { code, text } = await runChild(command, ['-c', 'import platform; print(platform.python_version())'], { output: 'collect' });
    return code === 0 ? text.trim() : null;
  } catch {
    return null; // no such program
  }
}

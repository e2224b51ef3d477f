// Makes sure that packages are installed and out/engine is built from the present sources. Imported by bin/rlxp.mjs and by other
// scripts; needs nothing but Node, so that it runs right after a clone.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, runChild } from './child.mjs';
import { buildKernels } from './build-kernels.mjs';
import { withBuildLock } from './build-lock.mjs';
import { engineDigest, home } from './sources.mjs';

const out = join(home, 'out');
const engine = join(out, 'engine');
const stamp = join(engine, '.stamp');

/** Does nothing in a packaged program (which has no sources) and, within a fraction of a second, when all is ready. */
export async function ensureReady() {
  if (!existsSync(join(home, 'src-main'))) return;
  if (isReady()) return;
  mkdirSync(out, { recursive: true });
  await withBuildLock(join(out, '.lock'), async () => {
    if (!areInstalled()) await install();
    if (!isBuilt(engineDigest())) await buildEngine();
  });
}

export async function buildEngine() {
  say('building (once after each change of the sources)');
  const digest = engineDigest();
  const kernels = await buildKernels();
  const fresh = join(out, `.engine-${process.pid}`);
  const vite = join(home, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', 'vite.engine.config.ts', '--logLevel', 'warn'];
  const { code } = await runChild(process.execPath, args, { cwd: home, env: { ...process.env, RLXP_ENGINE_OUT: fresh }, output: 'stderr' });
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error('the build failed; the lines above say why');
  }
  cpSync(kernels, join(fresh, 'kernels'), { recursive: true });
  writeFileSync(join(fresh, '.stamp'), digest);
  putInPlace(fresh);
}

export async function install() {
  say('installing packages with npm ci (once)');
  const { code } = await runChild(npmCommand(), ['ci', '--loglevel=error'], { cwd: home, output: 'stderr' });
  if (code !== 0) throw new Error('npm ci failed; the lines above say why');
}

export function areInstalled() {
  return existsSync(join(home, 'node_modules/.package-lock.json'));
}

function isReady() {
  return areInstalled() && isBuilt(engineDigest());
}

function isBuilt(digest) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
}

/** Swaps whole folders, so that nobody ever starts half a build. */
function putInPlace(fresh) {
  const old = join(out, `.engine-old-${process.pid}`);
  if (existsSync(engine)) renameSync(engine, old);
  renameSync(fresh, engine);
  rmSync(old, { recursive: true, force: true });
}

/** Standard error, so that `--json` stays one JSON value on standard output. */
function say(text) {
  process.stderr.write(`rlxp: ${text}\n`);
}

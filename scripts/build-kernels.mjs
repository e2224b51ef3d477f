// Compiles the AssemblyScript kernels of the bundled runner into two WebAssembly modules. Imported by ensure-ready.mjs; does nothing
// while out/kernels is of the present sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { filesBelow, home } from './sources.mjs';

const sources = join(home, 'src-runner/backend/simd/kernels');
const out = join(home, 'out/kernels');

const common = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--enable', 'simd'];
const variants = { simd: [], relaxed: ['--enable', 'relaxed-simd'] };

/** Gives the folder with simd.wasm and relaxed.wasm. */
export async function buildKernels() {
  const digest = digestOfSources();
  const stamp = join(out, '.stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return out;
  mkdirSync(out, { recursive: true });
  const compiler = join(home, 'node_modules/assemblyscript/bin/asc.js');
  for (const [name, flags] of Object.entries(variants)) {
    const args = [compiler, join(sources, 'index.ts'), '--outFile', join(out, `${name}.wasm`), ...common, ...flags];
    const { code } = await runChild(process.execPath, args, { cwd: home, output: 'stderr' });
    if (code !== 0) throw new Error('the kernels did not compile; the lines above say why');
  }
  writeFileSync(stamp, digest);
  return out;
}

function digestOfSources() {
  const hash = createHash('sha256').update(JSON.stringify([common, variants]));
  const { version } = JSON.parse(readFileSync(join(home, 'node_modules/assemblyscript/package.json'), 'utf8'));
  hash.update(version);
  for (const path of filesBelow(sources)) hash.update(path.slice(sources.length)).update(readFileSync(path));
  return hash.digest('hex');
}

// `npm run bench [part ...]`: builds test/bench into .cache/bench and runs it. `npm run bench -- --help` lists parts and options.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

await ensureReady();
const { build } = await import('vite');
const bench = join(home, 'test/bench');
const outDir = join(home, '.cache/bench');
await build({
  root: home,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true, external: ['node-pty'], target: 'node' },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    minify: false,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: { input: { bench: join(bench, 'bench.ts'), ...processes() }, external: ['node-pty'], output: { format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' } },
  },
});
const { code } = await runChild(process.execPath, [join(outDir, 'bench.mjs'), '--home', home, ...process.argv.slice(2)], { cwd: home });
process.exitCode = code;

/** `<part>/<name>.process` -> source: what a part starts as a program or a thread of its own. */
function processes() {
  const found = {};
  for (const part of readdirSync(bench, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const folder = join(bench, part.name);
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.process.ts'))) {
      if (existsSync(join(folder, 'part.ts'))) found[`${part.name}/${file.replace(/\.ts$/, '')}`] = join(folder, file);
    }
  }
  return found;
}

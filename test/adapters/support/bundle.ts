// Builds a TypeScript module into one plain file that a child process can import; Node 20 cannot run TypeScript by itself.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

export const repoFolder = join(import.meta.dirname, '..', '..', '..');

/** The file URL of the bundle of `entry` (a path from the repository's root), under .cache/, which git ignores. */
export async function bundle(entry: string, name: string): Promise<string> {
  const outDir = join(repoFolder, '.cache', 'test-bundles', name);
  mkdirSync(outDir, { recursive: true });
  await build({
    root: repoFolder,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: entry, outDir, emptyOutDir: true, minify: false, target: 'node20', rollupOptions: { output: { entryFileNames: 'bundle.mjs' } } },
  });
  return pathToFileURL(join(outDir, 'bundle.mjs')).href;
}

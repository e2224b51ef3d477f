// Builds the window: main process, preload bridge and screens into out/main, out/preload, out/renderer. Parts without sources are left out.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const has = (path: string): boolean => existsSync(here(path));

export default defineConfig({
  ...(has('src-main/electron.ts') && {
    main: {
      build: {
        outDir: here('out/main'),
        sourcemap: true,
        rolldownOptions: { input: { electron: here('src-main/electron.ts') }, external: ['electron', /^node-pty($|\/)/] },
      },
    },
  }),
  ...(has('src-preload/bridge.ts') && {
    preload: {
      build: {
        outDir: here('out/preload'),
        sourcemap: true,
        /** A sandboxed preload script is one CommonJS file. */
        rolldownOptions: { input: { bridge: here('src-preload/bridge.ts') }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
      },
    },
  }),
  ...(has('src-renderer/index.html') && {
    renderer: {
      root: here('src-renderer'),
      build: { outDir: here('out/renderer'), rolldownOptions: { input: here('src-renderer/index.html') } },
    },
  }),
});

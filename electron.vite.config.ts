// Builds the window: main process, preload bridge and page into out/main, out/preload, out/renderer. Everything is bundled but Electron and node-pty.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import type { UserConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The page alone, so that tests can build it without the rest. */
export const renderer: UserConfig = {
  root: here('src-renderer'),
  publicDir: false,
  build: {
    outDir: here('out/renderer'),
    emptyOutDir: true,
    /** The page's policy allows no inlined assets, and the one script needs no preloading. */
    assetsInlineLimit: 0,
    modulePreload: false,
    minify: true,
    reportCompressedSize: false,
    rolldownOptions: { input: here('src-renderer/index.html') },
  },
};

export default defineConfig({
  main: {
    build: {
      outDir: here('out/main'),
      sourcemap: true,
      externalizeDeps: false,
      reportCompressedSize: false,
      rolldownOptions: { input: { electron: here('src-main/electron.ts') }, external: ['electron', /^node-pty($|\/)/] },
    },
  },
  preload: {
    build: {
      outDir: here('out/preload'),
      reportCompressedSize: false,
      /** A sandboxed preload script is one CommonJS file. */
      rolldownOptions: { input: { bridge: here('src-preload/bridge.ts') }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
    },
  },
  renderer,
});

// Builds what runs outside the window (command line, campaign, bundled trials) into out/engine: everything bundled but Node and node-pty.
import { cpSync, existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** Name of the built file -> its source. An entry whose source is not there is left out. */
const entries: Readonly<Record<string, string>> = {
  cli: 'src-main/cli.ts',
  babysitter: 'src-main/babysitter.ts',
  campaign: 'src-main/campaign.ts',
  doctor: 'src-main/doctor.ts',
  train: 'src-runner/train.ts',
  evaluate: 'src-runner/evaluate.ts',
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const present = Object.entries(entries).filter(([, source]) => existsSync(here(source)));

/** node-pty loads its native part from its own folder. */
const external = [/^node-pty($|\/)/, /^node:/, ...builtinModules];

const outDir = process.env['RLXP_ENGINE_OUT'] ?? here('out/engine');

/** Profiles and scripts for the user's interpreter travel with the engine, so that a checkout and a package find them at one place. */
const resources: Plugin = {
  name: 'resources',
  closeBundle: () => cpSync(here('resources'), `${outDir}/resources`, { recursive: true, filter: (path) => !path.includes('__pycache__') }),
};

/** TensorFlow.js reads its WebAssembly from a file at run time. Its variants without SIMD and with threads do not run, or gain nothing, in Node. */
const tfjsWasm: Plugin = {
  name: 'tfjs-wasm',
  closeBundle: () => cpSync(here('node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm'), `${outDir}/tfjs/tfjs-backend-wasm-simd.wasm`),
};

/** The glue of TensorFlow.js's WebAssembly is CommonJS that asks where it lies. */
const isOldNodeCode = (id: string): boolean => id.includes('tfjs-backend-wasm/wasm-out');

export default defineConfig({
  plugins: [resources, tfjsWasm],
  root: here('.'),
  publicDir: false,
  ssr: { noExternal: true, external: ['node-pty'], target: 'node' },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(present.map(([name, source]) => [name, here(source)])),
      external,
      output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', banner: ({ moduleIds }) => (moduleIds.some(isOldNodeCode) ? 'const __dirname = import.meta.dirname;' : '') },
    },
  },
});

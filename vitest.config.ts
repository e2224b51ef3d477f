// How the tests run; `npm test` builds first because process tests start the built output.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Node 20 compiles the relaxed SIMD kernels only with it; later ones always do.
    execArgv: process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : [],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    passWithNoTests: false,
  },
});

// `npm run bench:overhead`: builds test/bench and runs it. Takes six minutes; Linux with python3 and git. Options: --trial-s 60,
// --rollout-s 0.75, --only cost|delay, --profile <folder> (a CPU profile of the campaign process), --keep.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

const missing = process.platform === 'linux' ? ['python3', 'git'].filter((program) => !canRun(program)) : ['Linux (it reads /proc)'];
if (missing.length > 0) {
  process.stdout.write(`not run: it needs ${missing.join(' and ')}\n`);
  process.exit(0);
}
await ensureReady();
const { build } = await import('vite');
const outDir = join(home, '.cache/bench');
await build({
  root: home,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['node-pty'], target: 'node' },
  build: { ssr: 'test/bench/overhead.ts', outDir, emptyOutDir: true, minify: false, target: 'node20', rolldownOptions: { external: ['node-pty'], output: { entryFileNames: 'overhead.mjs' } } },
});
const { code } = await runChild(process.execPath, [join(outDir, 'overhead.mjs'), '--home', home, ...process.argv.slice(2)], { cwd: home });
process.exitCode = code;

function canRun(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// `node scripts/approve-examples.mjs`: for developers of this program, after changing an example or the lockfile. Writes
// examples/<name>/.rlxp/approvals/<study>.json; a change of what an example covers is then visible in review.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

const examples = ['cartpole/quick', 'cartpole-equal/equal', 'sb3-cartpole/quick', 'cleanrl-cartpole/quick'];
// An approval covers scripts that the build copies beside the engine: they must be those of this checkout.
await ensureReady();
await build({
  root: home,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true, external: ['node-pty'] },
  build: { ssr: join(home, 'scripts/approve-examples.ts'), outDir: join(home, 'out/scripts'), target: 'node20', rolldownOptions: { external: [/^node-pty/] } },
});
const { status } = spawnSync(process.execPath, [join(home, 'out/scripts/approve-examples.js'), home, ...(process.argv.length > 2 ? process.argv.slice(2) : examples)], { stdio: 'inherit' });
process.exitCode = status ?? 1;

// `npm run test:edges`: makes a Python environment with the pinned trainers, then runs test/edges with it. Without Python or a
// package index it fails and says what is missing: a run that skipped would look like one that passed.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { cacheFolder, programsIn, pythonEnvironment } from './python-environment.mjs';
import { home } from './sources.mjs';

await ensureReady();
try {
  const folder = await pythonEnvironment({
    name: 'edges',
    requirements: join(home, 'test/edges/requirements.txt'),
    cache: process.env.RLXP_EDGES_CACHE ?? cacheFolder(),
    asked: process.env.RLXP_EDGES_PYTHON,
    asking: 'RLXP_EDGES_PYTHON',
    size: 'about 1.5 GB',
    say: (text) => process.stderr.write(`rlxp: ${text}\n`),
  });
  const vitest = join(home, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, RLXP_EDGES_VENV: folder, PATH: `${programsIn(folder)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}` };
  const given = process.argv.slice(2).map((argument) => (argument.startsWith('-') ? argument : `test/edges/${argument}`));
  const scope = given.some((argument) => argument.startsWith('test/')) ? given : ['test/edges/', ...given];
  // One file at a time: what is measured here must not wait for what is measured there.
  const { code } = await runChild(process.execPath, [vitest, 'run', '--no-file-parallelism', ...scope], { cwd: home, env });
  process.exitCode = code;
} catch (error) {
  process.stderr.write(`test:edges could not run: ${error.message}\n`);
  process.exitCode = 1;
}

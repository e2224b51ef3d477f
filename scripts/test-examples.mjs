// `npm run test:examples`: runs every example as a person would and holds it to its expect.yaml.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

await ensureReady();
const vitest = join(home, 'node_modules/vitest/vitest.mjs');
const { code } = await runChild(process.execPath, [vitest, 'run', 'test/examples/', ...process.argv.slice(2)], { cwd: home });
process.exitCode = code;

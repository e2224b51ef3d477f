// `npm test`: installs and builds what is missing, then runs vitest with the arguments given.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

if (process.argv[2] === '--faults' && !existsSync(join(home, 'test/faults'))) {
  process.stdout.write('not run: there are no fault tests yet (test/faults is missing)\n');
  process.exit(0);
}
await ensureReady();
const vitest = join(home, 'node_modules/vitest/vitest.mjs');
const given = process.argv.slice(2);
/** `test/faults` kills and corrupts for minutes: `npm run test:faults` runs it. */
const scope = given[0] === '--faults' ? ['test/faults/', ...given.slice(1)] : ['--exclude', 'test/faults/**', '--exclude', 'test/examples/**', '--exclude', 'test/edges/**', ...given];
const { code } = await runChild(process.execPath, [vitest, 'run', ...scope], { cwd: home });
process.exitCode = code;

// `npm run quickstart`: from a fresh clone to a verified verdict. Needs nothing but Node and npm; passes the campaign's exit code on.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureReady } from './ensure-ready.mjs';
import { home } from './sources.mjs';

const known = ['--fresh', '--no-open', '--json'];
const given = process.argv.slice(2);
const unknown = given.find((flag) => !known.includes(flag));
if (unknown !== undefined) {
  process.stderr.write(`quickstart: there is no ${unknown}; it takes ${known.join(', ')}\n`);
  process.exit(2);
}
try {
  await ensureReady();
} catch (error) {
  process.stderr.write(`quickstart: ${error.message}\n`);
  process.exit(1);
}
/** `--no-open` keeps a window from opening afterwards; none does yet, so there is nothing to pass on. */
const passed = given.filter((flag) => flag !== '--no-open');
const command = ['campaign', 'run', 'quick', '--root', join(home, 'examples/cartpole'), ...passed];
const { code } = await runChild(process.execPath, [join(home, 'bin/rlxp.mjs'), ...command], { cwd: home });
process.exitCode = code;

// `npm run check`: types, lint, arrows, file sizes, names, rules, packages. Two things at a time; prints what each found and took.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checks } from './checks/all.mjs';
import { sizeSummary } from './checks/house-style.mjs';
import { runChild } from './child.mjs';
import { areInstalled, install } from './ensure-ready.mjs';
import { home } from './sources.mjs';

if (!areInstalled()) await install();

const typed = ['src-protocol', 'src-main', 'src-runner', 'src-preload', 'src-renderer', 'test'].filter((folder) => existsSync(join(home, folder, 'tsconfig.json')));
const work = [
  { name: 'lint', run: () => node('node_modules/eslint/bin/eslint.js', ['.', '--cache', '--cache-location', '.cache/eslint', '--max-warnings', '0']) },
  ...typed.map((folder) => ({ name: `types of ${folder}`, run: () => node('node_modules/typescript/bin/tsc', ['-p', folder]) })),
  ...checks.map((check) => ({ name: check.name, run: async () => check.run(home).join('\n') })),
];

const startedMs = Date.now();
const failed = [];
const queue = [...work];
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runNext));
process.stdout.write(`${sizeSummary(home)}\n`);
process.stdout.write(`check: ${work.length - failed.length} passed, ${failed.length} failed, ${seconds(startedMs)}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runNext() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const at = Date.now();
    const found = await next.run();
    process.stdout.write(`${found === '' ? 'ok    ' : 'FAILED'}  ${next.name.padEnd(22)} ${seconds(at)}\n${found === '' ? '' : `${found}\n`}`);
    if (found !== '') failed.push(next.name);
  }
}

/** What the tool printed when it failed; empty when it passed. */
async function node(script, args) {
  const { code, text } = await runChild(process.execPath, [join(home, script), ...args], { cwd: home, output: 'collect' });
  return code === 0 ? '' : text.trim() || `exit code ${code}`;
}

function seconds(sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

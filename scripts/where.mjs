// `npm run where <feature>`: the files of a feature, in the order in which to read them.
import { relative, sep } from 'node:path';
import { filesBelow, home } from './sources.mjs';

const reading = ['docs/specs', 'src-protocol', 'src-main/core', 'src-main/adapters', 'src-main/serve', 'src-main', 'src-preload', 'src-renderer', 'src-runner', 'resources', 'examples', 'test', 'docs'];
const feature = process.argv[2];
if (feature === undefined) {
  process.stderr.write('usage: npm run where <feature>, for example: npm run where campaign\n');
  process.exit(2);
}
process.stdout.on('error', () => process.exit(0)); // the reader of a pipe may stop early
const seen = new Set();
for (const folder of reading) {
  for (const path of filesBelow(`${home}${folder}`)) {
    const name = relative(home, path).split(sep).join('/');
    if (seen.has(name) || !name.toLowerCase().includes(feature.toLowerCase()) || name.includes('/.rlxp/runs/')) continue;
    seen.add(name);
    process.stdout.write(`${name}\n`);
  }
}
if (seen.size === 0) process.stdout.write(`no file has "${feature}" in its path\n`);

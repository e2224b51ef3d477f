// Reads the source files that the checks look at. Imported by the other files of this folder.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesBelow } from '../sources.mjs';

const folders = ['src-protocol', 'src-main', 'src-preload', 'src-renderer', 'src-runner', 'scripts', 'bin', 'test'];

/** Every code file with its path relative to the checkout, with forward slashes. */
export function readSources(home) {
  return folders
    .flatMap((folder) => filesBelow(join(home, folder)))
    .filter((path) => /\.(ts|tsx|mjs|js)$/.test(path) && !path.endsWith('.d.mts'))
    .map((path) => ({ path: relative(home, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .filter(({ path }) => !path.includes('/fixtures/'));
}

/** Everything a file imports: `{ from, isType, line }`. Comments are left out first. */
export function importsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')).replace(/^\s*\/\/.*$/gm, (comment) => ' '.repeat(comment.length));
  const found = [];
  const patterns = [
    /(?:^|[;\n])[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*${}\s,]+?)\s+from\s*['"]([^'"]+)['"]/g,
    /(?:^|[;\n])[ \t]*import\s+()['"]([^'"]+)['"]/g,
    /\bimport\s*\(\s*()['"]([^'"]+)['"]/g,
  ];
  for (const pattern of patterns) {
    for (const match of code.matchAll(pattern)) {
      const line = code.slice(0, match.index + match[0].length).split('\n').length;
      found.push({ from: match[2], isType: match[1] !== undefined && match[1] !== '', line });
    }
  }
  return found;
}

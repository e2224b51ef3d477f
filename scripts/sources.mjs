// Lists and digests the source files that a build depends on. Imported by the scripts of this folder.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of this checkout (or of the packaged program). */
export const home = fileURLToPath(new URL('..', import.meta.url));

const engineSources = ['src-protocol', 'src-main', 'src-runner', 'resources', 'vite.engine.config.ts', 'package.json', 'package-lock.json'];

/** Changes with every byte, added or removed file of the engine's sources; independent of file times. */
export function engineDigest() {
  const hash = createHash('sha256');
  for (const path of engineSources.flatMap((name) => filesBelow(join(home, name)))) {
    const bytes = readFileSync(path);
    hash.update(`${relative(home, path).split(sep).join('/')}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Every file at or below a path, sorted; none when it is missing. */
export function filesBelow(path) {
  const entries = readFolder(path);
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== '.git')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : []));
}

/** Null for a file. */
function readFolder(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return null;
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

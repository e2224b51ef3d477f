// The closed map of files that app:// may serve: what the build put into one folder, listed once. Imported by start-desktop.ts and tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface BuiltFile {
  readonly type: string;
  read(): Uint8Array<ArrayBuffer>;
}

/** Keys are paths as a browser writes them: `/assets/index-1a2b.js`. `/` is index.html. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
};

/** Empty when the folder is missing. Files of a kind that is not in the list (source maps) are left out, and so are links. */
export function listBuiltFiles(folder: string): BuiltFiles {
  const files = new Map<string, BuiltFile>();
  for (const path of pathsBelow(folder)) {
    const type = types[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    files.set(`/${relative(folder, path).split(sep).join('/')}`, { type, read: () => new Uint8Array(readFileSync(path)) });
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

function pathsBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? pathsBelow(path) : entry.isFile() ? [path] : [];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

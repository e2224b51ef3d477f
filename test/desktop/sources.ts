// The sources that the scans of the checklist read, without their comments. Imported by tests of this folder.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const home = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Code of what runs in Electron or starts it: main process, preload, page, scripts, package.json. */
export function readShellSources(): readonly Source[] {
  const folders = ['src-main', 'src-preload', 'src-renderer', 'scripts', 'bin'];
  const files = folders.flatMap((folder) => readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`));
  return [...files, 'package.json', 'electron.vite.config.ts']
    .filter((path) => /\.(ts|tsx|mjs|json|html|css)$/.test(path) && !path.endsWith('tsconfig.json'))
    .map((path) => ({ path, text: withoutComments(readFileSync(join(home, path), 'utf8')) }));
}

/** `path:line` of every line that matches. */
export function findAll(sources: readonly Source[], pattern: RegExp): readonly string[] {
  return sources.flatMap(({ path, text }) => text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')).replace(/(^|\s)\/\/.*$/gm, '$1');
}

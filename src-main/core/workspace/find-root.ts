// Which repository a folder belongs to. Any room of the core may import it. Rule: docs/specs/files.md, F22.
import path from 'node:path';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Files } from '../../ports.ts';
import { rlxpFolder } from './layout.ts';

/** The nearest folder at or above `start` (absolute) that holds `.rlxp`; null when there is none. */
export async function findRoot(files: Pick<Files, 'stat'>, start: string): Promise<string | null> {
  for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
    const found = await files.stat(rlxpFolder(folder));
    if (found?.kind === 'folder') return folder;
    // Everything we write goes below it: a link could send it anywhere.
    if (found !== null) refuse('not_a_repository', `${rlxpFolder(folder)} is ${found.kind === 'link' ? 'a link' : 'no folder'}, so it is not used.`, { next: 'Replace it by a real folder.' });
    if (path.dirname(folder) === folder) return null;
  }
}

/** As findRoot, but refuses when there is none. */
export async function requireRoot(files: Pick<Files, 'stat'>, start: string): Promise<string> {
  return (await findRoot(files, start)) ?? refuse('not_a_repository', `Neither ${path.resolve(start)} nor a folder above it holds .rlxp.`);
}

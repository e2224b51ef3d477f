// Lockfiles at the root of a folder and their digests. Any room of the core may import it.
import path from 'node:path';
import type { Files } from '../../ports.ts';
import { digestBytes } from './canonical-json.ts';

const fixedNames: readonly string[] = ['package-lock.json', 'uv.lock', 'poetry.lock', 'environment.yml'];
const requirements = /^requirements[A-Za-z0-9._-]*\.txt$/;
const maxBytes = 64 * 1024 * 1024;

/** File name -> SHA-256 of its bytes, for every lockfile that lies directly in `folder`. */
export async function readLockfiles(files: Files, folder: string): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {};
  for (const name of await files.list(folder)) {
    if (!fixedNames.includes(name) && !requirements.test(name)) continue;
    const file = path.join(folder, name);
    const stat = await files.stat(file);
    if (stat?.kind !== 'file' || stat.sizeBytes > maxBytes) continue;
    digests[name] = digestBytes(await files.readBytes(file, { maxBytes }));
  }
  return digests;
}

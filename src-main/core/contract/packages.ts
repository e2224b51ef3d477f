// The digest of the package list that a campaign's trials run on, and where this program lies. Core rooms left of contract may import it.
import path from 'node:path';
import { z } from 'zod';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { Ports } from '../../ports.ts';
import { digest } from '../provenance/canonical-json.ts';
import { readLockfiles } from '../provenance/lockfiles.ts';

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/**
 * For the bundled runner: version and integrity of every package in this program's package-lock.json (`resolved` is left out, a mirror
 * changes it), or the program's version where none is shipped. For every other framework: the lockfiles at the root of the repository,
 * because the interpreter itself is not asked.
 */
export async function packagesDigest(ports: Pick<Ports, 'files' | 'node'>, root: string, adapter: AdapterFile): Promise<string> {
  if (adapter.framework !== 'bundled') return digest({ lockfiles: await readLockfiles(ports.files, root) });
  const packages = await programPackages(ports);
  return digest(packages === null ? { version: ports.node.version } : { packages });
}

async function programPackages(ports: Pick<Ports, 'files' | 'node'>): Promise<Readonly<Record<string, readonly string[]>> | null> {
  const file = path.join(programFolder(ports), 'package-lock.json');
  if ((await ports.files.stat(file)) === null) return null;
  const { packages } = lockfile.parse(JSON.parse(await ports.files.readText(file)));
  return Object.fromEntries(Object.entries(packages).map(([where, { version, integrity }]) => [where, [version ?? '', integrity ?? '']]));
}

/** The checkout or installation this program runs from: two folders above the engine's. */
export function programFolder(ports: Pick<Ports, 'node'>): string {
  return path.resolve(ports.node.engineFolder, '..', '..');
}

// The digest of the package list that a campaign's trials run on, and where this program lies. Core rooms left of contract may import it.
import path from 'node:path';
import { z } from 'zod';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { Ports } from '../../ports.ts';
import { digest, digestBytes } from '../provenance/canonical-json.ts';
import { readInterpreterPackages } from '../provenance/interpreter-packages.ts';
import { readLockfiles } from '../provenance/lockfiles.ts';
import { edgesFolder } from '../workspace/resources.ts';

/** How a difference in them is named. */
export const packageListName = 'package list';

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/**
 * For the bundled runner: version and integrity of every package in this program's package-lock.json (`resolved` is left out, a mirror
 * changes it), or the program's version where none is shipped. For every other framework: the lockfiles at the root of the repository, what
 * is installed for the interpreter as far as its folder tells, and the bytes of this program's own scripts where the commands use them.
 */
export async function packagesDigest(ports: Pick<Ports, 'files' | 'node'>, root: string, adapter: AdapterFile): Promise<string> {
  if (adapter.framework !== 'bundled') {
    const interpreter = await readInterpreterPackages(ports.files, root, adapter.python);
    const edges = usesEdges(adapter) ? await edgeDigests(ports) : null;
    return digest({ lockfiles: await readLockfiles(ports.files, root), ...(interpreter === null ? {} : { interpreter }), ...(edges === null ? {} : { edges }) });
  }
  const packages = await programPackages(ports);
  return digest(packages === null ? { version: ports.node.version } : { packages });
}

function usesEdges({ train = [], evaluate = [], resume = [] }: AdapterFile): boolean {
  return [...train, ...evaluate, ...resume].some((argument) => argument.includes('{edges}'));
}

/** File name -> SHA-256 of every script that is shipped for the user's interpreter: they share parts. */
async function edgeDigests({ files, node }: Pick<Ports, 'files' | 'node'>): Promise<Readonly<Record<string, string>>> {
  const folder = edgesFolder(node);
  const names = (await files.list(folder)).filter((name) => name.endsWith('.py'));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, digestBytes(await files.readBytes(path.join(folder, name)))] as const)));
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

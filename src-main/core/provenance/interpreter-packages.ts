// What is installed for a Python interpreter, read from its folder: nothing is run, since nobody may have approved it yet.
// Any room of the core may import it. Rules: docs/specs/adapter.md, AD14 and AD15.
import path from 'node:path';
import type { Files } from '../../ports.ts';

export interface InterpreterPackages {
  /** Of the interpreter, as its environment names it; null when that is not told. */
  readonly version: string | null;
  /** Name in lower case with dashes -> version. */
  readonly packages: Readonly<Record<string, string>>;
}

const mostConfigBytes = 64 * 1024;

/**
 * Of a `python` that begins with a path into a virtual or conda environment, `.venv/bin/python` say, relative to `root`. Null for anything else: a
 * bare name, `uv run python` or `isaaclab.sh -p` can only be asked by running them.
 */
export async function readInterpreterPackages(files: Pick<Files, 'list' | 'readText'>, root: string, python: readonly string[] | undefined): Promise<InterpreterPackages | null> {
  const [program] = python ?? [];
  if (program === undefined || !/[\\/]/.test(program)) return null;
  const prefix = path.dirname(path.dirname(path.resolve(root, program)));
  const inside = await files.list(prefix);
  const conda = inside.includes('conda-meta') ? await condaPackages(files, prefix) : {};
  if (!inside.includes('pyvenv.cfg')) return inside.includes('conda-meta') ? { version: conda['python'] ?? null, packages: { ...conda, ...(await pipPackages(files, prefix)) } } : null;
  const config = await files.readText(path.join(prefix, 'pyvenv.cfg'), { maxBytes: mostConfigBytes });
  const version = /^version(?:_info)?\s*=\s*(\S+)/m.exec(config)?.[1] ?? null;
  return { version, packages: await pipPackages(files, prefix) };
}

/** From the names of `<name>-<version>.dist-info`, the folder every installer leaves. */
async function pipPackages(files: Pick<Files, 'list'>, prefix: string): Promise<Readonly<Record<string, string>>> {
  const pythons = (await files.list(path.join(prefix, 'lib'))).filter((name) => /^python\d/.test(name));
  const folders = [path.join(prefix, 'Lib', 'site-packages'), ...pythons.map((name) => path.join(prefix, 'lib', name, 'site-packages'))];
  const names = (await Promise.all(folders.map((folder) => files.list(folder)))).flat();
  return versionsIn(names, /^(.+?)-([^-]+)\.(?:dist|egg)-info$/);
}

/** From the names of conda-meta/<name>-<version>-<build>.json. */
async function condaPackages(files: Pick<Files, 'list'>, prefix: string): Promise<Readonly<Record<string, string>>> {
  return versionsIn(await files.list(path.join(prefix, 'conda-meta')), /^(.+)-([^-]+)-[^-]+\.json$/);
}

function versionsIn(names: readonly string[], pattern: RegExp): Readonly<Record<string, string>> {
  const found = names.flatMap((name): [string, string][] => {
    const [, packageName, version] = pattern.exec(name) ?? [];
    return packageName === undefined || version === undefined ? [] : [[packageName.toLowerCase().replaceAll(/[_.]+/g, '-'), version]];
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

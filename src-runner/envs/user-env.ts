// Loads an environment from a user's file: entry `./env.mjs#makeEnv`. Imported by envs/make-env.ts.
import { isAbsolute, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkEnv } from './check-env.ts';
import { toolkit, type MakeEnv, type MakeEnvOptions } from './toolkit.ts';
import type { VectorEnv } from './vector-env.ts';

/**
 * `entry` is `./<file>#<export>`, resolved against the absolute folder `root` and kept inside it.
 * Throws an Error that names the entry and what is wrong with it.
 */
export async function loadUserEnv(entry: string, root: string, options: MakeEnvOptions): Promise<VectorEnv> {
  const [file = '', exported = '', ...rest] = entry.split('#');
  if (exported === '' || rest.length > 0) throw new Error(`${entry}: an entry reads "./file.mjs#export"`);
  const path = resolve(root, file);
  const inside = relative(root, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) throw new Error(`${entry}: the file lies outside ${root}`);
  const makeEnv = (await importModule(path, entry))[exported];
  if (typeof makeEnv !== 'function') throw new Error(`${entry}: the file has no exported function "${exported}"`);
  let made: unknown;
  try {
    made = await (makeEnv as MakeEnv)(options, toolkit);
  } catch (error) {
    throw new Error(`${entry}: ${messageOf(error)}`, { cause: error });
  }
  return checkEnv(made, options.numEnvs, entry);
}

async function importModule(path: string, entry: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${entry}: cannot load ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

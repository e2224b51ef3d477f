// The NodeRuntime port: where our built code lies and which Node runs it. Only composition files and tests import it.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NodeRuntime } from '../ports.ts';

export interface NodeRuntimeOptions {
  /** `import.meta.url` of the running entry: out/engine/<entry>.js, out/main/<entry>.js, or a source file under test. */
  readonly entryUrl: string;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Electron's own folder of resources when this is the packaged app, else null. */
  readonly resourcesPath: string | null;
  readonly isElectron: boolean;
}

export function makeNodeRuntime(options: NodeRuntimeOptions): NodeRuntime {
  const here = dirname(fileURLToPath(options.entryUrl));
  const root = foldersUp(here).find((folder) => existsSync(join(folder, 'package.json'))) ?? here;
  const engineFolder = findEngine(here, root, options.resourcesPath);
  return { execPath: findNode(options, engineFolder), engineFolder, version: readVersion(root), relaxedSimdFlags: relaxedSimdFlags(process.versions.node), commit: readCommit(root) };
}

/** Node 20 has relaxed SIMD behind a flag with which Node 24 does not even start. The Node asked is the one that runs campaigns and doctors. */
export function relaxedSimdFlags(nodeVersion: string): readonly string[] {
  return Number.parseInt(nodeVersion, 10) < 22 ? ['--experimental-wasm-relaxed-simd'] : [];
}

/** Packaged, it lies beside app.asar; else the entry lies in it, or it is `engine` or `out/engine` in a folder above. */
function findEngine(here: string, root: string, resourcesPath: string | null): string {
  if (resourcesPath !== null && existsSync(join(resourcesPath, 'engine'))) return join(resourcesPath, 'engine');
  for (const folder of foldersUp(here)) {
    if (basename(folder) === 'engine' && basename(dirname(folder)) === 'out') return folder;
    if (folder === root) break;
  }
  return join(root, 'out', 'engine');
}

/** Never Electron's binary: it runs as Node only with a switch that the packaged app turns off. */
function findNode(options: NodeRuntimeOptions, engineFolder: string): string {
  if (!options.isElectron) return options.execPath;
  const shipped = join(engineFolder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(shipped)) return shipped;
  return options.env['npm_node_execpath'] ?? 'node';
}

function readVersion(root: string): string {
  try {
    const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version?: unknown }).version;
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Read from git's files, since this is asked at every start and git need not be there. */
function readCommit(root: string): string | null {
  const git = gitFolder(root);
  if (git === null) return null;
  const head = readTrimmed(join(git, 'HEAD'));
  if (head === null) return null;
  if (isCommit(head)) return head;
  const name = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  if (name === undefined || name.includes('..')) return null;
  // A second work tree keeps its branches in the first one.
  const common = readTrimmed(join(git, 'commondir'));
  for (const folder of common === null ? [git] : [git, join(git, common)]) {
    const loose = readTrimmed(join(folder, name));
    if (loose !== null && isCommit(loose)) return loose;
    const packed = (readTrimmed(join(folder, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${name}`))?.split(' ')[0];
    if (packed !== undefined && isCommit(packed)) return packed;
  }
  return null;
}

/** `.git` is a file in a second work tree: `gitdir: <path>`. */
function gitFolder(root: string): string | null {
  const path = join(root, '.git');
  if (existsSync(join(path, 'HEAD'))) return path;
  const target = /^gitdir: (.+)$/.exec(readTrimmed(path) ?? '')?.[1];
  return target === undefined ? null : target.startsWith('/') ? target : join(root, target);
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

function readTrimmed(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function foldersUp(folder: string): readonly string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [folder, ...foldersUp(up)];
}

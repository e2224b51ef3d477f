// Which files of the repository an approval covers: the task's code, found without following any link. Core rooms left of contract may import it.
import path from 'node:path';
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { TaskFile } from '../../../src-protocol/files/task.ts';
import type { FileStat, Ports } from '../../ports.ts';

export const snapshotCaps = { files: 2_000, fileBytes: 32 * 1024 * 1024, totalBytes: 256 * 1024 * 1024, depth: 32 } as const;

export interface FoundFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly mode: '100644' | '100755';
}

/** Why something that an approval should cover cannot be covered. */
export interface SnapshotProblem {
  readonly path: string;
  /** Completes the sentence "<path> ...". */
  readonly what: string;
}

export interface FoundFiles {
  /** Sorted by path, each once. */
  readonly files: readonly FoundFile[];
  readonly problems: readonly SnapshotProblem[];
}

type WalkPorts = Pick<Ports, 'files' | 'git'>;

/** The paths a task and an adapter name: the entry's file, `snapshot`, `stub_roots`, and what the commands run as `{code}/<path>`. */
export function namedPaths(task: TaskFile, adapter: AdapterFile): readonly string[] {
  const entry = entryFile(task.entry);
  const run = [...(adapter.train ?? []), ...(adapter.evaluate ?? []), ...(adapter.resume ?? [])].flatMap(codePath);
  return [...new Set([...(entry === null ? [] : [entry]), ...task.snapshot, ...adapter.stub_roots, ...run])];
}

/** `--policy={code}/ppo.py#Agent` runs ppo.py. `{code}` alone names no file. */
function codePath(argument: string): readonly string[] {
  const at = argument.indexOf('{code}/');
  const path = at < 0 ? '' : (argument.slice(at + '{code}/'.length).split('#')[0] ?? '');
  return path === '' ? [] : [path];
}

/** The file of `./file.mjs#export`; null for a registered id such as CartPole-v1. */
export function entryFile(entry: string): string | null {
  const [file = '', ...exported] = entry.split('#');
  const isFile = exported.length > 0 || file.startsWith('.') || path.posix.isAbsolute(file) || path.win32.isAbsolute(file);
  return isFile ? file : null;
}

/**
 * Every regular file at or under the named paths of `root`. Inside a folder, what git ignores, `.git`, `.rlxp` and `__pycache__` are left
 * out (and so never reach the copy a campaign runs); a file named outright is always taken. Links and escapes are problems.
 */
export async function findSnapshotFiles(ports: WalkPorts, root: string, named: readonly string[]): Promise<FoundFiles> {
  const walk = new Walk(ports, root);
  for (const name of named) await walk.named(name);
  return walk.result();
}

class Walk {
  private readonly ports: WalkPorts;
  private readonly root: string;
  private readonly found = new Map<string, FoundFile>();
  private readonly problems: SnapshotProblem[] = [];
  private totalBytes = 0;

  constructor(ports: WalkPorts, root: string) {
    this.ports = ports;
    this.root = root;
  }

  result(): FoundFiles {
    const files = [...this.found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files, problems: this.problems };
  }

  async named(name: string): Promise<void> {
    const relative = cleanPath(name);
    if (typeof relative !== 'string') {
      this.problems.push({ path: name, what: relative.what });
      return;
    }
    const stat = await this.statWithoutLinks(relative);
    if (stat === null) return;
    if (stat.kind === 'file') this.take(relative, stat);
    else if (stat.kind === 'folder') await this.folder(relative);
    else this.problems.push({ path: relative, what: 'is neither a file nor a folder' });
  }

  /** Looks at each part of the path, so that no folder on the way is a link either. */
  private async statWithoutLinks(relative: string): Promise<FileStat | null> {
    const parts = relative === '' ? [] : relative.split('/');
    let stat: FileStat | null = await this.ports.files.stat(this.root);
    for (let count = 1; count <= parts.length; count += 1) {
      const upTo = parts.slice(0, count).join('/');
      stat = await this.ports.files.stat(path.join(this.root, upTo));
      if (stat === null) this.problems.push({ path: relative, what: 'is missing' });
      else if (stat.kind === 'link') this.problems.push({ path: upTo, what: 'is a link, and a link could be pointed elsewhere after the approval' });
      if (stat === null || stat.kind === 'link') return null;
    }
    return stat;
  }

  private async folder(top: string): Promise<void> {
    const files: [string, FileStat][] = [];
    await this.list(top, 0, files);
    const ignored = await this.ports.git.ignored(this.root, files.map(([relative]) => relative));
    for (const [relative, stat] of files) if (!ignored.has(relative)) this.take(relative, stat);
  }

  private async list(relative: string, depth: number, into: [string, FileStat][]): Promise<void> {
    if (depth > snapshotCaps.depth) {
      this.problems.push({ path: relative, what: `nests more than ${snapshotCaps.depth} folders deep` });
      return;
    }
    for (const name of await this.ports.files.list(path.join(this.root, relative))) {
      if (name === '.git' || name === '__pycache__' || (relative === '' && name === '.rlxp')) continue;
      const below = relative === '' ? name : `${relative}/${name}`;
      const stat = await this.ports.files.stat(path.join(this.root, below));
      if (stat?.kind === 'folder') await this.list(below, depth + 1, into);
      else if (stat?.kind === 'file') into.push([below, stat]);
      else if (stat !== null) this.problems.push({ path: below, what: stat.kind === 'link' ? 'is a link' : 'is neither a file nor a folder' });
    }
  }

  private take(relative: string, stat: FileStat): void {
    if (this.found.has(relative)) return;
    this.totalBytes += stat.sizeBytes;
    const over = this.overCap(stat);
    if (over !== null) this.problems.push({ path: relative, what: over });
    else this.found.set(relative, { path: relative, absolute: path.join(this.root, relative), mode: gitMode(stat.mode) });
  }

  private overCap(stat: FileStat): string | null {
    if (stat.sizeBytes > snapshotCaps.fileBytes) return `is larger than ${snapshotCaps.fileBytes / 1024 / 1024} MiB`;
    if (this.totalBytes > snapshotCaps.totalBytes) return `takes the snapshot over ${snapshotCaps.totalBytes / 1024 / 1024} MiB`;
    return this.found.size >= snapshotCaps.files ? `takes the snapshot over ${snapshotCaps.files} files` : null;
  }
}

export function gitMode(mode: number): '100644' | '100755' {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

/** The path with `./` and doubled slashes gone, '' for the repository itself; or why it cannot be covered. */
function cleanPath(name: string): string | { readonly what: string } {
  if (name.includes('\\')) return { what: 'holds a backslash: write the path with forward slashes' };
  if (path.posix.isAbsolute(name) || path.win32.isAbsolute(name)) return { what: 'is an absolute path: give it relative to the repository' };
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { what: 'leads out of the repository' };
  if (parts[0] === '.rlxp' || parts.includes('.git')) return { what: 'lies in a folder that no approval covers: keep task code beside it' };
  return parts.join('/');
}

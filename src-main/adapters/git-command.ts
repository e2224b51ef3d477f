// The Git port on the git program, run so that nothing a repository says can make it run something. Only composition files and tests import it.
import { platform } from 'node:process';
import type { Git, GitFacts } from '../ports.ts';
import { runBounded, type CommandResult } from './bounded-command.ts';

export interface GitCommandOptions {
  /** PATH and HOME are taken from here; nothing else of it reaches git. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly program?: string;
  readonly limitMs?: number;
}

/** Everything that a repository's own configuration could start: watchers, hooks, transports, pagers. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.pager=cat', '-c', 'protocol.allow=never', '--no-optional-locks', '--no-pager'];
/** Our own files change with every step of a campaign and are no part of the code. */
const outsideOurs = ['--', '.', ':(top,exclude,glob)**/.rlxp/**'];

const branches = 'refs/heads/';

export function makeGitCommand(options: GitCommandOptions): Git {
  const run = (folder: string, args: readonly string[], input?: string): Promise<CommandResult> =>
    runBounded({
      argv: [options.program ?? 'git', ...harmless, ...args],
      cwd: folder,
      env: gitEnvironment(options.env),
      limitMs: options.limitMs ?? 5_000,
      maxBytes: 64 * 1024 * 1024,
      ...(input === undefined ? {} : { input }),
    });
  const line = async (folder: string, args: readonly string[]): Promise<string | null> => {
    const result = await run(folder, args);
    if (result.state !== 'done' || result.exitCode !== 0) return null;
    return result.output.toString('utf8').replace(/\r?\n$/, '') || null;
  };

  return {
    async facts(folder): Promise<GitFacts | null> {
      const head = await readHead(folder);
      return head === null ? null : { ...head, ...(await changes(head.root, head.commit)) };
    },
    async ignored(folder, relativePaths) {
      if (relativePaths.length === 0) return new Set();
      const result = await run(folder, ['check-ignore', '-z', '--stdin'], relativePaths.map((path) => `${path}\0`).join(''));
      if (result.state !== 'done' || result.exitCode !== 0) return new Set();
      return new Set(result.output.toString('utf8').split('\0').filter((path) => path !== ''));
    },
  };

  /** One program where HEAD names a commit; three where it does not. */
  async function readHead(folder: string): Promise<Pick<GitFacts, 'root' | 'commit' | 'branch'> | null> {
    const [root, commit = '', ref, ...more] = (await line(folder, ['rev-parse', '--show-toplevel', 'HEAD', '--symbolic-full-name', 'HEAD']))?.split(/\r?\n/) ?? [];
    if (root !== undefined && /^[0-9a-f]{40,64}$/.test(commit) && ref !== undefined && more.length === 0) {
      return { root, commit, branch: ref.startsWith(branches) ? ref.slice(branches.length) : null };
    }
    const alone = await line(folder, ['rev-parse', '--show-toplevel']);
    if (alone === null) return null;
    return { root: alone, commit: await line(alone, ['rev-parse', '--verify', '--quiet', 'HEAD']), branch: await line(alone, ['symbolic-ref', '--short', '--quiet', 'HEAD']) };
  }

  async function changes(root: string, commit: string | null): Promise<Pick<GitFacts, 'isDirty' | 'diffDigest'>> {
    const unknown = { isDirty: null, diffDigest: null };
    // A filter named in the repository's own configuration is a program, and comparing files would run it.
    const filters = await run(root, ['config', '--show-scope', '--name-only', '--get-regexp', '^filter\\.']);
    if (filters.state !== 'done' || filters.exitCode > 1 || /^(local|worktree)\b/m.test(filters.output.toString('latin1'))) return unknown;
    const status = await run(root, ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty', ...outsideOurs]);
    if (status.state !== 'done' || status.exitCode !== 0) return unknown;
    const entries = status.output.toString('latin1').split('\0').filter((entry) => entry !== '');
    const hasUntracked = entries.some((entry) => entry.startsWith('??'));
    if (commit === null) return { isDirty: hasUntracked ? true : null, diffDigest: null };
    if (entries.every((entry) => entry.startsWith('??'))) return { isDirty: hasUntracked, diffDigest: null };
    const diff = await run(root, ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', 'HEAD', ...outsideOurs]);
    if (diff.state !== 'done' || diff.exitCode !== 0) return unknown;
    return diff.output.length === 0 ? { isDirty: hasUntracked, diffDigest: null } : { isDirty: true, diffDigest: diff.sha256 };
  }
}

function gitEnvironment(own: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const env: Record<string, string> = {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PAGER: 'cat',
  };
  const kept = platform === 'win32' ? ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot'] : ['PATH', 'HOME', 'XDG_CONFIG_HOME'];
  for (const name of kept) {
    const value = own[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

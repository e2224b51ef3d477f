// What a figure needs beside it to be read: machine, load, versions. No host name, no path. Imported by bench.ts and section.ts.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

export interface MachineNote {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly text: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Call at the start; the result, called at the end, notes both loads. */
export function startMachineNote(home: string): () => MachineNote {
  const before = loadText();
  return () => {
    const [cpu] = cpus();
    const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
    return {
      date: new Date().toISOString().slice(0, 10),
      text: `${cpus().length} x ${cpu?.model.trim() ?? 'unknown processor'}, ${memory}, ${process.platform} ${process.arch}; load ${before} before and ${loadText()} after`,
      versions: { Node: process.versions.node, rlxp: commitOf(home) },
    };
  };
}

/** Runnable processes, averaged over a minute. */
function loadText(): string {
  return process.platform === 'win32' ? 'unknown' : (loadavg()[0] ?? NaN).toFixed(1);
}

function commitOf(home: string): string {
  try {
    const git = (...args: readonly string[]): string => execFileSync('git', [...args], { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const commit = git('rev-parse', '--short=10', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit} with changes`;
  } catch {
    return 'of an unknown commit'; // no git, or not a work tree: the figures stand all the same
  }
}

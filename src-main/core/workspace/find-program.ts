// Where a program of a command lies, looked up the way the system does, without starting it. Any room of the core may import it.
import path from 'node:path';
import type { Files, Machine } from '../../ports.ts';

export interface ProgramPorts {
  readonly files: Pick<Files, 'realPath' | 'stat'>;
  readonly machine: Pick<Machine, 'env'>;
}

/** A bare name is looked up in PATH; anything with a slash is a path below `root`. Null when nothing that may be run is there. */
export async function findProgram(ports: ProgramPorts, program: string, root: string): Promise<string | null> {
  const found = await lookUp(ports, program, root);
  return found.what === 'program' ? found.at : null;
}

/** Why `program` cannot be run, completing the sentence "the program x ..."; null when it can. */
export async function whyNotRunnable(ports: ProgramPorts, program: string, root: string): Promise<{ readonly what: string; readonly fix: string | null } | null> {
  const found = await lookUp(ports, program, root);
  switch (found.what) {
    case 'program':
      return null;
    case 'not executable':
      return { what: 'is there, but may not be executed', fix: `Run \`chmod +x ${program}\`.` };
    case 'nothing':
      return { what: isPath(program) ? 'is not there' : 'is in no folder of PATH', fix: null };
  }
}

type Found = { readonly what: 'program'; readonly at: string } | { readonly what: 'not executable' | 'nothing' };

async function lookUp({ files, machine }: ProgramPorts, program: string, root: string): Promise<Found> {
  const folders = isPath(program) ? [root] : (machine.env('PATH') ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const known = machine.env('PATHEXT');
  const endings = ['', ...(isPath(program) ? [] : (known ?? '').split(';').filter((ending) => ending !== ''))];
  let isThere = false;
  for (const folder of folders) {
    for (const ending of endings) {
      const at = path.resolve(folder, program + ending);
      const mode = await fileMode(files, at);
      if (mode === null) continue;
      // Windows, which alone has PATHEXT, goes by names.
      if (known !== undefined || (mode & 0o111) !== 0) return { what: 'program', at };
      isThere = true;
    }
  }
  return { what: isThere && isPath(program) ? 'not executable' : 'nothing' };
}

function isPath(program: string): boolean {
  return /[\\/]/.test(program);
}

/** An interpreter of a virtual environment is a link. */
async function fileMode(files: ProgramPorts['files'], at: string): Promise<number | null> {
  try {
    const stat = await files.stat(await files.realPath(at));
    return stat?.kind === 'file' ? stat.mode : null;
  } catch {
    return null; // nothing there, or a folder on the way that we may not enter
  }
}

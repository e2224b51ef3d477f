// Where a program of a command lies, looked up the way the system does, without starting it. Rooms from trial leftwards may import it.
import path from 'node:path';
import type { Files, Machine } from '../../ports.ts';

/** A bare name is looked up in PATH; anything with a slash is a path below `root`. Null when no file is there. */
export async function findProgram(ports: { readonly files: Pick<Files, 'realPath' | 'stat'>; readonly machine: Pick<Machine, 'env'> }, program: string, root: string): Promise<string | null> {
  const isPath = /[\\/]/.test(program);
  const folders = isPath ? [root] : (ports.machine.env('PATH') ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const endings = ['', ...(isPath ? [] : (ports.machine.env('PATHEXT') ?? '').split(';').filter((ending) => ending !== ''))];
  for (const folder of folders) {
    for (const ending of endings) {
      const at = path.resolve(folder, program + ending);
      if (await isFile(ports.files, at)) return at;
    }
  }
  return null;
}

/** An interpreter of a virtual environment is a link. */
async function isFile(files: Pick<Files, 'realPath' | 'stat'>, at: string): Promise<boolean> {
  try {
    return (await files.stat(await files.realPath(at)))?.kind === 'file';
  } catch {
    return false; // nothing there, or a folder on the way that we may not enter
  }
}

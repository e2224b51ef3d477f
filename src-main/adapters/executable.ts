// Finds the file that an argv names, before a process is started with it. Only the process adapters import it.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { platform } from 'node:process';
import { DiskFileError } from './file-error.ts';

/**
 * The absolute path of `name`, looked up in the PATH that the process itself will get, never in ours. A name with a slash counts from
 * `cwd`. Throws ENOENT or EACCES, and ENOTDIR for a missing `cwd`: a terminal would only show them as a strange exit.
 */
export function findExecutable(name: string, cwd: string, env: Readonly<Record<string, string>>): string {
  if (!isFolder(cwd)) throw new DiskFileError('ENOTDIR', cwd, `ENOTDIR: no such folder to start in, '${cwd}'`);
  if (isAbsolute(name) || name.includes('/') || name.includes(sep)) return mustRun(resolve(cwd, name));
  for (const folder of (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)) {
    for (const ending of platform === 'win32' ? ['', '.exe'] : ['']) {
      const path = join(resolve(cwd, folder), name + ending);
      if (canRun(path)) return path;
    }
  }
  throw new DiskFileError('ENOENT', name, `ENOENT: no program '${name}' on the PATH given to it`);
}

function mustRun(path: string): string {
  if (canRun(path)) return path;
  try {
    statSync(path);
  } catch {
    throw new DiskFileError('ENOENT', path, `ENOENT: no such program, '${path}'`);
  }
  throw new DiskFileError('EACCES', path, `EACCES: not an executable file, '${path}'`);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

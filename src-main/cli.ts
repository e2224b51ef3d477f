// The `rlxp` command: ports, workbench, door, exit code.
import { dirname, join, resolve } from 'node:path';
import { makeSystemPorts } from './adapters/system-ports.ts';
import type { Files } from './ports.ts';
import { makeNodeTerminal } from './serve/argv/node-terminal.ts';
import { runArgv } from './serve/argv.ts';
import { makeWorkbench } from './workbench.ts';

const terminal = makeNodeTerminal();
const ports = makeSystemPorts({ entryUrl: import.meta.url });
const workbench = makeWorkbench(ports);

try {
  process.exitCode = await runArgv(process.argv.slice(2), {
    terminal,
    dispatch: workbench.dispatch,
    by: ports.machine.userName(),
    version: ports.node.version,
    findRoot: (given, form) => findRoot(ports.files, { given, form, cwd: terminal.cwd }),
  });
} catch (error) {
  const id = ports.log.fault(error);
  terminal.err(`rlxp: fault ${id}: something went wrong in the command line itself; the log holds the details\n`);
  process.exitCode = 1;
} finally {
  workbench.shutdown();
}

/** `--root`, else the nearest folder upwards that has `.rlxp`, else the current folder. */
async function findRoot(files: Files, { given, form, cwd }: { readonly given: string | null; readonly form: 'nearest' | 'here'; readonly cwd: string }): Promise<string> {
  if (given !== null) return resolve(cwd, given);
  if (form === 'here') return cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if ((await files.stat(join(folder, '.rlxp')))?.kind === 'folder') return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

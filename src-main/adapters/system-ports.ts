// Puts the real adapters together. Only the entries of src-main and tests import it.
import type { Ports } from '../ports.ts';
import { makeDiskFiles } from './disk-files.ts';
import { makeFileLog } from './file-log.ts';
import { makeGitCommand } from './git-command.ts';
import { makeKeyFile } from './key-file.ts';
import { makeNodeRuntime } from './node-runtime.ts';
import { configFolder, logFolder, ourPlace, runtimeFolder } from './private-folder.ts';
import { makePtyProcesses } from './pty-processes.ts';
import { makeSocketLocks } from './socket-locks.ts';
import { makeSystemClock } from './system-clock.ts';
import { makeSystemEntropy } from './system-entropy.ts';
import { makeSystemMachine } from './system-machine.ts';

export interface SystemPortsOptions {
  /** `import.meta.url` of the entry that is running. */
  readonly entryUrl: string;
}

/** Nothing is made on disk before a port is used. */
export function makeSystemPorts(options: SystemPortsOptions): Ports {
  const place = ourPlace();
  const log = makeFileLog({ folder: () => logFolder(place), env: place.env });
  const processes = makePtyProcesses();
  return {
    files: makeDiskFiles(),
    clock: makeSystemClock({ onFault: (error) => log.fault(error) }),
    entropy: makeSystemEntropy(),
    secrets: makeKeyFile({ folder: () => configFolder(place), uid: place.uid }),
    processes,
    locks: makeSocketLocks({ folder: () => runtimeFolder(place), processes }),
    machine: makeSystemMachine(),
    git: makeGitCommand({ env: place.env }),
    node: makeNodeRuntime({
      entryUrl: options.entryUrl,
      execPath: process.execPath,
      env: place.env,
      isElectron: process.versions['electron'] !== undefined,
      resourcesPath: packagedResources(),
    }),
    log,
  };
}

function packagedResources(): string | null {
  const { resourcesPath, defaultApp } = process as NodeJS.Process & { readonly resourcesPath?: string; readonly defaultApp?: boolean };
  return resourcesPath === undefined || defaultApp === true ? null : resourcesPath;
}

// What a crash leaves lying about: temp files whose process is gone, half copies, probes. This room only.
import { join } from 'node:path';
import type { Ports } from '../../ports.ts';
import { rlxpFolder } from '../workspace/layout.ts';
import type { CheckScope } from './findings.ts';

export interface Leftover {
  readonly path: string;
  readonly what: string;
  readonly isFresh: boolean;
}

/** As rule D38 names them. */
const tempName = /^\..+\.(\d{1,10})\.[0-9a-f]{12}\.tmp$/s;
/** A younger one may still be renamed by a process of another machine on a shared disk. */
const freshMs = 60_000;
const mostEntries = 50_000;

/** Below .rlxp, or below one run with `study`; links are not followed. Copied code is not looked into: nobody but its approval vouches for its names. */
export async function findLeftovers(ports: Pick<Ports, 'files' | 'clock' | 'processes'>, folder: string): Promise<readonly Leftover[]> {
  const { files, clock } = ports;
  const found: Leftover[] = [];
  let left = mostEntries;
  const visit = async (at: string): Promise<void> => {
    for (const name of await files.list(at)) {
      left -= 1;
      if (left < 0) return;
      const path = join(at, name);
      const stat = await files.stat(path);
      if (stat === null) continue;
      const isFresh = clock.wallMs() - stat.modifiedMs < freshMs;
      const pid = tempName.exec(name)?.[1];
      if (stat.kind === 'file' && pid !== undefined) {
        if ((await ports.processes.identify(Number(pid))) === null) found.push({ path, what: `A half-written file of the process ${pid}, which is gone.`, isFresh });
      } else if (stat.kind === 'file' && name === '.write-probe') found.push({ path, what: 'A test whether the folder can be written.', isFresh });
      else if (stat.kind === 'folder' && name === 'snapshot.draft') found.push({ path, what: 'A copy of the task\'s code that was never finished.', isFresh: false });
      else if (stat.kind === 'folder' && name !== 'snapshot') await visit(path);
    }
  };
  await visit(folder);
  return found;
}

export async function checkLeftovers({ ports, root, found }: CheckScope, folder = rlxpFolder(root)): Promise<void> {
  for (const { path, what, isFresh } of await findLeftovers(ports, folder)) {
    found.add(isFresh ? 'ok' : 'warning', path, what, { fix: isFresh ? 'It is swept once it is older than a minute.' : 'Run `rlxp check --repair`: nothing of it was ever acknowledged.', repairable: true });
  }
}

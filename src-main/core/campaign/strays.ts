// Processes of trials by name: launched.json says which a campaign has running, so that the next start finds those that a killed one
// left behind, by their number and start time as well as by their tag. Imported by this room and the check.
import { join } from 'node:path';
import { z } from 'zod';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import type { RunPaths } from '../workspace/layout.ts';

const launchedFile = z.strictObject({
  boot_id: z.string(),
  processes: z.array(z.strictObject({ tag: z.string(), pid: z.number(), start_time: z.string() })),
});

export interface Stray {
  readonly identity: ProcessIdentity;
  readonly tag: string;
}

export interface Launches {
  /** A process runs under this tag. */
  started(tag: string, identity: ProcessIdentity): void;
  /** Nothing under this tag runs any more. */
  over(tag: string): void;
}

/** Writes each change of what runs. A disk that refuses one is only told: tags still find what is left. */
export function noteLaunches(ports: Pick<Ports, 'files' | 'log'>, paths: RunPaths, bootId: string): Launches {
  const running = new Map<string, ProcessIdentity>();
  let queue = Promise.resolve();
  const write = () => {
    queue = queue.then(async () => {
      const processes = [...running].map(([tag, { pid, startTime }]) => ({ tag, pid, start_time: startTime }));
      try {
        await ports.files.replaceFile(launchedPath(paths), `${JSON.stringify({ boot_id: bootId, processes } satisfies z.infer<typeof launchedFile>)}\n`);
      } catch (error) {
        ports.log.warn('launched.json could not be written', { error: String(error) });
      }
    });
  };
  return {
    started(tag, identity) {
      running.set(tag, identity);
      write();
    },
    over(tag) {
      if (running.delete(tag)) write();
    },
  };
}

/** Living processes of a study's trials, by tag and by what launched.json says; a number that another process has now is none of them. */
export async function findStrays(ports: Pick<Ports, 'files' | 'processes'>, paths: RunPaths, key: string): Promise<readonly Stray[]> {
  // A copied repository brings the names of the other's processes along: only those of its own key are its own.
  const recorded = (await readLaunched(ports, paths)).filter((stray) => stray.tag.startsWith(`rlxp:${key}:`));
  const found = new Map((await ports.processes.findTagged(`rlxp:${key}:`)).map((stray) => [stray.identity.pid, stray]));
  for (const stray of recorded) if (!found.has(stray.identity.pid) && (await ports.processes.isAlive(stray.identity))) found.set(stray.identity.pid, stray);
  return [...found.values()];
}

/** Ends them, never adopts them; gives those that would not go. */
export async function endStrays(ports: Pick<Ports, 'files' | 'processes' | 'log'>, paths: RunPaths, key: string): Promise<readonly ProcessIdentity[]> {
  const survivors = new Map<number, ProcessIdentity>();
  for (const stray of await findStrays(ports, paths, key)) {
    ports.log.warn('ending a process that an earlier run left behind', { pid: stray.identity.pid, tag: stray.tag });
    const report = await ports.processes.end(stray, { graceMs: 2000 });
    for (const one of report.survivors) survivors.set(one.pid, one);
  }
  return [...survivors.values()];
}

/** What an earlier run had running when it last wrote; none after another boot. */
async function readLaunched({ files, processes }: Pick<Ports, 'files' | 'processes'>, paths: RunPaths): Promise<readonly Stray[]> {
  const path = launchedPath(paths);
  if ((await files.stat(path))?.kind !== 'file') return [];
  let value: unknown;
  try {
    value = JSON.parse(await files.readText(path, { maxBytes: 1_000_000 }));
  } catch {
    return []; // tags still find what is left
  }
  const parsed = launchedFile.safeParse(value);
  if (!parsed.success || parsed.data.boot_id !== (await processes.bootId())) return [];
  return parsed.data.processes.map(({ tag, pid, start_time }) => ({ tag, identity: { pid, startTime: start_time } }));
}

function launchedPath(paths: RunPaths): string {
  return join(paths.folder, 'launched.json');
}

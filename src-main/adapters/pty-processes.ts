// The Processes port on node-pty and the system's process table. Only composition files and tests import it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:process';
import { promisify } from 'node:util';
import type { ProcessIdentity, Processes } from '../ports.ts';
import { startBackground } from './background-start.ts';
import { endTree, signalSame } from './process-ending.ts';
import { makeProcessTable, parseStat, type ProcessTable } from './process-table.ts';
import { startUnderPty } from './pty-start.ts';

export function makePtyProcesses(table: ProcessTable = makeProcessTable()): Processes {
  const identify = async (pid: number): Promise<ProcessIdentity | null> => {
    const row = await table.row(pid);
    return row === null || row.isZombie ? null : { pid, startTime: row.startTime };
  };
  /** When the launches of ours that are not ended yet began, by their tag. */
  const launchStarts = new Map<string, string>();
  return {
    async start(options) {
      refuseBadTag(options.tag);
      const process = startUnderPty(options, identityNow);
      // A tag that is used twice says nothing about when it was used first.
      launchStarts.set(options.tag, launchStarts.has(options.tag) ? goneStart : process.identity.startTime);
      return platform === 'linux' ? process : { ...process, identity: (await identify(process.identity.pid)) ?? process.identity };
    },
    async startBackground(options) {
      const process = await startBackground(options, identityNow);
      return platform === 'linux' ? process : { ...process, identity: (await identify(process.identity.pid)) ?? process.identity };
    },
    identify,
    isAlive: async (identity) => (await identify(identity.pid))?.startTime === identity.startTime,
    async isSuspended(identity) {
      const row = await table.row(identity.pid);
      return row !== null && row.startTime === identity.startTime && row.isStopped;
    },
    async end(target, options) {
      refuseBadTag(target.tag);
      const launchStart = launchStarts.get(target.tag);
      launchStarts.delete(target.tag);
      return endTree(table, target, launchStart === undefined ? options : { ...options, launchStart });
    },
    async findTagged(tagPrefix) {
      if (tagPrefix === '') throw new RangeError('A tag prefix names something: the empty one would mean everybody.');
      const found: { identity: ProcessIdentity; tag: string }[] = [];
      for (const [pid, tag] of await table.tags()) {
        if (!tag.startsWith(tagPrefix) || pid === process.pid) continue;
        const identity = await identify(pid);
        if (identity !== null) found.push({ identity, tag });
      }
      return found;
    },
    ask: (identity, signal) => signalSame(table, identity, signal),
    async self() {
      return (await identify(process.pid)) ?? { pid: process.pid, startTime: goneStart };
    },
    bootId,
  };
}

/** The start time of a process that ended before it could be read: it equals none, so nothing is ever signalled by it. */
const goneStart = 'ended-at-once';

/** Read at once, while the number is surely still that of the process just started. */
function identityNow(pid: number): ProcessIdentity {
  if (platform !== 'linux') return { pid, startTime: goneStart };
  try {
    return { pid, startTime: parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'))?.startTime ?? goneStart };
  } catch {
    return { pid, startTime: goneStart };
  }
}

function refuseBadTag(tag: string): void {
  if (!/^[\x21-\x7e]{1,200}$/.test(tag)) throw new RangeError('A tag is 1 to 200 printable characters without spaces.');
}

const run = promisify(execFile);

/** Linux and macOS name each boot; on Windows the boot time stands for it (never run there). */
async function bootId(): Promise<string> {
  if (platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  if (platform === 'darwin') return (await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim();
  const script = '(Get-CimInstance Win32_OperatingSystem).LastBootUpTime.Ticks';
  return (await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script])).stdout.trim();
}

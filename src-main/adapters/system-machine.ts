// The Machine port on the operating system. Only composition files and tests import it. It asks no network and no GPU.
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, hostname, platform, totalmem, userInfo } from 'node:os';
import type { Machine } from '../ports.ts';
import { quotaCores, usableCores } from './cgroup-cores.ts';

export function makeSystemMachine(): Machine {
  return {
    hardware: () =>
      Promise.resolve({
        platform: platform(),
        architecture: arch(),
        cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
        usableCores: usableCores(availableParallelism(), platform() === 'linux' ? quotaCores(readText) : null), // affinity is in Node's own count
        memoryBytes: usableMemory(),
        nodeVersion: process.version,
        gpus: 'unknown',
      }),
    userName,
    peakMemoryBytes: (pids) => Promise.resolve(platform() === 'linux' ? sumOfPeaks(pids, readText) : 'unknown'),
    hostName: () => hostname(),
    env: (name) => process.env[name],
    envNames: () => Object.keys(process.env).sort(),
  };
}

/** From /proc/<pid>/status, whose VmHWM is in kB. */
export function sumOfPeaks(pids: readonly number[], read: (path: string) => string | null): number {
  return pids.reduce((sum, pid) => sum + Number(/^VmHWM:\s*(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024, 0);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What a control group allows, where it allows less than the machine has (an unlimited group reads as an absurdly large number). */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

/** A user without an entry in the system's list (in a container) has only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

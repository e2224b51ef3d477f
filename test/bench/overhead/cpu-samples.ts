// Follows the CPU time of one process while it runs, thread by thread, in nanoseconds. Linux only. Imported by test/bench only.
import { readdirSync, readFileSync } from 'node:fs';

export interface CpuSample {
  readonly wallS: number;
  readonly cpuS: number;
}

export interface CpuSampler {
  readonly samples: readonly CpuSample[];
  stop(): void;
}

/** Asks `findPid` until it knows one, then samples every `everyMs`. A thread that ends takes its time with it: the largest sum counts. */
export function sampleCpu(findPid: () => number | null, everyMs: number): CpuSampler {
  const samples: CpuSample[] = [];
  let pid: number | null = null;
  const timer = setInterval(() => {
    pid ??= findPid();
    const cpuS = pid === null ? null : cpuOf(pid);
    if (cpuS !== null) samples.push({ wallS: Date.now() / 1000, cpuS: Math.max(cpuS, samples.at(-1)?.cpuS ?? 0) });
  }, everyMs);
  return { samples, stop: () => clearInterval(timer) };
}

function cpuOf(pid: number): number | null {
  try {
    let sum = 0;
    for (const task of readdirSync(`/proc/${pid}/task`)) sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    return sum / 1e9;
  } catch {
    return null; // it has ended
  }
}

/** CPU seconds used between two wall times, by straight lines between the samples. */
export function cpuBetween(samples: readonly CpuSample[], fromS: number, toS: number): number {
  return cpuAt(samples, toS) - cpuAt(samples, fromS);
}

function cpuAt(samples: readonly CpuSample[], wallS: number): number {
  const after = samples.findIndex((one) => one.wallS >= wallS);
  const [a, b] = after === -1 ? [samples.at(-1), undefined] : [samples[after - 1], samples[after]];
  if (a === undefined) return 0;
  if (b === undefined) return a.cpuS;
  return a.cpuS + ((b.cpuS - a.cpuS) * (wallS - a.wallS)) / (b.wallS - a.wallS);
}

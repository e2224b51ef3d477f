// How many cores the control groups leave to this process. Only adapters/system-machine imports it.

/** Gives a file's text, or null when it is missing. */
export type ReadText = (path: string) => string | null;

/**
 * The CPU quota of this process in cores (1.5 is possible), or null when nothing limits it. Every group above counts too; the smallest
 * wins. Reads version 2 (`cpu.max`: `max 100000` or `150000 100000`) and version 1 (`cpu.cfs_quota_us`, -1 for none). In a container
 * the path in /proc/self/cgroup may be the host's, so the mount's own root is looked at as well.
 */
export function quotaCores(read: ReadText): number | null {
  const quotas: number[] = [];
  for (const line of (read('/proc/self/cgroup') ?? '').split('\n')) {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (match === null) continue;
    const [, , controllers, path] = match as unknown as [string, string, string, string];
    if (controllers === '') for (const group of groupsUp(path)) add(quotas, readV2(read, `/sys/fs/cgroup${group}`));
    else if (controllers.split(',').includes('cpu')) {
      for (const root of ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct']) for (const group of groupsUp(path)) add(quotas, readV1(read, root + group));
    }
  }
  return quotas.length === 0 ? null : Math.min(...quotas);
}

/** Whole cores worth planning with: half a core more is no second slot, and less than one is still one. */
export function usableCores(available: number, quota: number | null): number {
  return Math.max(1, Math.floor(Math.min(available, quota ?? available)));
}

/** `/a/b`, `/a`, and the root as the empty text. */
function groupsUp(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  return Array.from({ length: parts.length + 1 }, (_, index) => parts.slice(0, parts.length - index).map((part) => `/${part}`).join(''));
}

function readV2(read: ReadText, folder: string): number | null {
  const [quota, period] = (read(`${folder}/cpu.max`) ?? '').trim().split(' ');
  return ratio(quota, period);
}

function readV1(read: ReadText, folder: string): number | null {
  return ratio(read(`${folder}/cpu.cfs_quota_us`)?.trim(), read(`${folder}/cpu.cfs_period_us`)?.trim());
}

function ratio(quota: string | undefined, period: string | undefined): number | null {
  const cores = Number(quota) / Number(period);
  return quota !== '' && Number.isFinite(cores) && cores > 0 ? cores : null;
}

function add(quotas: number[], quota: number | null): void {
  if (quota !== null) quotas.push(quota);
}

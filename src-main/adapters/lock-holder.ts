// Who holds a lock, and the file name a lock goes by. Only the lock adapters import it.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { LockClaimant, Processes } from '../ports.ts';

/** The file name of a key; any text may be a key. */
export function lockName(key: string): string {
  return `lock-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

export async function describeHolder(processes: Pick<Processes, 'self' | 'bootId'>, purpose: string): Promise<LockClaimant> {
  const self = await processes.self();
  return { ...self, bootId: await processes.bootId(), host: hostname(), purpose, since: new Date().toISOString() };
}

/** Null for anything that is not one. */
export function asClaimant(value: unknown): LockClaimant | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pid, startTime, bootId, host, purpose, since } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof bootId !== 'string') return null;
  if (typeof host !== 'string' || typeof purpose !== 'string' || typeof since !== 'string') return null;
  return { pid, startTime, bootId, host, purpose, since };
}

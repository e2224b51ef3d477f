// The Locks port on sockets that the system closes with their process. Only composition files and tests import it.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import type { LockClaimant, LockResult, Locks, Processes } from '../ports.ts';
import { askClaim, Claim, removeClaim, type ClaimSight } from './lock-claim.ts';
import { describeHolder, lockName } from './lock-holder.ts';
import { makePipeLocks } from './pipe-locks.ts';

export interface SocketLockOptions {
  /** Gives a folder that only this user can enter, made and checked; asked at each use. */
  readonly folder: () => string;
  readonly processes: Pick<Processes, 'self' | 'bootId'>;
}

/** After that long somebody else's attempt that neither ends nor wins is named as the holder. */
const patienceMs = 10_000;
const keepMs = 30_000;

/**
 * The rule: publish a claim, then look at all others. Whoever sees no other living claim after publishing its own holds the lock; of two
 * that publish at once at least one sees the other. So two never win, whatever the order, and no dead claim needs to be taken over: it is
 * only swept away. Of several that try, the one with the least name stays and the others step back.
 */
export function makeSocketLocks(options: SocketLockOptions): Locks {
  if (platform === 'win32') return makePipeLocks(options.processes);

  return {
    async take(key, purpose): Promise<LockResult> {
      const folder = options.folder();
      const prefix = lockName(key);
      const holder = await describeHolder(options.processes, purpose);
      const startedMs = performance.now();
      for (;;) {
        const others = await livingClaims(folder, prefix, null);
        const taken = others.find(isTaken);
        if (taken !== undefined) return { held: false, holder: taken.sight.holder };
        const isLate = performance.now() - startedMs > patienceMs;
        if (isLate && others[0] !== undefined) return { held: false, holder: others[0].sight.holder };
        // Somebody is about to have it: wait and see, rather than disturb.
        const claim = others.length > 0 ? null : await contend(folder, prefix, holder, startedMs);
        if (claim !== null) return { held: true, release: keep(claim) };
        await pause(5 + Math.random() * 20);
      }
    },
    async holder(key) {
      const claims = await livingClaims(options.folder(), lockName(key), null);
      return claims.find(isTaken)?.sight.holder ?? null;
    },
  };
}

/** Publishes a claim and holds it once no other lives; null when it stepped back. */
async function contend(folder: string, prefix: string, holder: LockClaimant, startedMs: number): Promise<Claim | null> {
  const claim = await Claim.make(folder, prefix, holder);
  try {
    for (;;) {
      const others = await livingClaims(folder, prefix, claim.name);
      if (others.length === 0) {
        claim.hold();
        return claim;
      }
      const mustYield = others.some((other) => isTaken(other) || other.name < claim.name);
      if (mustYield || performance.now() - startedMs > patienceMs) break;
      await pause(2 + Math.random() * 5);
    }
  } catch (error) {
    await claim.withdraw();
    throw error;
  }
  await claim.withdraw();
  return null;
}

interface SeenClaim {
  readonly name: string;
  readonly sight: Exclude<ClaimSight, { readonly state: 'dead' }>;
}

/** A silent claim counts as held: a suspended holder keeps its lock. */
function isTaken(claim: SeenClaim): boolean {
  return claim.sight.state !== 'trying';
}

/** Every other living claim, dead ones swept away. */
async function livingClaims(folder: string, prefix: string, ownName: string | null): Promise<readonly SeenClaim[]> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${prefix}.`));
  sweepUnpublished(folder, names);
  const claims = names.filter((name) => name.endsWith('.claim') && name !== ownName).sort();
  const seen: SeenClaim[] = [];
  for (const name of claims) {
    const sight = await askClaim(folder, name);
    if (sight.state === 'dead') removeClaim(folder, name);
    else seen.push({ name, sight });
  }
  return seen;
}

/** Sockets of processes that died before they took their claim's name, and side files without a claim. */
function sweepUnpublished(folder: string, names: readonly string[]): void {
  for (const name of names) {
    if (name.endsWith('.claim') || names.includes(name.replace(/\.(new|json)$/, '.claim'))) continue;
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > 60_000) rmSync(path, { force: true });
    } catch {
      // Gone already.
    }
  }
}

/** Keeps a held claim in sight until it is given back: old sockets are swept from /tmp, and /run/user goes with the last logout. */
function keep(first: Claim): () => Promise<void> {
  let claim = first;
  let isReleased = false;
  let renewal: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (claim.refresh()) return;
    renewal = renewal.then(async () => {
      if (!isReleased) claim = await claim.again();
    }).catch(() => undefined); // the folder is away; the next turn tries again
  }, keepMs);
  timer.unref();
  return async () => {
    if (isReleased) return;
    isReleased = true;
    clearInterval(timer);
    await renewal;
    await claim.withdraw();
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

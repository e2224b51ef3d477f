// A lock for the moment it takes to read and write one file, shared by every process of this machine. Core rooms left of ledger may import it.
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';

const waitMs = 5_000;
const retryMs = 15;

/**
 * Runs `work` while holding the lock `kind` of the repository. Waits at most 5 s for another holder, then refuses with `unwritable`
 * and says who has it. Never nest two locks of one kind: the inner one would wait for the outer.
 */
export async function withShortLock<Result>(
  ports: Pick<Ports, 'files' | 'locks' | 'clock'>,
  options: { readonly root: string; readonly kind: string; readonly purpose: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const key = `${options.kind}:${await ports.files.realPath(options.root)}`;
  const deadline = ports.clock.monotonicMs() + waitMs;
  for (;;) {
    const lock = await ports.locks.take(key, options.purpose);
    if (lock.held) {
      try {
        return await work();
      } finally {
        await lock.release();
      }
    }
    if (ports.clock.monotonicMs() >= deadline) {
      const holder = lock.holder === null ? 'another process' : `process ${lock.holder.pid} (${lock.holder.purpose})`;
      return refuse('unwritable', `The ${options.kind} of this repository has been held by ${holder} for ${waitMs / 1000} s.`, {
        next: 'Wait a moment and run the command again; nothing was changed.',
      });
    }
    await ports.clock.sleep(retryMs);
  }
}

// The Locks port of Windows: a named pipe belongs to whoever made it first and vanishes with its process. Only adapters/socket-locks imports it. It has never run on Windows.
import { createServer } from 'node:net';
import type { LockHolder, Locks, Processes } from '../ports.ts';
import { codeOf } from '../durable/disk.ts';
import { askClaim } from './lock-claim.ts';
import { describeHolder, lockName } from './lock-holder.ts';

/** Windows makes the first instance of a pipe name exclusive, so listening is taking. */
export function makePipeLocks(processes: Pick<Processes, 'self' | 'bootId'>): Locks {
  return {
    async take(key, purpose) {
      const holder = await describeHolder(processes, purpose);
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.end(JSON.stringify({ isHeld: true, holder }));
      });
      try {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(pipeFolder + lockName(key), resolve);
        });
      } catch (error) {
        if (codeOf(error) !== 'EADDRINUSE' && codeOf(error) !== 'EACCES') throw error;
        return { held: false, holder: await holderOf(key) };
      }
      server.unref();
      return { held: true, release: () => new Promise<void>((resolve) => server.close(() => resolve())) };
    },
    holder: holderOf,
  };
}

const pipeFolder = '\\\\.\\pipe\\rlxp-';

async function holderOf(key: string): Promise<LockHolder | null> {
  const sight = await askClaim('', pipeFolder + lockName(key));
  return sight.state === 'dead' ? null : sight.holder;
}

// What a child process of the lock tests needs, bundled for it.
import { makePtyProcesses } from '../../../src-main/adapters/pty-processes.ts';
import { makeSocketLocks } from '../../../src-main/adapters/socket-locks.ts';
import type { Locks } from '../../../src-main/ports.ts';

export { sleep } from './wait.ts';

export const processes = makePtyProcesses();

export function makeLocksOf(folder: string): Locks {
  return makeSocketLocks({ folder: () => folder, processes });
}

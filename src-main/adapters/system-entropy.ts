// The Entropy port on the operating system's random source. Only composition files and tests import it.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Entropy } from '../ports.ts';

export function makeSystemEntropy(): Entropy {
  return {
    bytes: (count) => new Uint8Array(randomBytes(count)),
    uuid: () => randomUUID(),
  };
}

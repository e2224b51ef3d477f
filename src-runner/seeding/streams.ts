// The named random streams of a trial and of an evaluation. Imported by learners, harness and entries.
// Keys are a file format: never renumber or reuse one; adding a new one is safe.
import { Generator } from './generator.ts';
import { makeSeedSequence } from './seed-sequence.ts';

export const STREAM_KEYS = {
  environment: 0,
  model_initialization: 1,
  policy_sampling: 2,
  minibatch_order: 3,
} as const;
export type StreamName = keyof typeof STREAM_KEYS;

export interface Streams {
  readonly seed: number;
  /** A fresh generator for stream `name`, sub-stream `index` (for example the environment's number). */
  make(name: StreamName, index: number): Generator;
}

/**
 * Streams of one root seed. `offset` (the agent's `stream_offset`) shifts all of them at once: the spawn key of a
 * generator is (offset, stream, index), so two offsets share no stream and nothing but randomness differs.
 */
export function makeStreams(seed: number, offset = 0): Streams {
  const root = makeSeedSequence(seed, [offset]);
  return { seed, make: (name, index) => new Generator(root.child([STREAM_KEYS[name], index])) };
}

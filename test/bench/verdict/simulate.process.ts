// A thread of the simulation: one chunk in, one tally out. Started by pool.ts.
import { parentPort } from 'node:worker_threads';
import { runChunk, type Chunk } from './chunk.ts';

parentPort?.on('message', (chunk: Chunk) => parentPort?.postMessage(runChunk(chunk)));

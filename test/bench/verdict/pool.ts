// Runs chunks in as many threads as there are cores; what comes out does not depend on how many. Imported by part.ts.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Chunk } from './chunk.ts';
import type { Tally } from './tally.ts';

/** The tallies in the order of the chunks. `program`: the built simulate.process. */
export async function runChunks(program: string, chunks: readonly Chunk[], onDone: (done: number) => void): Promise<readonly Tally[]> {
  const tallies = new Array<Tally>(chunks.length);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(program);
    try {
      for (let index = next++; index < chunks.length; index = next++) {
        tallies[index] = await answerOf(worker, chunks[index]);
        onDone((done += 1));
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), chunks.length) }, work));
  return tallies;
}

function answerOf(worker: Worker, chunk: Chunk | undefined): Promise<Tally> {
  return new Promise<Tally>((resolve, reject) => {
    const settle = (act: () => void): void => {
      worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
      act();
    };
    const onAnswer = (tally: Tally): void => settle(() => resolve(tally));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (code: number): void => settle(() => reject(new Error(`a thread of the simulation ended with ${code}`)));
    worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
    worker.postMessage(chunk);
  });
}

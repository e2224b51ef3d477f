// Entry: `node train.js <path to trial.json>` trains one trial. Imported by nobody.
// Exit codes: 0 trained to the end, 1 failed, 2 usage, 130 interrupted after a finished update.
import { watchInterruption } from './harness/interruption.ts';
import { EXIT, runEntry, writeLine } from './harness/run-entry.ts';
import { trainTrial } from './harness/train-trial.ts';

const interruption = watchInterruption();
await runEntry('train', async (context) => {
  const result = await trainTrial(context, { isInterrupted: interruption.isRequested, write: writeLine, nowMs: () => performance.now() });
  writeLine(`${result.outcome} at step ${result.step}`);
  return result.outcome === 'finished' ? EXIT.done : EXIT.interrupted;
});

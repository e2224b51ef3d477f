// Entry: `node evaluate.js <path to trial.json>` evaluates one trial and writes evaluation.json. Imported by nobody.
// Exit codes: 0 written, 1 failed, 2 usage. An interruption leaves no half-written file.
import { evaluateTrial } from './harness/evaluate-trial.ts';
import { EXIT, runEntry, writeLine } from './harness/run-entry.ts';

await runEntry('evaluate', async (context) => {
  await evaluateTrial(context, { write: writeLine, nowMs: () => performance.now() });
  return EXIT.done;
});

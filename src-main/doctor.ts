// The doctor's process: `node doctor.js <repository> <study> <run> [<checkpoint>]`. Started by whichever door ran doctor_run.
import { RefusalError } from '../src-protocol/refusal.ts';
import { makeSystemPorts } from './adapters/system-ports.ts';
import { runDoctor } from './core/doctor/run-doctor.ts';

const [root, study, run, checkpoint] = process.argv.slice(2);
if (root === undefined || study === undefined || run === undefined || !/^[0-9a-z][0-9a-z-]*$/.test(run)) {
  process.stderr.write('usage: doctor.js <absolute repository> <study> <name of its run> [<checkpoint>]\n');
  process.exit(2);
}
const ports = makeSystemPorts({ entryUrl: import.meta.url });
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
process.on('SIGHUP', () => undefined); // closing the terminal that started it ends nothing: it takes ten minutes at most

try {
  const report = await runDoctor({ ports, root, study, run, checkpoint: checkpoint ?? null, signal: stop.signal });
  process.stdout.write(`${report.state}\n`);
} catch (error) {
  if (error instanceof RefusalError) {
    process.stderr.write(`${error.refusal.message}\n${error.refusal.next}\n`);
    process.exitCode = 3;
  } else {
    const id = ports.log.fault(error, { study });
    process.stderr.write(`a fault of the program (${id}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
}

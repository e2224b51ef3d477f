// The campaign process: `node campaign.js <repository> <study>`. Started in the background by whichever door ran campaign_run.
import { RefusalError } from '../src-protocol/refusal.ts';
import { makeSystemPorts } from './adapters/system-ports.ts';
import { isDiskFailure } from './core/campaign/disk-guard.ts';
import { runCampaign } from './core/campaign/run-campaign.ts';

const [root, study] = process.argv.slice(2);
if (root === undefined || study === undefined) {
  process.stderr.write('usage: campaign.js <absolute repository> <study>\n');
  process.exit(2);
}
const ports = makeSystemPorts({ entryUrl: import.meta.url });
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
process.on('SIGHUP', () => undefined); // closing the terminal that started it ends nothing

try {
  const end = await runCampaign({ ports, root, study, signal: stop.signal });
  process.stdout.write(`${end.status}: ${end.text}\n`);
  process.exitCode = end.status === 'completed' ? 0 : 4;
} catch (error) {
  if (error instanceof RefusalError) {
    process.stderr.write(`${error.refusal.message}\n${error.refusal.next}\n`);
    process.exitCode = 3;
  } else if (isDiskFailure(error)) {
    // Nobody's fault: what was written is kept, and running it again goes on from there.
    process.stderr.write(`a file could not be written or read: ${error.message}\nFree some space or mend the disk, then run the campaign again: it goes on from its records.\n`);
    process.exitCode = 3;
  } else {
    const id = ports.log.fault(error, { study });
    process.stderr.write(`a fault of the program (${id}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
}

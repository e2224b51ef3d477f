// The campaign process: `node campaign.js <repository> <study> [--restarted]`. Started in the background by its babysitter.
import { RefusalError } from '../src-protocol/refusal.ts';
import { makeSystemPorts } from './adapters/system-ports.ts';
import { campaignExit } from './core/campaign/campaign-exit.ts';
import { isDiskFailure } from './core/campaign/disk-guard.ts';
import { runCampaign } from './core/campaign/run-campaign.ts';

const [root, study, ...more] = process.argv.slice(2);
if (root === undefined || study === undefined) {
  process.stderr.write('usage: campaign.js <absolute repository> <study>\n');
  process.exit(campaignExit.usage);
}
const ports = makeSystemPorts({ entryUrl: import.meta.url });
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined); // process.log may lie on a full disk
process.on('SIGHUP', () => undefined); // closing the terminal that started it ends nothing

try {
  const end = await runCampaign({ ports, root, study, signal: stop.signal, isRestart: more.includes('--restarted') });
  process.stdout.write(`${end.status}: ${end.text}\n`);
  process.exitCode = end.status === 'completed' ? campaignExit.completed : campaignExit.notCompleted;
} catch (error) {
  if (error instanceof RefusalError) {
    process.stderr.write(`${error.refusal.message}\n${error.refusal.next}\n`);
    process.exitCode = error.refusal.code === 'campaign_running' ? campaignExit.held : campaignExit.refused;
  } else if (isDiskFailure(error)) {
    // Nobody's fault: what was written is kept, and running it again goes on from there.
    process.stderr.write(`a file could not be written or read: ${error.message}\nFree some space or mend the disk, then run the campaign again: it goes on from its records.\n`);
    process.exitCode = campaignExit.refused;
  } else {
    const id = ports.log.fault(error, { study });
    process.stderr.write(`a fault of the program (${id}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = campaignExit.fault;
  }
}

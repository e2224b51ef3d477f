// The babysitter process: `node babysitter.js <repository> <study>`. Started by whichever door ran campaign_run; it starts the campaign process.
import { RefusalError } from '../src-protocol/refusal.ts';
import { makeSystemPorts } from './adapters/system-ports.ts';
import { babysit } from './core/campaign/babysit.ts';
import { campaignExit } from './core/campaign/campaign-exit.ts';

const [root, study] = process.argv.slice(2);
if (root === undefined || study === undefined) {
  process.stderr.write('usage: babysitter.js <absolute repository> <study>\n');
  process.exit(campaignExit.usage);
}
const ports = makeSystemPorts({ entryUrl: import.meta.url });
const end = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end.abort(signal));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined); // process.log may lie on a full disk
process.on('SIGHUP', () => undefined); // closing the terminal that started it ends nothing

const say = (line: string) => void process.stdout.write(`${new Date(ports.clock.wallMs()).toISOString()}  babysitter: ${line}\n`);
try {
  process.exitCode = await babysit({ ports, root, study, signal: end.signal, say });
} catch (error) {
  if (error instanceof RefusalError) {
    process.stderr.write(`${error.refusal.message}\n${error.refusal.next}\n`);
    process.exitCode = error.refusal.code === 'campaign_running' ? campaignExit.held : campaignExit.refused;
  } else {
    const id = ports.log.fault(error, { study });
    process.stderr.write(`a fault of the program (${id}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = campaignExit.fault;
  }
}

// Runs a doctor in a process of its own and waits for its report; whoever stops waiting ends it. This room only.
import path from 'node:path';
import { doctorReport, type DoctorReport } from '../../../src-protocol/files/doctor.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports, ProcessIdentity } from '../../ports.ts';
import { environmentOf } from '../campaign/background-environment.ts';
import { doctorPaths, doctorRunPaths, timeName } from '../workspace/layout.ts';
import { readJsonFile } from '../workspace/read-file.ts';

const pollMs = 50;

export interface StartDoctorOptions {
  readonly root: string;
  readonly study: string;
  readonly checkpoint: string | null;
  readonly signal: AbortSignal;
}

/** Throws RefusalError: campaign_running, not_started, cancelled. */
export async function startDoctor(ports: Ports, options: StartDoctorOptions): Promise<DoctorReport> {
  const { root, study, signal } = options;
  const holder = await ports.locks.holder(await ports.files.realPath(root));
  if (holder !== null) refuse('campaign_running', `${holder.purpose} is running on this repository (process ${holder.pid}, since ${holder.since}).`, { next: 'Wait until it has ended, then run the doctor again.' });
  const { folder, processLog: logPath } = doctorPaths(root, study);
  const run = timeName(ports.clock.wallMs());
  await ports.files.makeFolder(folder);
  const before = (await ports.files.stat(logPath))?.sizeBytes ?? 0;
  const { node } = ports;
  const argv: [string, ...string[]] = [node.execPath, path.join(node.engineFolder, 'doctor.js'), root, study, run, ...(options.checkpoint === null ? [] : [options.checkpoint])];
  const { identity } = await ports.processes.startBackground({ argv, cwd: root, env: environmentOf(ports.machine), logPath });
  await waitForEnd(ports, identity, signal);
  if (signal.aborted) return refuse('cancelled', `The doctor of ${study} was ended.`);
  const { report } = doctorRunPaths(root, study, run);
  if ((await ports.files.stat(report)) !== null) return readJsonFile(ports.files, report, doctorReport);
  const said = new TextDecoder().decode(await ports.files.readSlice(logPath, before, 4096)).trim();
  return refuse('not_started', said === '' ? 'The doctor\'s process ended without a word.' : `The doctor ended without a report: ${said}`);
}

/** An abort asks it to end in an orderly way, once, and waits all the same: its trial must be gone when this returns. */
async function waitForEnd({ processes, clock }: Ports, identity: ProcessIdentity, signal: AbortSignal): Promise<void> {
  let isAsked = false;
  while (await processes.isAlive(identity)) {
    if (signal.aborted && !isAsked) {
      isAsked = true;
      await processes.ask(identity, 'SIGTERM');
    }
    await clock.sleep(pollMs);
  }
}

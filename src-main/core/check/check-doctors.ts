// Checks what doctors left: approvals and reports that read, and nothing that says running when it does not. This room only.
import { doctorApprovalFile, doctorReport } from '../../../src-protocol/files/doctor.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { slug } from '../../../src-protocol/files/plain.ts';
import type { Ports } from '../../ports.ts';
import { doctorManifests } from '../doctor/settle-doctors.ts';
import { isWriterAlive } from '../provenance/manifest.ts';
import { doctorPaths, doctorRunPaths, projectPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { CheckScope } from './findings.ts';

/** `study`: only that one; null: all. `about` is told which study the next findings are about. */
export async function checkDoctors(scope: CheckScope, study: string | null, about: (study: string) => void): Promise<void> {
  const { ports, root } = scope;
  for (const name of await listDoctors(ports, root, study)) {
    about(name);
    const { folder, approval } = doctorPaths(root, name);
    await checkFile(scope, approval, doctorApprovalFile, 'Approve the doctor again.');
    for (const run of await ports.files.list(folder)) await checkFile(scope, doctorRunPaths(root, name, run).report, doctorReport, 'Run the doctor again; nothing rests on an old report.');
    for (const manifest of await doctorManifests(ports, folder)) await checkManifest(scope, manifest);
  }
}

/** Studies that a doctor was approved or run for. */
export async function listDoctors({ files }: Pick<Ports, 'files'>, root: string, study: string | null): Promise<readonly string[]> {
  return (await files.list(projectPaths(root).doctor)).filter((name) => slug.safeParse(name).success && (study === null || name === study));
}

async function checkFile({ ports, found }: CheckScope, file: string, schema: typeof doctorApprovalFile | typeof doctorReport, fix: string): Promise<void> {
  if ((await ports.files.stat(file))?.kind !== 'file') return;
  found.counts.files += 1;
  const reading = await tryJsonFile(ports.files, file, schema);
  if (!reading.ok) found.refused(file, reading.refusal, { fix });
}

async function checkManifest({ ports, found }: CheckScope, file: string): Promise<void> {
  if ((await ports.files.stat(file))?.kind !== 'file') return;
  found.counts.files += 1;
  const reading = await tryJsonFile(ports.files, file, manifestFile);
  if (!reading.ok) found.refused(file, reading.refusal);
  else if (reading.file.status === 'running' && !(await isWriterAlive(ports, reading.file))) {
    found.add('warning', file, `It says running, and its process ${reading.file.process.pid} is gone: that doctor was interrupted.`, { fix: 'The next doctor marks it interrupted; `rlxp check --repair` does so now.', repairable: true });
  }
}

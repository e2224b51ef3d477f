// The whole repair: the ledger first (nothing can be told without it), then each run, then what crashes left. This room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { join } from 'node:path';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Ports } from '../../ports.ts';
import { heldRefusal, refuseWhileRunning } from '../contract/who-runs.ts';
import { appendLedger, otherFiles, verifyLedger } from '../ledger/ledger.ts';
import { repairLedger } from '../ledger/repair.ts';
import { settleDoctors } from '../doctor/settle-doctors.ts';
import { doctorPaths, projectPaths, runPaths, shownPath } from '../workspace/layout.ts';
import { listDoctors } from './check-doctors.ts';
import { checkRepository, listRuns } from './check-repository.ts';
import { checkTopReport } from './check-project.ts';
import { makeFindings } from './findings.ts';
import { keepCopy } from './keep-copy.ts';
import { findLeftovers } from './leftovers.ts';
import { repairRun, type Repaired } from './repair-run.ts';

/** Throws RefusalError: campaign_running, and what the check refuses. */
export async function repairRepository(ports: Ports, root: string, { study, by }: { readonly study: string | null; readonly by: string }): Promise<OutputOf<'repository_repair'>> {
  await refuseWhileRunning(ports, root);
  const lock = await ports.locks.take(await ports.files.realPath(root), 'repair');
  if (!lock.held) throw await heldRefusal(ports, root, lock.holder);
  try {
    // Refuses a study that is not here before anything is written.
    await checkRepository(ports, root, study);
    const repaired: Repaired[] = [...(await mendLedger(ports, root, by))];
    const rerun: { study: string; trial: string }[] = [];
    const { studies } = await listRuns(ports, root);
    if ((await verifyLedger(ports, root)).ok) {
      for (const one of studies.filter((name) => study === null || name === study)) {
        const run = await repairRun(ports, root, { study: one, by });
        repaired.push(...run.repaired);
        rerun.push(...run.rerun.map((trial) => ({ study: one, trial })));
      }
    }
    repaired.push(...(await settleDoctorManifests(ports, root, study)));
    const swept = await sweep(ports, root, study);
    if (study === null) swept.push(...(await mendTopReport(ports, root)));
    repaired.push(...swept);
    const check = await checkRepository(ports, root, study);
    return { ...check, repaired: repaired.map((one) => ({ ...one })), rerun };
  } finally {
    await lock.release();
  }
}

async function mendLedger(ports: Ports, root: string, by: string): Promise<readonly Repaired[]> {
  const { ledger } = projectPaths(root);
  const file = shownPath(root, ledger);
  const report = await verifyLedger(ports, root);
  if (report.ok && report.tornBytes === 0) return [];
  if (report.ok) {
    const copy = await keepCopy(ports, ledger);
    await appendLedger(ports, root, { kind: 'repaired', by, study: null, facts: { what: otherFiles, did: 'a write that a crash cut short was set aside' } });
    return [{ study: null, file, did: `set aside ${countText(report.tornBytes, 'byte')} of a write that a crash cut short`, copy: copy === null ? null : shownPath(root, copy) }];
  }
  // A ledger of another machine is no damage, and one of a newer program not ours to judge.
  if (report.state === 'sealed_elsewhere' || report.text.includes('newer version')) return [];
  const copy = await keepCopy(ports, ledger);
  const done = await repairLedger(ports, root, by);
  if (done === null) return [];
  const did = `kept ${countText(done.keptLines, 'line')} and sealed ${done.keptLines === 1 ? 'it' : 'them'} again (${done.found}) Gates must be confirmed again.`;
  return [{ study: null, file, did, copy: copy === null ? null : shownPath(root, copy) }];
}

/** Doctors whose process is gone are interrupted. */
async function settleDoctorManifests(ports: Ports, root: string, study: string | null): Promise<readonly Repaired[]> {
  const repaired: Repaired[] = [];
  for (const name of await listDoctors(ports, root, study)) {
    for (const path of await settleDoctors(ports, doctorPaths(root, name).folder)) repaired.push({ study: name, file: shownPath(root, path), did: 'marked interrupted', copy: null });
  }
  return repaired;
}

async function sweep(ports: Ports, root: string, study: string | null): Promise<Repaired[]> {
  const folder = study === null ? projectPaths(root).folder : runPaths(root, study).folder;
  const swept: Repaired[] = [];
  for (const { path } of await findLeftovers(ports, folder)) {
    await ports.files.remove(path);
    swept.push({ study, file: shownPath(root, path), did: 'removed what a crash left half done', copy: null });
  }
  return swept;
}

async function mendTopReport(ports: Ports, root: string): Promise<readonly Repaired[]> {
  const top = projectPaths(root).report;
  const reports = (await listRuns(ports, root)).folders.map((folder) => join(folder, 'report.md'));
  const found = makeFindings(root);
  await checkTopReport({ ports, root, found }, reports);
  if (!found.all.some((one) => one.repairable)) return [];
  const stats = await Promise.all(reports.map(async (path) => ({ path, stat: await ports.files.stat(path) })));
  const [newest] = stats.filter((one) => one.stat !== null).sort((a, b) => (b.stat?.modifiedMs ?? 0) - (a.stat?.modifiedMs ?? 0));
  if (newest === undefined) return [];
  const copy = await keepCopy(ports, top);
  await ports.files.replaceFile(top, await ports.files.readText(newest.path));
  return [{ study: null, file: shownPath(root, top), did: `copied from ${shownPath(root, newest.path)}`, copy: copy === null ? null : shownPath(root, copy) }];
}

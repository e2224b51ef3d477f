// The whole check: the repository, each run, each run that was set aside, and what crashes left. This room only.
import { join } from 'node:path';
import { refuse } from '../../../src-protocol/refusal.ts';
import { slug } from '../../../src-protocol/files/plain.ts';
import type { OutputOf } from '../../../src-protocol/index.ts';
import type { Ports } from '../../ports.ts';
import { projectPaths, runPaths } from '../workspace/layout.ts';
import { checkDoctors, listDoctors } from './check-doctors.ts';
import { checkProject, checkTopReport } from './check-project.ts';
import { checkJournal, checkRun } from './check-run.ts';
import { makeFindings, stateOf } from './findings.ts';
import { readRecordJournal } from './journal-reading.ts';
import { checkLeftovers } from './leftovers.ts';

export async function checkRepository(ports: Ports, root: string, study: string | null): Promise<OutputOf<'repository_check'>> {
  const found = makeFindings(root);
  const scope = { ports, root, found };
  await checkProject(scope);
  const runs = await listRuns(ports, root);
  if (study !== null && !runs.studies.includes(study) && (await listDoctors(ports, root, study)).length === 0) refuse('not_found', `${study} has no run here.`, { next: 'See which there are with `rlxp status`.' });
  for (const one of runs.studies.filter((name) => study === null || name === study)) {
    found.study = one;
    await checkRun(scope, one);
  }
  for (const folder of study === null ? runs.archived : []) {
    found.study = null;
    const trials = join(folder, 'trials.jsonl');
    if ((await ports.files.stat(trials)) === null) continue;
    found.counts.files += 1;
    checkJournal(scope, trials, await readRecordJournal(ports.files, trials), false);
  }
  await checkDoctors(scope, study, (name) => {
    found.study = name;
  });
  found.study = study;
  await checkLeftovers(scope, study === null ? undefined : runPaths(root, study).folder);
  found.study = null;
  if (study === null) await checkTopReport(scope, runs.folders.map((folder) => join(folder, 'report.md')));
  return { root, state: stateOf(found.all), findings: [...found.all], looked_at: found.counts };
}

export interface Runs {
  readonly studies: readonly string[];
  /** Folders of runs that `--fresh` set aside. */
  readonly archived: readonly string[];
  /** All of them. */
  readonly folders: readonly string[];
}

export async function listRuns({ files }: Pick<Ports, 'files'>, root: string): Promise<Runs> {
  const { runs } = projectPaths(root);
  const names: string[] = [];
  for (const name of await files.list(runs)) if ((await files.stat(join(runs, name)))?.kind === 'folder') names.push(name);
  const studies = names.filter((name) => slug.safeParse(name).success);
  const archived = names.filter((name) => /\.\d{8}t\d{6}z/.test(name)).map((name) => join(runs, name));
  return { studies, archived, folders: names.map((name) => join(runs, name)) };
}

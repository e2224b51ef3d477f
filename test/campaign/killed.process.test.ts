// A campaign killed again and again at chosen instants, beside one that nobody disturbed: what is lost, and what is not.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { sleep, until } from '../adapters/support/wait.ts';
import { comparableRecords } from './comparable-records.ts';
import { aliveOf, approvedProject, exampleEnv, must, ports, recordsOf, runDirect, startDirect, startsOf, statusOf, study, tryRead, untilState, type Project } from './project.ts';
import { diverges, fast, hangs, studyText } from './studies.ts';

/** Its processes outlive the terminal that a killed campaign takes with it. */
const env = `process.on('SIGHUP', () => undefined);\n${exampleEnv}`;
const options = { env, study: studyText({ candidates: [fast, diverges, hangs] }) };

/** What runs when the campaign is killed, and how much later; the moments are drawn once and for all. */
const kills = [
  { trial: 'noise-baseline-s42', afterMs: 310 },
  { trial: 'screen-hangs-s42', afterMs: 1240 },
  { trial: 'refine-', afterMs: 70 },
  { trial: 'verify-', afterMs: 690 },
] as const;

type Left = Awaited<ReturnType<typeof aliveOf>>;

/** Starts it, sees that what an earlier one left is gone before anything new runs, and kills it. */
async function killDuring(project: Project, kill: (typeof kills)[number], left: Left): Promise<void> {
  const before = startsOf(project).length;
  const direct = startDirect(project);
  await until('the first new trial', () => startsOf(project).length > before, 30_000);
  for (const one of left) expect(await ports.processes.isAlive(one.identity), one.tag).toBe(false);
  await until(`${kill.trial} to start`, () => startsOf(project).slice(before).some((folder) => folder.startsWith(kill.trial)), 60_000);
  await sleep(kill.afterMs);
  direct.child.kill('SIGKILL');
  await direct.exit;
}

describe('a killed campaign', () => {
  it('CA15: CA23: CA29: goes on from its records, ends what was left behind first, and finds the same', { timeout: 150_000 }, async () => {
    const project = await approvedProject('killed', options);
    const orphans: string[] = [];
    let left: Left = [];
    for (const kill of kills) {
      await killDuring(project, kill, left);
      expect(await statusOf(project)).toMatchObject({ state: 'interrupted', process: null, running: [] });
      left = await aliveOf(project);
      orphans.push(...left.map((one) => one.tag));
    }
    expect(orphans.some((tag) => tag.includes('screen-hangs'))).toBe(true);

    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'resumed' });
    const status = await untilState(project, 'completed', 90_000);
    const undisturbed = await approvedProject('undisturbed', options);
    expect((await runDirect(undisturbed)).code).toBe(0);

    const [ours, theirs] = [recordsOf(project), recordsOf(undisturbed)];
    expect(comparableRecords(ours)).toEqual(comparableRecords(theirs));
    const [verdict, other] = [project, undisturbed].map((one) => verdictFile.parse(JSON.parse(tryRead(join(one.run, 'verdict.json')))));
    expect(verdict).toEqual(other);
    expect(status.trials_done).toBe(theirs.length);

    // CA11: nothing that was settled ran again.
    const settled = ours.filter(isTerminal);
    expect(new Set(settled.map((one) => one.identity)).size).toBe(settled.length);
    const folders = new Set(startsOf(project));
    for (const record of settled) {
      const name = record.folder.replace(/-a\d+$/, '');
      for (let attempt = record.attempt + 1; attempt < record.attempt + 5; attempt += 1) expect(folders.has(`${name}-a${attempt}`), `${name}, attempt ${attempt}`).toBe(false);
    }
    // CA12: an attempt has a folder of its own.
    expect(startsOf(project)).toHaveLength(folders.size);
    expect(await aliveOf(project)).toEqual([]);
    expect(await must('ledger_verify', { root: project.root })).toMatchObject({ intact: true });
  });
});

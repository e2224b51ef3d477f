// Evidence of a real campaign, with fresh seeds, a trial that diverged and one that hung: packed and verified by the built program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '../../src-protocol/index.ts';
import { evidenceIndex } from '../../src-protocol/files/evidence-index.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { approvedProject, engine, ground, must, ports, recordsOf, refused, runDirect, study, tryRead, type Project } from '../campaign/project.ts';
import { diverges, fast, hangs, studyText } from '../campaign/studies.ts';
import { changeText, pack, textIn, unpack } from './forging.ts';

let project: Project;
let packed: OutputOf<'evidence_pack'>;
const elsewhere = join(ground, 'elsewhere');

beforeAll(async () => {
  project = await approvedProject('evidence', { study: studyText({ candidates: [fast, diverges, hangs] }) });
  expect((await runDirect(project)).code).toBe(0);
  packed = await must('evidence_pack', { root: project.root, study });
  mkdirSync(elsewhere);
}, 100_000);

/** The command line in a folder without a repository, of a user who has no key. */
function verifyElsewhere(file: string): { readonly code: number | null; readonly out: string } {
  const config = join(elsewhere, 'config');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(engine, 'cli.js'), 'evidence', 'verify', file, '--json'], { cwd: elsewhere, encoding: 'utf8', env: { ...process.env, RLXP_CONFIG_DIR: config, RLXP_RUNTIME_DIR: join(elsewhere, 'runtime') } });
  expect(existsSync(join(config, 'machine.key')), 'no key was made').toBe(false);
  return { code: status, out: stdout === '' ? stderr : stdout };
}

describe('evidence of a real campaign', () => {
  it('EV10: EV12: every record, the verdict and the report are computed again elsewhere', () => {
    const { code, out } = verifyElsewhere(packed.file);
    const result = JSON.parse(out) as { ok: boolean; output: OutputOf<'evidence_verify'> };
    expect(result.output.findings).toEqual([]);
    expect([code, result.ok, result.output.state]).toEqual([0, true, 'holds']);
    const verdict = verdictFile.parse(JSON.parse(tryRead(join(project.run, 'verdict.json'))));
    expect(result.output.verdict).toEqual({ word: verdict.word, headline: verdict.headline });
    const records = recordsOf(project);
    const counts = Object.fromEntries(result.output.recomputed.map(({ what, count }) => [what, count]));
    expect(counts).toMatchObject({ 'training figures from event files': records.length, 'scores and causes from episodes': records.filter((one) => one.evaluation !== null).length, 'ranking, verdict and report': 1 });
    expect(readdirSync(elsewhere).filter((name) => name !== 'config' && name !== 'runtime')).toEqual([]);
  });

  it('EV7: the fresh seeds that were used are listed in their order, and no other', () => {
    const index = evidenceIndex.parse(JSON.parse(textIn(unpack(readFileSync(packed.file)), 'index.json')));
    const verdict = verdictFile.parse(JSON.parse(tryRead(join(project.run, 'verdict.json'))));
    expect(verdict.pairs.length).toBeGreaterThan(0);
    expect(index.fresh_seeds).toEqual(verdict.pairs.map((pair) => pair.seed));
  });

  it('EV13: the deciding point of a rule, and a better score for the winner, are found when they are changed', async () => {
    const contents = unpack(readFileSync(packed.file));
    const name = 'runs/quick/trials.jsonl';
    for (const [from, to] of [['"step":1536', '"step":1024'], ['"train_reward_final":', '"train_reward_final":1']] as const) {
      const forged = await pack(changeText(contents, name, (text) => text.replace(from, to)));
      const file = join(ground, 'forged.zip');
      await ports.files.replaceFile(file, forged);
      const { code, out } = verifyElsewhere(file);
      expect([code, (JSON.parse(out) as { output: { state: string } }).output.state], from).toEqual([3, 'broken']);
    }
  });

  it('EV6: EV11: is refused while something works on the repository, and a file that is none is refused in words', async () => {
    const lock = await ports.locks.take(project.root, 'campaign quick');
    if (!lock.held) throw new Error('the lock is held');
    expect(await refused('evidence_pack', { root: project.root, study })).toMatchObject({ code: 'campaign_running' });
    await lock.release();
    expect(await refused('evidence_verify', { file: join(project.root, 'env.mjs') })).toMatchObject({ code: 'invalid_file' });
    expect(await refused('evidence_verify', { file: join(project.root, 'nothing.zip') })).toMatchObject({ code: 'not_found' });
  });
});

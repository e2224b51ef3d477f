// Extra trials with real processes: started in the background, steered, taken up again, and watched from the command line.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '../../src-protocol/index.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, engine, must, recordsOf, refused, runDirect, statusOf, steer, study, tryRead, untilStarted, untilState, type Project } from './project.ts';
import { fast, studyText } from './studies.ts';

type Extra = OutputOf<'trial_extra'>;

let project: Project;
/** Long enough to be steered; its own limit ends it after 30 s. */
const long = { candidate: 'lr-high', timesteps: 5_000_000, seed: 11 };
const ask = (input: object) => must<Extra>('trial_extra', { root: project.root, study, ...input });

beforeAll(async () => {
  project = await approvedProject('extra', { study: studyText({ noise: 'off', verify: '{}', candidates: [fast] }) });
  expect((await runDirect(project)).code).toBe(0);
}, 60_000);

describe('an extra trial in the background', () => {
  it('EX7: EX8: runs alone on the repository, is stopped and taken up again, and skipped for good', { timeout: 120_000 }, async () => {
    const whole = { text: (await statusOf(project)).text, verdict: tryRead(join(project.run, 'verdict.json')), records: recordsOf(project).length };
    expect(await ask(long)).toMatchObject({ state: 'started', trial: 'extra-lr-high-s11' });
    await untilStarted(project, 'extra-lr-high-s11');
    const shown = await until('it to be shown as running', async () => {
      const status = await statusOf(project);
      return status.running.length > 0 ? status : null;
    }, 20_000);
    expect(shown).toMatchObject({ state: 'running', stage: 'extra', running: [{ folder: 'extra-lr-high-s11', timesteps: 5_000_000 }] });
    expect(await refused('trial_extra', { root: project.root, study, ...long })).toMatchObject({ code: 'campaign_running' });
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'campaign_running' });
    expect(await must('trial_extra', { root: project.root, study, ...long, seed: 12, dry_run: true })).toMatchObject({ state: 'planned' });

    expect(await steer('campaign_stop', project)).toMatchObject({ taken: true });
    await untilState(project, 'completed');
    expect(await aliveOf(project)).toEqual([]);
    expect(recordsOf(project).at(-1)).toMatchObject({ folder: 'extra-lr-high-s11', status: 'cancelled', reason: { code: 'stop' } });
    expect((await statusOf(project)).text).toBe(whole.text);

    expect(await ask(long)).toMatchObject({ state: 'started', trial: 'extra-lr-high-s11-a1' });
    await untilStarted(project, 'extra-lr-high-s11-a1');
    expect(await steer('campaign_skip', project, { trial: 'extra-lr-high-s11' })).toMatchObject({ taken: true });
    await untilState(project, 'completed');
    expect(recordsOf(project).at(-1)).toMatchObject({ folder: 'extra-lr-high-s11-a1', status: 'cancelled', reason: { code: 'skip' } });
    expect(await ask(long)).toMatchObject({ state: 'finished', record: { reason: { code: 'skip' } } });
    expect(recordsOf(project)).toHaveLength(whole.records + 2);
    expect(tryRead(join(project.run, 'verdict.json'))).toBe(whole.verdict);
  });

  it('EX7: EX8: goes on in a new attempt when its process is killed, and the campaign stands as before', { timeout: 60_000 }, async () => {
    const { text } = await statusOf(project);
    expect(await ask({ ...long, seed: 21 })).toMatchObject({ state: 'started', trial: 'extra-lr-high-s21' });
    await untilStarted(project, 'extra-lr-high-s21');
    const { process: own } = await statusOf(project);
    process.kill(own?.pid ?? 0, 'SIGKILL');
    await untilStarted(project, 'extra-lr-high-s21-a1');
    await until('it to be stopped', async () => (await statusOf(project)).state === 'running' && (await steer('campaign_stop', project)).taken, 20_000);
    expect((await untilState(project, 'completed')).text).toBe(text);
    expect(await aliveOf(project)).toEqual([]);
    expect(recordsOf(project).filter((one) => one.seed === 21).map((one) => [one.folder, one.status])).toEqual([['extra-lr-high-s21-a1', 'cancelled']]);
  });

  it('EX7: EX9: is watched to its end from the command line, exits with 0, and the study checks clean', { timeout: 60_000 }, async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(engine, 'cli.js'), 'trial', 'extra', study, 'lr-high', '--timesteps', '4096', '--seed', '13'], { cwd: project.root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/extra-lr-high-s13.* started/);
    expect(stdout).toMatch(/done +extra lr-high s13/);
    expect(stdout).toMatch(/extra-lr-high-s13 +completed/);
    await untilState(project, 'completed');
    expect(recordsOf(project).at(-1)).toMatchObject({ folder: 'extra-lr-high-s13', status: 'completed', steps: 4096, evaluation: { valid: true } });
    expect(tryRead(join(project.run, 'report.md'))).toMatch(/## Extra trials[\s\S]*extra-lr-high-s13/);
    const { findings } = await must<OutputOf<'repository_check'>>('repository_check', { root: project.root });
    expect(findings.filter((one) => one.severity === 'broken')).toEqual([]);
    const packed = await must<OutputOf<'evidence_pack'>>('evidence_pack', { root: project.root, study });
    const verified = await must<OutputOf<'evidence_verify'>>('evidence_verify', { file: packed.file });
    expect([verified.state, verified.findings]).toEqual(['holds', []]);
  });
});

// What people ask of a running campaign: pause, pause now, resume, skip, stop, all looks.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { sleep, until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, kindsOf, must, recordsOf, refused, runDirect, startRun, startsOf, statusOf, steer, study, tryRead, untilStarted, untilState } from './project.ts';
import { studyText, twin } from './studies.ts';

describe('a campaign that is steered', () => {
  it('CA20: CA21: CA27: CA12: CA22: obeys requests in order, one after the other', { timeout: 120_000 }, async () => {
    const project = await approvedProject('steered', { study: studyText({ candidates: [twin], slots: 1 }) });
    await startRun(project);

    // CA22: a second one is refused by both doors and names the first.
    const { process: own } = await statusOf(project);
    const second = await refused('campaign_run', { root: project.root, study });
    expect(second).toMatchObject({ code: 'campaign_running', message: expect.stringContaining(`campaign quick is running on this repository (process ${own?.pid}`) as string });
    const direct = await runDirect(project);
    expect(direct).toMatchObject({ code: 5, out: expect.stringContaining(`campaign quick is running on this repository (process ${own?.pid}`) as string });
    expect((await statusOf(project)).process).toEqual(own);

    // A waiting trial is skipped for good.
    await steer('campaign_skip', project, { trial: 'refine-baseline-s42' });

    expect(await steer('campaign_pause', project)).toMatchObject({ taken: true });
    const paused = await until('it to stand still', async () => {
      const status = await statusOf(project);
      return status.state === 'paused' && status.running.length === 0 ? status : null;
    }, 20_000);
    expect(paused.text).toBe('tester asked for it');
    const before = startsOf(project).length;
    await sleep(500);
    expect(startsOf(project)).toHaveLength(before);
    expect(recordsOf(project).map((one) => one.status)).toEqual(Array(before).fill('completed'));

    await steer('campaign_resume', project);
    await until('the next trial', () => startsOf(project).length > before, 20_000);
    const [ended = ''] = startsOf(project).slice(before);
    expect(await steer('campaign_pause', project, { now: true })).toMatchObject({ taken: true });
    await until('the running trial to be ended', () => recordsOf(project).length > before, 20_000);
    expect(recordsOf(project).at(-1)).toMatchObject({ folder: ended, status: 'cancelled', reason: { code: 'stop' } });
    await sleep(400);
    expect(await aliveOf(project)).toEqual([]);
    expect(readdirSync(join(project.run, 'control'))).toEqual([]);

    await steer('campaign_resume', project);
    await untilStarted(project, `${ended}-a1`);
    await untilStarted(project, 'screen-baseline-s42');
    expect(await steer('campaign_stop', project)).toMatchObject({ taken: true });
    await untilState(project, 'stopped');
    expect(await aliveOf(project)).toEqual([]);
    expect(recordsOf(project).at(-1)).toMatchObject({ stage: 'screen', status: 'cancelled', reason: { code: 'stop' } });
    expect(kindsOf(project).slice(-2)).toEqual(['stopped', 'campaign_ended']);
    expect(await refused('campaign_stop', { root: project.root, study })).toMatchObject({ code: 'nothing_running' });

    // What was asked of it after it had ended is not meant for the next run.
    writeFileSync(join(project.run, 'control', '20260101-late-stop.json'), JSON.stringify({ action: 'stop', trial: null, by: 'tester', at: '2026-01-01T00:00:00.000Z' }));
    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'resumed' });
    await untilStarted(project, 'screen-baseline-s42-a1');
    await untilStarted(project, 'refine-twin-s42');
    expect(await refused('campaign_skip', { root: project.root, study, trial: 'no-such-trial-s1' })).toMatchObject({ code: 'not_found' });
    await untilState(project, 'completed');

    const skipped = recordsOf(project).filter((one) => one.reason.code === 'skip');
    expect(skipped.map((one) => `${one.folder} ${one.status}`)).toEqual(['refine-baseline-s42 cancelled']);
    const first = verdictFile.parse(JSON.parse(tryRead(join(project.run, 'verdict.json'))));
    // The twin trains exactly as the baseline, so the first look settles it.
    expect(first).toMatchObject({ winner: 'twin', word: 'tied', stop: 'decided', plan: { looks: [2, 3], used: 2 } });

    expect(await steer('campaign_complete_looks', project)).toMatchObject({ taken: false });
    expect(tryRead(join(project.run, 'amendments.jsonl'))).toContain('complete_looks');
    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'resumed' });
    await untilState(project, 'completed');
    const all = verdictFile.parse(JSON.parse(tryRead(join(project.run, 'verdict.json'))));
    expect(all).toMatchObject({ word: 'tied', stop: 'completed', plan: { used: 3 } });
    expect(all.pairs.slice(0, 2)).toEqual(first.pairs);
    expect(await refused('campaign_complete_looks', { root: project.root, study })).toMatchObject({ code: 'study_finished' });
    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'finished' });

    // CA26: a fresh start keeps the approval and sets the old run aside.
    const old = readFileSync(join(project.run, 'trials.jsonl'));
    expect(await must('campaign_run', { root: project.root, study, fresh: true })).toMatchObject({ state: 'started' });
    await untilStarted(project, 'noise-baseline-s42');
    await steer('campaign_stop', project);
    await untilState(project, 'stopped');
    const archived = readdirSync(join(project.root, '.rlxp/runs')).filter((name) => name !== 'quick');
    expect(archived).toHaveLength(1);
    expect(readFileSync(join(project.root, '.rlxp/runs', archived[0] ?? '', 'trials.jsonl'))).toEqual(old);
    expect(existsSync(join(project.run, 'verdict.json'))).toBe(false);
  });
});

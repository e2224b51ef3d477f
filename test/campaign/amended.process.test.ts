// A person raises the budget of a campaign while it runs.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import type { CampaignProcess } from '../../src-protocol/files/event.ts';
import { until } from '../adapters/support/wait.ts';
import { comparableRecords } from './comparable-records.ts';
import { approve, approvedProject, confirmGates, engine, eventsOf, kindsOf, makeProject, must, recordsOf, refused, runDirect, startRun, statusOf, steer, study, tryRead, untilState } from './project.ts';
import { fast, hangs, studyText } from './studies.ts';

const search = studyText({ noise: 'off', verify: '{ looks: [2] }', candidates: [fast] });

function spent(seconds: number): CampaignProcess {
  return {
    ...{ schema: 1, study, pid: 1, start_time: '1', boot_id: 'an earlier one', status: 'stopped', text: 'stopped', heartbeat_at: '2026-01-01T00:00:00.000Z', started_at: '2026-01-01T00:00:00.000Z' },
    ...{ stage: null, trials_done: 0, trials_planned: 0, eta_s: null, spent_s: seconds, reserved_s: 0, budget_s: 720, idle_share: 0, running: [], asked: null },
  };
}

describe('a campaign whose budget is raised', () => {
  it('AM1: AM5: AM6: AM7: goes on without a restart, and finds what one with that budget from the start finds', { timeout: 150_000 }, async () => {
    const project = await approvedProject('amended', { budgetHours: 0.2, study: search });
    writeFileSync(join(project.run, 'campaign.json'), JSON.stringify(spent(716)));
    await startRun(project);
    const paused = await untilState(project, 'paused');
    expect(paused.text).toMatch(/^the budget of 12 min 00 s is used up: .* spent.*; raise it with `rlxp campaign amend quick --wall-hours N` to go on$/);

    const more = { root: project.root, study, wall_hours: 1 };
    expect(await refused('campaign_amend', more)).toMatchObject({ code: 'needs_person' });
    expect(await refused('campaign_amend', more, 'quik')).toMatchObject({ code: 'name_mismatch' });
    expect(await asScript(project.root)).toMatchObject({ ok: false, refusal: { code: 'needs_person' } });
    expect(await refused('campaign_amend', { ...more, wall_hours: 0.2 }, study)).toMatchObject({ code: 'bad_input' });
    expect(await refused('campaign_amend', { ...more, max_parallel: 4 }, study)).toMatchObject({ code: 'bad_input' });
    expect(await statusOf(project)).toMatchObject({ state: 'paused', budget_s: 720 });

    expect(await must('campaign_amend', more, study)).toMatchObject({ taken: true, before: { wall_hours: 0.2 }, budget: { wall_hours: 1, per_trial_s: 30 } });
    const running = await untilState(project, 'running');
    expect(running.process).toEqual(paused.process);
    await until('the new budget to show', async () => (await statusOf(project)).budget_s === 3600);
    expect(eventsOf(project).flatMap(({ event }) => (event.kind === 'amended' ? [event.text] : []))).toEqual(['wall_hours 0.2 -> 1']);
    expect(tryRead(join(project.run, 'campaign.log'))).toContain('budget raised by tester: wall_hours 0.2 -> 1');

    process.kill(running.process?.pid ?? 0, 'SIGKILL');
    expect(await untilState(project, 'completed', 90_000)).toMatchObject({ budget_s: 3600, babysitter: { restarts: 1 } });
    expect(await must('repository_check', { root: project.root })).toMatchObject({ state: 'clean' });
    expect(await refused('campaign_amend', { ...more, wall_hours: 2 }, study)).toMatchObject({ code: 'study_finished' });

    const other = await approvedProject('amended-not', { budgetHours: 1, study: search });
    expect((await runDirect(other)).code).toBe(0);
    const [ours, theirs] = [project, other].map((one) => recordsOf(one).filter(isTerminal));
    expect(comparableRecords(ours ?? [])).toEqual(comparableRecords(theirs ?? []));

    // AM7: what was raised was raised for that run.
    await must('campaign_run', { root: project.root, study, fresh: true });
    expect(await statusOf(project)).toMatchObject({ budget_s: 720 });
    await steer('campaign_stop', project);
    await untilState(project, 'stopped');

    // The check names the line of a record that was edited.
    await must('campaign_amend', more, study);
    const record = join(project.run, 'budget.jsonl');
    writeFileSync(record, tryRead(record).replace('"wall_hours":1,', '"wall_hours":100,'));
    const { findings } = await must<{ findings: readonly { readonly file: string; readonly line: number | null; readonly severity: string }[] }>('repository_check', { root: project.root });
    expect(findings).toMatchObject([{ severity: 'broken', file: '.rlxp/runs/quick/budget.jsonl', line: 1 }]);
  });

  it('AM6: stays in a pause that a person asked for, and lets trials that start later take longer', { timeout: 60_000 }, async () => {
    const project = await makeProject('longer', { study: studyText({ noise: 'off', verify: '{}', slots: 1, monitor: 'monitor: { startup_s: 20, hang_s: 9, grace_s: 0.3 }', candidates: [hangs] }) });
    await must('gate_set', { root: project.root, gate: 'budget', value: { wall_hours: 1, per_trial_s: 7 } });
    await confirmGates(project);
    await approve(project);
    await startRun(project);
    await steer('campaign_pause', project);
    expect(await must('campaign_amend', { root: project.root, study, per_trial_s: 25 }, study)).toMatchObject({ taken: true, before: { per_trial_s: 7 }, budget: { wall_hours: 1, per_trial_s: 25 } });
    expect(await statusOf(project)).toMatchObject({ state: 'paused', text: 'tester asked for it' });
    await steer('campaign_resume', project);
    const record = await until('the trial that hangs', () => recordsOf(project).find((one) => one.candidate === 'hangs'), 40_000);
    // With the limit of before, that would have ended it first.
    expect(record).toMatchObject({ status: 'failed', rule: 'hung' });
    expect(kindsOf(project).filter((kind) => kind === 'amended')).toHaveLength(1);
    await untilState(project, 'completed');
  });
});

function asScript(root: string): Promise<unknown> {
  const words = ['campaign', 'amend', study, '--wall-hours', '1', '--root', root, '--json'];
  return new Promise((resolve) => {
    execFile(process.execPath, [join(engine, 'cli.js'), ...words], (_error, out) => resolve(JSON.parse(out)));
  });
}

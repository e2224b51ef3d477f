// What happens to a running campaign: its approval lapses, the machine kills a trial, the disk refuses a record.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sleep, until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, eventsOf, exampleEnv, kindsOf, ports, recordsOf, refused, startRun, startsOf, statusOf, steer, study, tryRead, untilStarted, untilState } from './project.ts';
import { studyText, twin } from './studies.ts';

describe('a campaign that is disturbed', () => {
  it('CA24: a lapse while it runs pauses it with the differences, and nothing starts', { timeout: 60_000 }, async () => {
    const project = await approvedProject('lapsed', { study: studyText({ candidates: [twin], slots: 1 }) });
    await startRun(project);
    await untilStarted(project, 'noise-baseline-s42');
    // Edits of the repository itself mean nothing to a campaign that runs.
    appendFileSync(join(project.root, 'env.mjs'), '\n// edited\n');
    await untilStarted(project, 'noise-baseline-s43');
    const copy = join(project.run, 'snapshot/env.mjs');
    const right = readFileSync(copy);
    chmodSync(copy, 0o644);
    appendFileSync(copy, '\n// tampered\n');
    const paused = await untilState(project, 'paused');
    expect(paused.text).toContain('What the campaign of quick runs on is not what was approved.');
    expect(paused.text).toContain('env.mjs');
    const events = eventsOf(project);
    expect(events.findLast(({ event }) => event.kind === 'paused')?.event).toMatchObject({ reason: paused.text });
    expect(tryRead(join(project.run, 'campaign.log'))).toContain('paused: What the campaign');
    const starts = startsOf(project).length;
    expect(await refused('campaign_resume', { root: project.root, study })).toMatchObject({ code: 'approval_lapsed' });
    await sleep(500);
    expect(startsOf(project)).toHaveLength(starts);
    expect(await aliveOf(project)).toEqual([]);

    // Undone, it goes on; and the seal is asked as well.
    writeFileSync(copy, right);
    await steer('campaign_resume', project);
    await untilStarted(project, 'noise-baseline-s42-r1');
    const approval = join(project.run, 'approval.json');
    const sealed = tryRead(approval);
    writeFileSync(approval, sealed.replace('"agents_may_start": false', '"agents_may_start": true'));
    const again = await untilState(project, 'paused');
    expect(again.text).toContain('seal does not hold');
    await sleep(300);
    expect(await aliveOf(project)).toEqual([]);
    writeFileSync(approval, sealed);
    // The system's own way of asking it to end is as orderly as ours.
    const { process: own } = await statusOf(project);
    await ports.processes.ask({ pid: own?.pid ?? 0, startTime: own?.start_time ?? '' }, 'SIGTERM');
    expect(await untilState(project, 'stopped')).toMatchObject({ text: 'the campaign process was asked to end' });
    expect(await ports.locks.holder(project.root)).toBeNull();
  });

  it('CA12: what the machine does to a trial is tried again in a new folder, three times, and then asked about', { timeout: 60_000 }, async () => {
    // As if memory had run out: the system kills its training.
    const env = exampleEnv.replace('const env = rlxp', "if (settings.diverge_after === 13) process.kill(process.pid, 'SIGKILL');\n  const env = rlxp");
    const victim = '{ name: victim, env_cfg: { faults: { diverge_after: 13 } } }';
    const project = await approvedProject('victim', { env, study: studyText({ noise: 'off', verify: '{}', candidates: [victim, twin] }) });
    await startRun(project);
    const paused = await untilState(project, 'paused');
    expect(paused.text).toMatch(/^screen-victim-s42-a2 failed 3 times for reasons that are not its own: was killed by the system/);
    const failed = () => recordsOf(project).filter((one) => one.candidate === 'victim');
    expect(failed().map((one) => [one.folder, one.status, one.reason.cause, one.rule])).toEqual(['', '-a1', '-a2'].map((end) => [`screen-victim-s42${end}`, 'failed', 'infrastructure', 'oom']));
    expect(kindsOf(project).filter((kind) => kind === 'paused')).toHaveLength(1);

    // Skipped under the name of any attempt, it is never run again.
    await steer('campaign_skip', project, { trial: 'screen-victim-s42' });
    await steer('campaign_resume', project);
    await untilState(project, 'completed');
    expect(failed().slice(3)).toMatchObject([{ stage: 'screen', status: 'cancelled', attempt: 3, reason: { code: 'skip' } }]);
    expect(startsOf(project).filter((name) => name.startsWith('screen-victim'))).toHaveLength(3);
  });

  it('CA14: a disk that refuses a record pauses it until the record is written; stopped meanwhile, the trial runs again', { timeout: 60_000 }, async () => {
    const project = await approvedProject('disk', { study: studyText({ noise: 'off', verify: '{}', slots: 1, candidates: [twin] }) });
    const journal = join(project.run, 'trials.jsonl');
    const aside = join(project.root, 'trials.aside');
    const spoil = () => {
      if (existsSync(journal)) renameSync(journal, aside);
      mkdirSync(journal);
    };
    const mend = () => {
      rmdirSync(journal);
      if (existsSync(aside)) renameSync(aside, journal);
    };
    await startRun(project);
    await untilStarted(project, 'screen-baseline-s42');
    spoil();
    const paused = await untilState(project, 'paused');
    expect(paused.text).toContain('trials.jsonl could not be written');
    expect(startsOf(project)).toEqual(['screen-baseline-s42']);
    mend();
    await untilState(project, 'running');
    await untilStarted(project, 'screen-twin-s42');
    expect(recordsOf(project).map((one) => one.folder)).toEqual(['screen-baseline-s42']);
    expect(kindsOf(project)).toContain('resumed');

    spoil();
    await untilState(project, 'paused');
    await steer('campaign_stop', project);
    await until('its end', async () => (await ports.locks.holder(project.root)) === null, 20_000);
    mend();
    expect(await statusOf(project)).toMatchObject({ state: 'stopped', text: 'stopped by tester' });
    await startRun(project);
    await untilState(project, 'completed');
    expect(recordsOf(project).map((one) => one.folder).slice(0, 2)).toEqual(['screen-baseline-s42', 'screen-twin-s42-a1']);
  });
});

// A campaign under its babysitter: killed, suspended, stopped and paused while it is down, and started twice at once.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import type { CampaignStatusView } from '../../src-protocol/campaign.ts';
import type { CheckFinding } from '../../src-protocol/check.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { sleep, until } from '../adapters/support/wait.ts';
import { comparableRecords } from './comparable-records.ts';
import { killedOptions } from './kill-runs.ts';
import { aliveOf, approvedProject, engine, eventsOf, must, ports, recordsOf, refused, runDirect, startRun, startsOf, statusOf, steer, study, tryRead, untilState, type Project } from './project.ts';
import { studyText, twin } from './studies.ts';

type Process = NonNullable<CampaignStatusView['process']>;

/** Its campaign process, once one runs that is none of `before`. */
async function untilProcess(project: Project, before: readonly number[] = []): Promise<Process> {
  return until('a campaign process', async () => {
    const { process: own } = await statusOf(project);
    return own !== null && !before.includes(own.pid) ? own : null;
  }, 30_000);
}

function endings(project: Project): readonly string[] {
  return tryRead(join(project.root, '.rlxp/ledger.jsonl')).split('\n').filter((line) => line.includes('"campaign_ended"'));
}

async function findings({ root }: Project): Promise<readonly CheckFinding[]> {
  const { findings: all } = await must<{ findings: readonly CheckFinding[] }>('repository_check', { root });
  return all.filter((one) => one.severity !== 'ok');
}

describe('a campaign whose process dies', () => {
  it('BS1: BS2: BS8: is started again each time, finds what an undisturbed one finds, and leaves nothing running', { timeout: 150_000 }, async () => {
    const project = await approvedProject('babysat', killedOptions);
    const started = await must<{ process: Process }>('campaign_run', { root: project.root, study });
    const seen = [started.process.pid];
    expect((await statusOf(project)).process).toEqual(started.process);
    for (const [trial, afterMs] of [['screen-', 400], ['refine-', 150], ['verify-', 500]] as const) {
      await until(`${trial} to start`, () => startsOf(project).some((folder) => folder.startsWith(trial)), 60_000);
      await sleep(afterMs);
      process.kill(seen.at(-1) ?? 0, 'SIGKILL');
      seen.push((await untilProcess(project, seen)).pid);
    }
    expect((await statusOf(project)).babysitter).toMatchObject({ alive: true, restarts: 3, text: 'the process died (killed by SIGKILL); restarted 3 times' });
    await untilState(project, 'completed', 90_000);
    const undisturbed = await approvedProject('babysat-not', killedOptions);
    expect((await runDirect(undisturbed)).code).toBe(0);

    const [ours, theirs] = [recordsOf(project), recordsOf(undisturbed)];
    expect(comparableRecords(ours)).toEqual(comparableRecords(theirs));
    const [verdict, other] = [project, undisturbed].map((one) => verdictFile.parse(JSON.parse(tryRead(join(one.run, 'verdict.json')))));
    expect(verdict).toEqual(other);
    const settled = ours.filter(isTerminal).map((one) => one.identity);
    expect(new Set(settled).size).toBe(settled.length);
    expect(await aliveOf(project)).toEqual([]);
    for (const pid of seen) expect(await ports.processes.identify(pid)).toBeNull();
    const told = eventsOf(project).flatMap(({ event }) => (event.kind === 'process_died' ? [event.text] : []));
    expect(told).toEqual(['once', '2 times', '3 times'].map((count) => `the process died (killed by SIGKILL); restarted ${count}`));
    expect(tryRead(join(project.run, 'campaign.log'))).toContain('restarted 3 times');
    expect(await findings(project)).toEqual([]);
  });

  it('BS3: is given up after five restarts, with the reason everywhere; run again it goes on', { timeout: 120_000 }, async () => {
    const project = await approvedProject('given-up', { study: studyText({ noise: 'off', verify: '{}', candidates: [twin] }) });
    await startRun(project);
    const killed: number[] = [];
    const ended = await until('its end', async () => {
      const { state, text, process: own, babysitter } = await statusOf(project);
      if (own !== null && !killed.includes(own.pid)) {
        process.kill(own.pid, 'SIGKILL');
        killed.push(own.pid);
      }
      if (state === 'completed') throw new Error('it ran through');
      return state === 'failed' && babysitter?.alive !== true ? { text, babysitter } : null;
    }, 60_000);
    expect(ended.text).toMatch(/^its process died 6 times within 10 minutes, the last time killed by SIGKILL; it is not started again/);
    expect(ended.babysitter).toMatchObject({ restarts: 5, text: ended.text });
    expect(killed).toHaveLength(6);
    expect(eventsOf(project).at(-1)?.event).toMatchObject({ kind: 'campaign_ended', status: 'failed', text: ended.text });
    expect(tryRead(join(project.run, 'campaign.log'))).toContain(`campaign failed: ${ended.text}`);
    expect(endings(project)).toHaveLength(1);
    expect(await aliveOf(project)).toEqual([]);
    expect(await findings(project)).toEqual([]);

    await startRun(project);
    await untilState(project, 'completed');
    expect((await statusOf(project)).babysitter).toMatchObject({ restarts: 0, text: '' });
    expect(await findings(project)).toEqual([]);
  });

  it('BS4: BS7: keeps to a pause and a stop that were asked of it, also while it is down', { timeout: 90_000 }, async () => {
    const project = await approvedProject('asked', { study: studyText({ candidates: [twin], slots: 1 }) });
    await startRun(project);
    await steer('campaign_pause', project, { now: true });
    const first = await untilProcess(project);
    process.kill(first.pid, 'SIGKILL');
    const second = await untilProcess(project, [first.pid]);
    expect(await untilState(project, 'paused')).toMatchObject({ text: 'tester asked for it; running trials are ended and run again later', process: second });
    const before = startsOf(project).length;
    await sleep(600);
    expect(startsOf(project)).toHaveLength(before);

    // What is asked while it is down waits for the one that is started again.
    process.kill(second.pid, 'SIGKILL');
    expect((await steer('campaign_resume', project)).text).toMatch(/^resumed$|^asked; /);
    await until('a trial after it', () => startsOf(project).length > before, 30_000);
    const third = await untilProcess(project, [first.pid, second.pid]);

    process.kill(third.pid, 'SIGKILL');
    await steer('campaign_stop', project);
    const stopped = await untilState(project, 'stopped');
    expect(stopped.text).toBe('stopped by tester; its process had died (killed by SIGKILL) and was not started again');
    expect(stopped.babysitter).toMatchObject({ restarts: 2 });
    expect(await aliveOf(project)).toEqual([]);
    expect(endings(project)).toHaveLength(1);
    expect(await findings(project)).toEqual([]);
  });

  it('BS4: BS5: BS6: is left alone while suspended, goes on without its babysitter, and is asked to end through it', { timeout: 90_000 }, async () => {
    const project = await approvedProject('suspended', { study: studyText({ candidates: [twin], slots: 1 }) });
    await startRun(project);
    const own = await untilProcess(project);
    process.kill(own.pid, 'SIGSTOP');
    const suspended = await until('the suspension to show', async () => {
      const status = await statusOf(project);
      return status.suspended ? status : null;
    });
    expect(suspended).toMatchObject({ state: 'running', process: own, text: expect.stringContaining(`its process ${own.pid} is suspended`) as string });
    // BS9: it keeps the repository, and is named as what it is.
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'campaign_running', message: expect.stringMatching(new RegExp(`^campaign quick is suspended on this repository \\(process ${own.pid},`)) as string });
    expect((await steer('campaign_pause', project)).text).toContain('its process is suspended');
    expect((await statusOf(project)).babysitter).toMatchObject({ alive: true, restarts: 0, text: '' });
    process.kill(own.pid, 'SIGCONT');
    await untilState(project, 'paused');
    await steer('campaign_resume', project);

    const { babysitter } = await statusOf(project);
    process.kill(babysitter?.pid ?? 0, 'SIGKILL');
    const alone = await until('its babysitter to be gone', async () => {
      const status = await statusOf(project);
      return status.babysitter?.alive === false ? status : null;
    });
    expect(alone).toMatchObject({ process: own, babysitter: { text: 'its babysitter is gone: nobody starts the campaign again if its process dies' } });
    const before = startsOf(project).length;
    await until('the next trial', () => startsOf(project).length > before, 30_000);
    process.kill(own.pid, 'SIGKILL');
    await untilState(project, 'interrupted');
    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'resumed' });
    await until('a trial', () => startsOf(project).length > before + 1, 30_000);
    process.kill((await statusOf(project)).babysitter?.pid ?? 0, 'SIGTERM');
    expect(await untilState(project, 'stopped')).toMatchObject({ text: 'the campaign process was asked to end' });
    expect(await aliveOf(project)).toEqual([]);
    expect(await findings(project)).toEqual([]);
  });
});

describe('campaigns started at the same instant', () => {
  it('BS9: CA22: exactly one runs, and every other start is refused, naming it', { timeout: 90_000 }, async () => {
    const project = await approvedProject('at-once', { study: studyText({ candidates: [twin], slots: 1 }) });
    for (const isFirst of [true, false]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => runCommand(project)));
      const winners = answers.filter((one) => one.ok);
      expect(winners, JSON.stringify(answers)).toHaveLength(1);
      const { process: own } = await statusOf(project);
      expect(winners[0]?.output).toMatchObject({ state: isFirst ? 'started' : expect.stringMatching(/^(started|resumed)$/) as string, process: own });
      for (const loser of answers.filter((one) => !one.ok)) expect(loser.refusal).toMatchObject({ code: 'campaign_running', message: expect.stringContaining(`(process ${own?.pid},`) as string });
      await steer('campaign_stop', project);
      await untilState(project, 'stopped');
    }
    expect(eventsOf(project).filter(({ event }) => event.kind === 'campaign_started')).toHaveLength(2);
    expect(await findings(project)).toEqual([]);
  });
});

interface Answer {
  readonly ok: boolean;
  readonly output?: unknown;
  readonly refusal?: unknown;
}

function runCommand({ root }: Project): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(engine, 'cli.js'), 'campaign', 'run', study, '--root', root, '--detach', '--json'], (_error, out) => resolve(JSON.parse(out) as Answer));
  });
}

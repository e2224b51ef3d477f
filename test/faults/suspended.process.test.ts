// Processes that stand still for seconds: the campaign with its trial, as on a machine that sleeps, and a trial alone.
import { describe, expect, it } from 'vitest';
import { sleep, until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, recordsOf, startDirect, startsOf, statusOf, troubleAdapter, troubleTask, untilStarted, type Project } from '../campaign/project.ts';
import { studyText } from '../campaign/studies.ts';

const slow = (name: string, points: number) => `{ name: ${name}, env_cfg: { faults: { points: ${points}, every_ms: 100 } } }`;
const stillMs = 9_000;

async function trialProcesses(project: Project, trial: string): Promise<readonly number[]> {
  return (await aliveOf(project)).filter((one) => one.tag.includes(`${trial}`)).map((one) => one.identity.pid);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, name);
}

describe('a campaign that stands still', () => {
  it('MT30: MT32: takes its own standstill for no hang, says so, and ends a trial that alone stands still by the rule', { timeout: 120_000 }, async () => {
    const project = await approvedProject('still', {
      adapter: troubleAdapter,
      task: troubleTask,
      study: studyText({ noise: 'off', verify: '{}', slots: 1, monitor: 'monitor: { startup_s: 6, hang_s: 6, grace_s: 0.3 }', candidates: [slow('asleep', 40), slow('stopped', 41)] }),
    });
    const direct = startDirect(project);
    await untilStarted(project, 'screen-asleep-s42');
    await sleep(1_000);
    const trial = await trialProcesses(project, 'screen-asleep-s42');
    expect(trial).toHaveLength(1);
    signal([direct.child.pid ?? 0, ...trial], 'SIGSTOP');
    try {
      await sleep(stillMs);
      expect(await statusOf(project)).toMatchObject({ state: 'running', text: expect.stringMatching(/^its process \d+ is suspended/) as string });
    } finally {
      // The one that would call it hung wakes first.
      signal([direct.child.pid ?? 0], 'SIGCONT');
      await sleep(700);
      signal(trial, 'SIGCONT');
    }
    const record = await until('its record', () => recordsOf(project).find((one) => one.candidate === 'asleep'), 30_000);
    expect(record).toMatchObject({ status: 'completed', attempt: 0, rule: null });
    expect((await statusOf(project)).text).not.toContain('no word');

    await untilStarted(project, 'screen-stopped-s42');
    await sleep(1_000);
    const stopped = await trialProcesses(project, 'screen-stopped-s42');
    signal(stopped, 'SIGSTOP');
    const hung = await until('its end', () => recordsOf(project).find((one) => one.candidate === 'stopped'), 40_000);
    expect(hung).toMatchObject({ status: 'failed', rule: 'hung', reason: { cause: 'own', text: 'no event for 6 s' } });
    expect(await trialProcesses(project, 'screen-stopped-s42')).toEqual([]);
    expect(startsOf(project).filter((name) => name.includes('stopped'))).toEqual(['screen-stopped-s42']);
    direct.child.kill('SIGTERM');
    await direct.exit;
  });
});

// Trials that start four more processes each, two of them out of reach of a plain kill: what is left of them, whatever ends the trial.
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src-main/ports.ts';
import { readPids } from '../adapters/support/launches.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, ports, recordsOf, startDirect, startRun, startsOf, statusOf, steer, troubleAdapter, troubleTask, tryRead, untaggedAdapter, untilStarted, untilState, type Project } from './project.ts';
import { studyText } from './studies.ts';

const tree = (name: string, more: string) => `{ name: ${name}, env_cfg: { faults: { tree: true, ${more} } } }`;
const neighbours: ChildProcess[] = [];
afterAll(() => neighbours.forEach((one) => one.kill('SIGKILL')));

const folderOf = ({ run }: Project, trial: string) => join(run, 'trials', trial);

/** All of a trial's processes, once all of them have started. */
async function treeOf(project: Project, trial: string, count = 5): Promise<readonly ProcessIdentity[]> {
  const pids = await until(`the tree of ${trial}`, () => {
    const found = readPids(join(folderOf(project, trial), 'tree.pids'));
    return found.length === count ? found : null;
  }, 30_000);
  const identities = (await Promise.all(pids.map((pid) => ports.processes.identify(pid)))).filter((one) => one !== null);
  return identities;
}

async function living(identities: readonly ProcessIdentity[]): Promise<number> {
  return (await Promise.all(identities.map((one) => ports.processes.isAlive(one)))).filter(Boolean).length;
}

/** A stranger with the same program, and a tag that only looks like one of this study's. */
async function startNeighbour(tag: string): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { PATH: process.env['PATH'], RLXP_TRIAL: tag }, stdio: 'ignore', detached: true });
  neighbours.push(child);
  return until('the neighbour', () => ports.processes.identify(child.pid ?? 0));
}

const patient = 'monitor: { startup_s: 60, hang_s: 60, grace_s: 0.3 }';

describe('processes of trials', () => {
  it('MT20: none of a trial outlives it: by a rule, by itself, skipped, paused now, stopped; others are left alone', { timeout: 120_000 }, async () => {
    const project = await approvedProject('trees', {
      adapter: troubleAdapter,
      task: troubleTask,
      study: studyText({ noise: 'off', verify: '{}', slots: 2, monitor: patient, candidates: [tree('strays', 'points: 5'), tree('nan', 'nan_at: 2000'), tree('hang-a', 'hang_at: 1'), tree('hang-b', 'hang_at: 2')] }),
    });
    const strangers = await Promise.all([`rlxp:${project.key}`, `rlxp:${project.key}2:screen-hang-a-s42`, `xrlxp:${project.key}:screen-hang-a-s42`].map(startNeighbour));
    await startRun(project);

    // It ends well and leaves four; a rule ends the other.
    for (const [trial, end] of [['screen-strays-s42', { status: 'completed' }], ['screen-nan-s42', { status: 'failed', rule: 'nan' }]] as const) {
      const all = await treeOf(project, trial).catch(() => []);
      const record = await until(`the end of ${trial}`, () => recordsOf(project).find((one) => one.folder === trial), 30_000);
      expect(record).toMatchObject(end);
      expect(readPids(join(folderOf(project, trial), 'tree.pids'))).toHaveLength(5);
      expect(await living(all), trial).toBe(0);
    }

    // One is skipped beside another, whose processes live on.
    const [a, b] = await Promise.all(['screen-hang-a-s42', 'screen-hang-b-s42'].map((trial) => treeOf(project, trial)));
    expect([await living(a ?? []), await living(b ?? [])]).toEqual([5, 5]);
    await steer('campaign_skip', project, { trial: 'screen-hang-a-s42' });
    await until('its record', () => recordsOf(project).some((one) => one.candidate === 'hang-a'), 20_000);
    expect([await living(a ?? []), await living(b ?? [])]).toEqual([0, 5]);

    await steer('campaign_pause', project, { now: true });
    await until('its record', () => recordsOf(project).some((one) => one.candidate === 'hang-b'), 20_000);
    expect(await living(b ?? [])).toBe(0);

    await steer('campaign_resume', project);
    const again = await treeOf(project, 'screen-hang-b-s42-a1');
    expect(await living(again)).toBe(5);
    await steer('campaign_stop', project);
    await untilState(project, 'stopped');
    expect(await living(again)).toBe(0);
    expect(await aliveOf(project)).toEqual([]);
    expect(await living(strangers)).toBe(3);
    expect(JSON.parse(tryRead(join(project.run, 'launched.json')))).toMatchObject({ processes: [] });
  });

  it('MT21: MT22: what a killed campaign leaves is gone before anything starts again, by tag and by number, and nobody else is touched', { timeout: 120_000 }, async () => {
    const study = studyText({ noise: 'off', verify: '{}', slots: 2, monitor: patient, candidates: [tree('hang-a', 'hang_at: 1, deaf_to_hup: true, daemon: false'), tree('hang-b', 'hang_at: 1, deaf_to_hup: true')] });
    const tagged = await approvedProject('tagged', { adapter: troubleAdapter, task: troubleTask, study });
    const untagged = await approvedProject('untagged', { adapter: untaggedAdapter, task: troubleTask, study: study.replace('slots: 2', 'slots: 1') });
    for (const [project, trial, count] of [[tagged, 'screen-hang-b-s42', 5], [untagged, 'screen-hang-a-s42', 4]] as const) {
      const stranger = await startNeighbour(`rlxp:${project.key}-more:screen-hang-a-s42`);
      const direct = startDirect(project);
      const left = await treeOf(project, trial, count);
      expect(await living(left)).toBe(count);
      direct.child.kill('SIGKILL');
      await direct.exit;
      await until('the shells that a terminal takes along to be gone', async () => (await living(left)) < count || (await statusOf(project)).state === 'interrupted', 5_000);
      const orphans = await living(left);
      expect(orphans, trial).toBeGreaterThan(1);

      // A number that belongs to somebody else by now: the same, but for the start time.
      const path = join(project.run, 'launched.json');
      const launched = JSON.parse(tryRead(path)) as { processes: object[] };
      expect(launched.processes.length).toBeGreaterThan(0);
      writeFileSync(path, JSON.stringify({ ...launched, processes: [...launched.processes, { tag: `rlxp:${project.key}:screen-old-s42`, pid: stranger.pid, start_time: `${Number(stranger.startTime) - 1}` }, { tag: 'rlxp:of-another-repository:x', pid: stranger.pid, start_time: stranger.startTime }] }));

      const before = startsOf(project).length;
      const second = startDirect(project);
      await until('the next trial', () => startsOf(project).length > before, 30_000);
      expect(await living(left), trial).toBe(0);
      const [next = ''] = startsOf(project).slice(before);
      await until('it to begin', () => tryRead(join(folderOf(project, next), 'began')) !== '', 10_000);
      const began = Number(tryRead(join(folderOf(project, next), 'began')));
      const last = Math.max(...readdirSync(join(folderOf(project, trial), 'beats')).map((name) => statSync(join(folderOf(project, trial), 'beats', name)).mtimeMs));
      process.stdout.write(`${trial}: ${orphans} orphans of ${count}; the last was seen alive ${Math.round(began - last)} ms before the next trial began\n`);
      expect(last).toBeLessThan(began);
      expect(await living([stranger])).toBe(1);
      await untilStarted(project, next);
      second.child.kill('SIGTERM');
      expect(await second.exit).toBe(4);
      expect(await aliveOf(project)).toEqual([]);
      expect(readFileSync(join(project.run, 'campaign.log'), 'utf8')).toContain('campaign stopped');
    }
  });
});

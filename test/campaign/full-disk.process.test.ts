// A campaign on a disk that is really full: a tmpfs of 64 MB that the test fills and empties.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, base, ground, must, ports, recordsOf, refused, startDirect, startRun, startsOf, statusOf, steer, study, tryRead, untilStarted, untilState, type Project } from './project.ts';
import { studyText, twin } from './studies.ts';
import { mountSmallDisk } from './tmpfs.ts';

const mb = 1024 * 1024;
const withFloor = (floorMb: number) => base.replace('max_trial_s: 30', `max_trial_s: 30, min_free_disk_mb: ${floorMb}`);

function untilPaused(project: Project, text: RegExp) {
  return until(`${project.root} to pause with ${text}`, async () => {
    const status = await statusOf(project);
    return status.state === 'paused' && text.test(status.text) ? status : null;
  }, 20_000);
}

describe('a campaign on a full disk', () => {
  it('MT1: MT2: MT6: MT7: is refused below the floor, pauses on the way, and goes on by itself', { timeout: 120_000 }, async (context) => {
    const disk = mountSmallDisk(join(ground, 'full'), 64);
    if (disk === null) return context.skip();
    try {
      const project = await approvedProject('full', { study: studyText({ base: withFloor(8), verify: '{}', slots: 1, candidates: [twin] }) });
      disk.leave(4 * mb);
      expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'unwritable', message: expect.stringMatching(/^Not started: the disk holding \S+ has (3\.\d|4) MB left, and 8 MB must be free before a launch\.$/) as string });
      disk.leave(0);
      expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'unwritable' });
      expect(tryRead(join(project.run, 'process.log'))).toBe('');
      disk.empty();

      // Above nothing, below the floor: it can say so itself, and starts nothing more.
      await startRun(project);
      await untilStarted(project, 'noise-baseline-s42');
      disk.leave(4 * mb);
      await untilPaused(project, /has (3\.\d|4) MB left, and 8 MB must be free before a launch; a trial needs about \d+ KB\. Free some space: it goes on by itself/);
      const starts = startsOf(project).length;
      expect(await aliveOf(project)).toEqual([]);
      disk.empty();
      await until('the next trial', () => startsOf(project).length > starts, 20_000);

      // Not a byte left: nothing it has to say can be written, and yet nobody reads that it is running.
      disk.leave(0);
      await untilPaused(project, /no word from its process for \d+ s: the disk holding \S+ has 0 B left/);
      disk.empty();
      await untilState(project, 'completed', 60_000);

      const settled = recordsOf(project).filter(isTerminal);
      expect(new Set(settled.map((one) => one.identity)).size).toBe(settled.length);
      expect(settled.map((one) => one.status)).toEqual(Array(settled.length).fill('completed'));
      expect((await must<{ findings: readonly { severity: string }[] }>('repository_check', { root: project.root })).findings.filter((one) => one.severity !== 'ok')).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  it('MT4: MT6: is stopped while nothing can be written, and a start on a full disk is said without a stack', { timeout: 120_000 }, async (context) => {
    const disk = mountSmallDisk(join(ground, 'stopped'), 64);
    if (disk === null) return context.skip();
    try {
      const project = await approvedProject('stopped', { study: studyText({ base: withFloor(0), noise: 'off', verify: '{}', slots: 1, candidates: [twin] }) });
      await startRun(project);
      await untilStarted(project, 'screen-baseline-s42');
      disk.leave(0);
      await untilPaused(project, /has 0 B left/);
      expect(await steer('campaign_stop', project)).toMatchObject({ taken: true });
      await until('its end', async () => (await ports.locks.holder(project.root)) === null, 20_000);
      expect(await aliveOf(project)).toEqual([]);
      await untilState(project, 'interrupted');

      const direct = startDirect(project);
      expect(await direct.exit).toBe(3);
      expect(direct.out()).toMatch(/^a file could not be written or read: ENOSPC.*\nFree some space or mend the disk/);
      expect(direct.out()).not.toMatch(/\bat \S+:\d+/);

      disk.empty();
      await startRun(project);
      await untilState(project, 'completed', 60_000);
    } finally {
      disk.unmount();
    }
  });
});

import { describe, expect, it } from 'vitest';
import { makeDiskGuard, roomText } from '../../../src-main/core/campaign/disk-guard.ts';
import { makeSteering } from '../../../src-main/core/campaign/steering.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';

const mb = 1024 * 1024;

function scene() {
  const ports = makeFakePorts();
  ports.files.plant('/repo/.rlxp/runs/quick/campaign.json', '{}');
  const told: string[] = [];
  const steering = makeSteering();
  steering.listen({ paused: (reason) => void told.push(reason), resumed: (by) => void told.push(`resumed by ${by}`) });
  const guard = makeDiskGuard({ ports, steering, folder: '/repo/.rlxp/runs/quick', floorBytes: 100 * mb, slots: 2 });
  guard.watch();
  return { ...ports, steering, guard, told };
}

describe('the disk guard', () => {
  it('MT1: below the floor it pauses with both numbers, and goes on by itself when there is room', async () => {
    const { files, clock, steering, guard, told } = scene();
    expect(await guard.shortage()).toBeNull();
    files.setFreeBytes(99 * mb);
    const reason = await guard.shortage();
    expect(reason).toBe('the disk holding /repo/.rlxp/runs/quick has 99 MB left, and 100 MB must be free before a launch. Free some space: it goes on by itself when there is room');
    expect(steering.pausedBecause()).toBe(reason);
    files.setFreeBytes(50 * mb);
    await clock.advance(2_500);
    expect(steering.pausedBecause()).toContain('has 50 MB left');
    files.setFreeBytes(100 * mb);
    await clock.advance(2_500);
    expect(steering.pausedBecause()).toBeNull();
    expect(told).toEqual([reason, 'resumed by the disk, which has room again']);
  });

  it('MT1: what the largest trial wrote must fit once more than there are slots', async () => {
    const { files, guard } = scene();
    files.plant('/trial/checkpoints/a.bin', new Uint8Array(40 * mb));
    files.plant('/trial/console.log', new Uint8Array(5 * mb));
    await guard.measure('/trial');
    await guard.measure('/no-such-trial');
    files.setFreeBytes(135 * mb);
    expect(await guard.shortage()).toBeNull();
    files.setFreeBytes(135 * mb - 1);
    expect(await guard.shortage()).toContain('135 MB must be free before a launch; a trial needs about 45 MB.');
    expect(roomText({ free: 0, floorBytes: 0, trialBytes: 0, slots: 1 })).toBeNull();
  });

  it('MT2: a disk that refused, by a quota for one, is asked with a file until it takes one', async () => {
    const { files, clock, steering, guard, told } = scene();
    files.failNth('replaceFile', 1, 'EDQUOT', { suffix: '.write-probe', again: true });
    guard.refused('EDQUOT: disk quota exceeded');
    expect(steering.pausedBecause()).toContain('takes no more (EDQUOT: disk quota exceeded). Free some space or raise the quota');
    await clock.advance(10_000);
    expect(steering.pausedBecause()).toContain('EDQUOT');
    files.heal();
    await clock.advance(2_500);
    expect(steering.pausedBecause()).toBeNull();
    expect(told).toHaveLength(2);
    expect(Object.keys(files.contents('/repo'))).toEqual(['/repo/.rlxp/runs/quick/campaign.json']);
  });

  it('MT3: what a person paused stays paused, and a resume starts nothing while the room is missing', async () => {
    const { files, clock, steering, guard, told } = scene();
    files.setFreeBytes(1);
    await guard.shortage();
    steering.pause('ada asked for it');
    files.setFreeBytes(1e12);
    await clock.advance(2_500);
    expect(steering.pausedBecause()).toBe('ada asked for it');
    files.setFreeBytes(1);
    steering.resume('ada');
    expect(steering.pausedBecause()).toBeNull();
    expect(await guard.shortage()).not.toBeNull();
    expect(steering.pausedBecause()).toContain('has 1 B left');
    expect(told.map((one) => one.slice(0, 16))).toEqual(['the disk holding', 'ada asked for it', 'resumed by ada', 'the disk holding']);
  });

  it('MT5: a trial that waits for room hears of it, and of its end', async () => {
    const { files, clock, guard } = scene();
    files.setFreeBytes(0);
    const waits = guard.untilRoom('ENOSPC', new AbortController().signal);
    await clock.advance(30_000);
    files.setFreeBytes(1e12);
    expect(await clock.settle(waits)).toBe(true);
    const abort = new AbortController();
    files.setFreeBytes(0);
    const given = guard.untilRoom('ENOSPC', abort.signal);
    await clock.advance(3_000);
    abort.abort();
    expect(await clock.settle(given)).toBe(false);
  });
});

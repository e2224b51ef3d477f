import { describe, expect, it } from 'vitest';
import { makeSteering } from '../../../src-main/core/campaign/steering.ts';

function scene() {
  const told: string[] = [];
  const steering = makeSteering(() => void told.push('stop'));
  steering.listen({ paused: (reason) => void told.push(`paused ${reason}`), resumed: (by) => void told.push(`resumed ${by}`) });
  const watch = (folder: string) => steering.watch(folder, (cause) => void told.push(`${folder} ${cause}`));
  return { steering, told, watch };
}

describe('steering', () => {
  it('CA21: pause keeps what runs, pause now ends it, resume takes both back', () => {
    const { steering, told, watch } = scene();
    watch('a');
    steering.pause('first');
    steering.pause('second');
    expect(steering.pausedBecause()).toBe('first');
    steering.pauseNow('third');
    expect(steering.pausedBecause()).toBe('first');
    steering.resume('ada');
    steering.resume('ada');
    expect(steering.pausedBecause()).toBeNull();
    expect(told).toEqual(['paused first', 'a pause', 'resumed ada']);
  });

  it('MT3: each cause of a pause ends by itself, and what stands in the way is told first', () => {
    const { steering, told } = scene();
    steering.pause('asked');
    steering.pause('no room', 'disk');
    steering.pause('less room', 'disk');
    expect(steering.pausedBecause()).toBe('less room');
    steering.lift('journal', 'nobody');
    steering.lift('disk', 'the disk');
    expect(steering.pausedBecause()).toBe('asked');
    steering.pause('gone', 'journal');
    steering.resume('ada');
    expect(steering.pausedBecause()).toBeNull();
    expect(told).toEqual(['paused asked', 'paused no room', 'paused gone', 'resumed ada']);
  });

  it('CA21: what was about to run when everything was ended is ended too', () => {
    const { steering, told, watch } = scene();
    steering.pauseNow('now');
    watch('late');
    steering.resume('ada');
    watch('again');
    expect(told).toEqual(['paused now', 'late pause', 'resumed ada']);
    steering.stop('enough');
    watch('too late');
    expect(told.slice(3)).toEqual(['stop', 'late stop', 'again stop', 'too late stop']);
  });

  it('CA21: a trial is skipped whatever attempt names it, running or waiting', () => {
    const { steering, told, watch } = scene();
    watch('screen-a-s42-r1-a2');
    watch('screen-a-s42');
    expect(steering.skip('screen-a-s42-r1')).toBe(true);
    expect(steering.skip('screen-a-s42-r1-a1')).toBe(false);
    expect(told).toEqual(['screen-a-s42-r1-a2 skip']);
    expect(steering.isSkipped('screen-a-s42-r1-a7')).toBe(true);
    expect(steering.isSkipped('screen-a-s42')).toBe(false);
    expect(steering.isSkipped('screen-a-s42-a1')).toBe(false);
  });

  it('a trial that is over is not ended, and every change wakes who waits', async () => {
    const { steering, told, watch } = scene();
    const unwatch = watch('a');
    unwatch();
    const changed = steering.changed();
    steering.stop('once');
    steering.stop('twice');
    await changed;
    expect(steering.stoppedBecause()).toBe('once');
    expect(told).toEqual(['stop']);
  });
});

import { describe, expect, it } from 'vitest';
import { leaveRequest, takeRequests, watchRequests } from '../../../src-main/core/campaign/control-inbox.ts';
import type { ControlRequest } from '../../../src-protocol/files/event.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';

const folder = '/run/control';

describe('requests to a campaign', () => {
  it('CA20: are taken in the order they were made, once, and removed', async () => {
    const ports = makeFakePorts();
    const taken: ControlRequest[] = [];
    const actions = ['pause', 'resume', 'skip', 'stop'] as const;
    for (const action of actions) {
      await leaveRequest(ports, folder, { action, trial: action === 'skip' ? 'screen-a-s42' : null, by: 'ada' });
      await ports.clock.advance(1);
    }
    const stop = watchRequests({ ...ports, folder, onRequest: (request) => void taken.push(request) });
    await ports.clock.advance(1000);
    stop();
    expect(taken.map((one) => one.action)).toEqual(actions);
    expect(taken[2]).toMatchObject({ trial: 'screen-a-s42', by: 'ada' });
    expect(await ports.files.list(folder)).toEqual([]);
  });

  it.each([
    { what: 'of one millisecond', passMs: 0, isWaitedFor: true },
    { what: 'of one millisecond that nobody waited for in between', passMs: 0, isWaitedFor: false },
    { what: 'made while the clock was set back', passMs: -60_000, isWaitedFor: true },
  ])('CA20: requests $what are taken in the order of asking', async ({ passMs, isWaitedFor }) => {
    const ports = makeFakePorts();
    const asked = Array.from({ length: 30 }, (_, index) => `screen-a-s${index}`);
    const left: Promise<void>[] = [];
    for (const trial of asked) {
      left.push(leaveRequest(ports, folder, { action: 'skip', trial, by: 'ada' }));
      if (isWaitedFor) await left.at(-1);
      ports.clock.suspend(passMs);
    }
    await Promise.all(left);
    const taken: (string | null)[] = [];
    await takeRequests({ ...ports, folder, onRequest: ({ trial }) => void taken.push(trial) });
    expect(taken).toEqual(asked);
  });

  it('CA20: a request that could not be written holds up no other', async () => {
    const ports = makeFakePorts();
    ports.files.failNth('replaceFile', 1, 'ENOSPC');
    const first = leaveRequest(ports, folder, { action: 'pause', trial: null, by: 'ada' });
    const second = leaveRequest(ports, folder, { action: 'stop', trial: null, by: 'ada' });
    await expect(first).rejects.toMatchObject({ code: 'ENOSPC' });
    await second;
    const taken: string[] = [];
    await takeRequests({ ...ports, folder, onRequest: ({ action }) => void taken.push(action) });
    expect(taken).toEqual(['stop']);
  });

  it('CA20: what cannot be understood is removed and holds up nothing', async () => {
    const ports = makeFakePorts();
    ports.files.plant(`${folder}/1-odd.json`, '{"action":"explode","by":"x","at":"2026-01-01T00:00:00.000Z"}');
    ports.files.plant(`${folder}/2-cut.json`, '{"action":');
    ports.files.plant(`${folder}/3-big.json`, `"${'x'.repeat(20_000)}"`);
    ports.files.plant(`${folder}/4-good.json`, '{"action":"stop","by":"x","at":"2026-01-01T00:00:00.000Z"}');
    ports.files.plant(`${folder}/.5-unfinished.json`, '{');
    const taken: string[] = [];
    await takeRequests({ ...ports, folder, onRequest: (request) => void taken.push(request.action) });
    expect(taken).toEqual(['stop']);
    expect(await ports.files.list(folder)).toEqual(['.5-unfinished.json']);
    expect(ports.log.lines.filter((line) => line.level === 'warn')).toHaveLength(3);
  });

  it('CO4: are taken as soon as the folder changes, and within 1 s where no change is told', async () => {
    const ports = makeFakePorts();
    const taken: string[] = [];
    const leave = (action: 'pause' | 'resume') => leaveRequest(ports, folder, { action, trial: null, by: 'ada' });
    const stop = watchRequests({ ...ports, folder, onRequest: (request) => void taken.push(request.action) });
    await leave('pause');
    await ports.clock.advance(0);
    expect(taken).toEqual(['pause']);
    stop();
    const deaf = { ...ports.files, watch: () => () => undefined };
    const stopDeaf = watchRequests({ ...ports, files: deaf, folder, onRequest: (request) => void taken.push(request.action) });
    await leave('resume');
    await ports.clock.advance(1_000);
    expect(taken).toEqual(['pause', 'resume']);
    stopDeaf();
    await leave('pause');
    await ports.clock.advance(5_000);
    expect(taken).toHaveLength(2);
  });

  it('CO4: are taken one after the other, each once, however often the folder changes meanwhile', async () => {
    const ports = makeFakePorts();
    const taken: string[] = [];
    const stop = watchRequests({
      ...ports,
      folder,
      async onRequest({ trial }) {
        taken.push(`${trial ?? ''} begins`);
        await ports.clock.sleep(300);
        taken.push(`${trial ?? ''} ends`);
      },
    });
    for (const trial of ['a', 'b', 'c']) {
      await leaveRequest(ports, folder, { action: 'skip', trial, by: 'ada' });
      await ports.clock.advance(100);
    }
    await ports.clock.advance(5_000);
    stop();
    expect(taken).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('a missing folder holds no requests', async () => {
    const ports = makeFakePorts();
    await takeRequests({ ...ports, folder: '/nowhere', onRequest: () => Promise.reject(new Error('none')) });
    expect(ports.log.lines).toEqual([]);
  });
});

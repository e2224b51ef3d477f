import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refuseWhileRunning, whoRuns } from '../../../src-main/core/contract/who-runs.ts';
import { makeFakePorts, type FakePorts } from '../../fakes/fake-ports.ts';

const root = '/repo';
const babysitter = `babysitter:${root}`;

async function scene(): Promise<FakePorts> {
  const ports = makeFakePorts({ programFor: () => ({ runsMs: 'forever' }) });
  await ports.files.makeFolder(root);
  return ports;
}

const refusal = (ports: FakePorts) => ports.clock.settle(refuseWhileRunning(ports, root)).then(() => null, (error: { readonly refusal: { readonly message: string; readonly next: string } }) => error.refusal);

describe('who runs a campaign', () => {
  it('CA22: nobody, or whoever holds the repository, by name', async () => {
    const ports = await scene();
    expect(await whoRuns(ports, root)).toBeNull();
    await ports.locks.as({ pid: 7 }).take(root, 'campaign quick');
    expect(await whoRuns(ports, root)).toMatchObject({ holder: { pid: 7 }, isBabysitter: false });
    expect(await refusal(ports)).toMatchObject({ code: 'campaign_running', message: 'campaign quick is running on this repository (process 7, since 2026-01-01T00:00:00.000Z).', next: 'Watch it with `rlxp campaign watch quick`, or wait until it has ended.' });
    ports.locks.die(root);
    expect(await refusal(ports)).toBeNull();
  });

  it('CA22: says of a paused campaign why it is, and that resume lets it go on', async () => {
    const ports = await scene();
    await ports.locks.as({ pid: 7 }).take(root, 'campaign quick');
    const standing = JSON.parse(readFileSync(new URL('../../fixtures/schemas/campaign.1.json', import.meta.url), 'utf8')) as object;
    ports.files.plant(`${root}/.rlxp/runs/quick/campaign.json`, JSON.stringify({ ...standing, status: 'paused', text: 'a person asked for it' }));
    expect(await refusal(ports)).toMatchObject({
      code: 'campaign_running',
      message: 'campaign quick is paused on this repository (process 7, since 2026-01-01T00:00:00.000Z): a person asked for it.',
      next: '`rlxp campaign resume quick` lets it go on, `rlxp campaign stop quick` ends it.',
    });
    ports.files.plant(`${root}/.rlxp/runs/quick/campaign.json`, 'torn');
    expect(await refusal(ports)).toMatchObject({ message: expect.stringContaining('is running') as string });
  });

  it('BS9: waits while a babysitter has no campaign, until one runs or the babysitter is gone', async () => {
    const ports = await scene();
    await ports.locks.as({ pid: 8 }).take(babysitter, 'campaign quick');
    const comes = whoRuns(ports, root);
    await ports.clock.advance(900);
    await ports.locks.as({ pid: 9 }).take(root, 'campaign quick');
    expect(await ports.clock.settle(comes)).toMatchObject({ holder: { pid: 9 } });
    ports.locks.die(root);
    const goes = whoRuns(ports, root);
    await ports.clock.advance(900);
    ports.locks.die(babysitter);
    expect(await ports.clock.settle(goes)).toBeNull();
  });

  it('BS9: names the babysitter when its campaign does not come, after ten seconds', async () => {
    const ports = await scene();
    await ports.locks.as({ pid: 8 }).take(babysitter, 'campaign quick');
    const before = ports.clock.monotonicMs();
    expect(await refusal(ports)).toMatchObject({ message: expect.stringMatching(/^the babysitter of campaign quick is running on this repository \(process 8,/) as string });
    expect(ports.clock.monotonicMs() - before).toBeLessThan(11_000);
  });

  it('BS5: BS9: says suspended only of a process that is, and otherwise that it does not answer', async () => {
    const ports = await scene();
    const { identity } = await ports.processes.startBackground({ argv: ['campaign'], cwd: root, env: {}, logPath: `${root}/log` });
    await ports.locks.as(identity).take(root, 'campaign quick');
    ports.locks.suspend(root);
    expect(await refusal(ports)).toMatchObject({ message: expect.stringMatching(/^campaign quick is running on this repository .*, and does not answer at the moment\.$/) as string });
    ports.processes.suspend(identity);
    expect(await refusal(ports)).toMatchObject({ message: expect.stringContaining('campaign quick is suspended on this repository') as string, next: expect.stringContaining(`kill -CONT ${identity.pid}`) as string });
  });
});

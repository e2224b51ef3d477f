import { describe, expect, it } from 'vitest';
import { makeFakeClock } from '../../fakes/fake-clock.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';
import { makeFakeMachine } from '../../fakes/fake-small-ports.ts';
import { installedFor } from '../../../src-main/core/campaign/open-campaign.ts';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';

describe('provenance of a campaign', () => {
  it('AD15: records what is installed for the interpreter, also for one that PATH finds', async () => {
    const files = makeFakeFiles(makeFakeClock());
    for (const name of ['bin/python', 'pyvenv.cfg', 'lib/python3.11/site-packages/torch-2.13.0.dist-info/METADATA']) {
      await files.makeFolder(`/venv/${name}`.replace(/\/[^/]*$/, ''));
      await files.replaceFile(`/venv/${name}`, 'version = 3.11.7\n');
    }
    await files.setMode('/venv/bin/python', 0o755);
    const of = (change: object) => installedFor({ files, machine: makeFakeMachine({ env: { PATH: '/usr/bin:/venv/bin' } }) }, '/repo', { adapter: adapterFile.parse({ framework: 'command', metrics: {}, ...change }) });
    const installed = { python: '3.11.7', torch: '2.13.0' };
    expect(await of({ python: ['python'] })).toEqual(installed);
    expect(await of({ python: ['/venv/bin/python'] })).toEqual(installed);
    expect(await of({ python: ['python', '-P'] }), 'a prefix may start anything').toEqual({});
    expect(await of({ python: ['pypy'] })).toEqual({});
    expect(await of({})).toEqual({});
    expect(await of({ framework: 'bundled', python: ['python'] })).toEqual({});
  });
});

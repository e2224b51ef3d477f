// Trials that run at once share the cores of this machine; one that runs alone has them all.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifestFile } from '../../src-protocol/files/manifest.ts';
import { approvedProject, ports, recordsOf, runDirect, troubleAdapter, troubleTask, tryRead } from './project.ts';
import { studyText } from './studies.ts';

it('AD20: AD22: each process of a trial gets its share, and trial.json and manifest tell it', { timeout: 60_000 }, async () => {
  delete process.env['OMP_NUM_THREADS'];
  const own = '{ name: own, agent_cfg: { gain: 2 } }';
  const text = studyText({ noise: 'off', verify: '{}', candidates: [own] }).replace('refine: {', 'refine: { max_parallel: 1,');
  const project = await approvedProject('threads', { adapter: troubleAdapter, task: troubleTask, study: text });
  const { code, out } = await runDirect(project);
  expect(code, out).toBe(0);
  const share = Math.max(1, Math.floor((await ports.machine.hardware()).usableCores / 2));
  const told = recordsOf(project).map(({ folder, stage }) => {
    const at = join(project.run, 'trials', folder);
    const { threads } = JSON.parse(tryRead(join(at, 'trial.json'))) as { readonly threads: number | null };
    const { facts } = manifestFile.parse(JSON.parse(tryRead(join(at, 'manifest.json'))));
    return { stage, threads, given: tryRead(join(at, 'threads')), manifest: String(facts['thread_limits']).split(' ')[0] };
  });
  expect(told.map(({ stage }) => stage)).toEqual(['screen', 'screen', 'refine', 'refine', 'verify'].slice(0, told.length));
  for (const one of told) {
    const isShared = one.stage === 'screen';
    expect(one).toMatchObject(isShared ? { threads: share, given: String(share), manifest: `OMP_NUM_THREADS=${share}` } : { threads: null, given: 'not said', manifest: '' });
  }
});

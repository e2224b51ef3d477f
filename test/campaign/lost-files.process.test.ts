// What somebody or something takes from a running campaign: its journal, an evaluation of its self-test.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src-main/core/campaign/search-plan.ts';
import { sleep, until } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, exampleEnv, kindsOf, ports, recordsOf, refused, startRun, startsOf, steer, study, tryRead, untilStarted, untilState } from './project.ts';
import { studyText, twin } from './studies.ts';

describe('a campaign from which something is taken', () => {
  it('MT8: a journal that is removed pauses it, is begun anew by nobody, and works again when it is put back', { timeout: 90_000 }, async () => {
    const project = await approvedProject('removed', { study: studyText({ noise: 'off', verify: '{}', slots: 1, candidates: [twin] }) });
    const journal = join(project.run, 'trials.jsonl');
    await startRun(project);
    await untilStarted(project, 'screen-twin-s42');
    copyFileSync(journal, join(project.root, 'trials.copy'));
    rmSync(journal);
    const paused = await untilState(project, 'paused');
    expect(paused.text).toMatch(/^trials\.jsonl was removed or emptied while the campaign ran; it held \d records?\. Put it back \(\S+trials\.jsonl\.kept holds them\)/);
    await until('its trial to end', async () => (await aliveOf(project)).length === 0, 20_000);
    await sleep(1_500);
    const starts = startsOf(project).length;
    expect(existsSync(journal)).toBe(false);

    // Stopped like this, nothing may start that would train it all again.
    await steer('campaign_stop', project);
    await until('its end', async () => (await ports.locks.holder(project.root)) === null, 20_000);
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'damaged', message: expect.stringContaining('trials.jsonl is gone or empty, though') as string, next: expect.stringContaining('trials.jsonl.kept') as string });
    expect(existsSync(journal)).toBe(false);
    expect(startsOf(project)).toHaveLength(starts);

    expect(tryRead(`${journal}.kept`).startsWith(tryRead(join(project.root, 'trials.copy')))).toBe(true);
    renameSync(`${journal}.kept`, journal);
    await startRun(project);
    await untilState(project, 'completed');
    const settled = recordsOf(project).filter(isTerminal);
    expect(new Set(settled.map((one) => one.identity)).size).toBe(settled.length);
    expect(settled.filter((one) => one.folder.startsWith('screen-baseline-s42'))).toHaveLength(1);
  });

  it('MT9: an evaluation of the self-test that the system kills is run again, three times, and then asked about', { timeout: 90_000 }, async () => {
    // One is killed once, the other until a file says stop.
    const killed = `
  const own = process.argv[2] ?? '';
  const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
  if (own.includes('/selftest/random/') && !existsSync(own + '.killed')) { writeFileSync(own + '.killed', ''); process.kill(process.pid, 'SIGKILL'); }
  if (own.includes('/selftest/zero/') && !existsSync(own + '.spared')) process.kill(process.pid, 'SIGKILL');
  const env = rlxp`;
    const project = await approvedProject('selftest', { env: exampleEnv.replace('const env = rlxp', killed.trim()), study: studyText({ noise: 'off', verify: '{}', slots: 1, candidates: [twin] }) });
    await startRun(project);
    const paused = await untilState(project, 'paused');
    expect(paused.text).toMatch(/^the evaluation "zero" of the self-test failed: was killed by the system .*so it went 3 times/);
    expect(existsSync(join(project.run, 'selftest/random/trial.json.killed'))).toBe(true);
    expect(kindsOf(project).filter((kind) => kind === 'paused')).toHaveLength(1);
    copyFileSync(join(project.run, 'selftest/zero/trial.json'), join(project.run, 'selftest/zero/trial.json.spared'));
    await steer('campaign_resume', project);
    await untilState(project, 'completed');
    expect(kindsOf(project)).toContain('self_test');
  });
});

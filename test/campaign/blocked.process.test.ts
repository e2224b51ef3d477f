// Campaigns that cannot conclude as hoped: a leaking evaluator, a baseline that crashes, a task where doing nothing does as
// well, and nothing that can be ranked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaignProcess } from '../../src-protocol/files/event.ts';
import { manifestFile } from '../../src-protocol/files/manifest.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { sleep } from '../adapters/support/wait.ts';
import { aliveOf, approvedProject, eventsOf, exampleEnv, must, recordsOf, runDirect, startDirect, statusOf, study, taskText, tryRead, untilState, type Project } from './project.ts';
import { diverges, studyText, twin } from './studies.ts';

const read = (project: Project, name: string) => JSON.parse(tryRead(join(project.run, name))) as unknown;
const ledgerOf = async ({ root }: Project) => (await must<{ lines: readonly { kind: string }[] }>('ledger_show', { root, last: 50 })).lines.map((line) => line.kind);

describe('a campaign that is blocked', () => {
  it('CA3: a canonical block that misses a weight blocks it and names the leak', { timeout: 60_000 }, async () => {
    const task = taskText.replace('canonical:\n  rewards: { alive: 1, speed: 0 }', 'canonical:\n  rewards: { alive: 1 }');
    const project = await approvedProject('leak', { task, study: studyText({ candidates: [twin] }) });
    const { code, out } = await runDirect(project);
    expect(code).toBe(4);
    expect(out).toMatch(/^blocked: The evaluator cannot be trusted: changing env_cfg\.rewards\.speed from 0 to 1 moved the canonical score/);
    const report = tryRead(join(project.run, 'report.md'));
    expect(report).toContain('env_cfg.rewards.speed');
    expect(existsSync(join(project.run, 'verdict.json'))).toBe(false);
    expect(recordsOf(project).map((one) => one.stage)).toEqual(['noise', 'noise', 'noise']);
    expect(campaignProcess.parse(read(project, 'campaign.json'))).toMatchObject({ status: 'blocked' });
    expect(manifestFile.parse(read(project, 'manifest.json')).status).toBe('completed');
    expect(await ledgerOf(project)).not.toContain('verdict');
    // Running it again tests nothing and says the same.
    const again = await runDirect(project);
    expect(again).toEqual({ code, out });
  });

  it('CA3: a baseline that crashes blocks it with the reason', { timeout: 60_000 }, async () => {
    const project = await approvedProject('crash', { env: `${exampleEnv.replace('const { rewards = {}', "throw new Error('the simulator is not installed');\n  const { rewards = {}")}`, study: studyText({ candidates: [twin] }) });
    const { code, out } = await runDirect(project);
    expect(code).toBe(4);
    expect(out).toContain('The unmodified baseline never gave a valid evaluation');
    expect(out).toContain('the simulator is not installed');
    expect(recordsOf(project).map((one) => `${one.stage} ${one.status} ${one.reason.cause}`)).toEqual(Array(3).fill('noise failed own'));
    expect(tryRead(join(project.run, 'report.md'))).toContain('the simulator is not installed');
    expect((await must<{ state: string; verdict: unknown }>('report_show', { root: project.root, study }))).toMatchObject({ state: 'blocked', verdict: null });
  });

  it('CA8: when every candidate diverges the verdict and the report say so', { timeout: 60_000 }, async () => {
    const project = await approvedProject('all-nan', { study: studyText({ noise: 'off', candidates: [diverges, diverges.replace('diverges', 'diverges-too').replace('1500', '1200')] }) });
    const { code } = await runDirect(project);
    expect(code).toBe(0);
    const verdict = verdictFile.parse(read(project, 'verdict.json'));
    expect(verdict).toMatchObject({ word: 'no_better_candidate', winner: null, pairs: [], stop: 'no_better_candidate' });
    expect(existsSync(join(project.run, 'winner.json'))).toBe(false);
    const report = tryRead(join(project.run, 'report.md'));
    expect(report).toContain(verdict.headline);
    expect(report).toContain('became NaN');
    expect(await ledgerOf(project)).toContain('verdict');
  });
});

/** Only going left is rewarded: what is learned is what the policy that does nothing does already. */
const leftOnly = `export function makeEnv({ generators }, rlxp) {
  return rlxp.withShaping(rlxp.makeCartPole(generators), {
    alive: { weight: -1, scored: true, value: () => 1 },
    left: { weight: 1, scored: true, value: (_before, action) => (action === 0 ? 1 : -1) },
  });
}
`;

describe('a campaign with a question', () => {
  it('CA3: where doing nothing scores as well it asks, and goes on when resumed', { timeout: 60_000 }, async () => {
    const task = taskText.replace('learning_rate: 0.0006', 'learning_rate: 0.004, normalize_observations: false').replace(/reward_weights.*\n/, '');
    const twinHere = '{ name: twin, agent_cfg: { agent: { entropy_loss_scale: 0.000001 } } }';
    const project = await approvedProject('question', { env: leftOnly, task, study: studyText({ noise: 'off', verify: '{}', candidates: [twinHere] }) });
    const direct = startDirect(project);
    const paused = await untilState(project, 'paused');
    expect(paused).toMatchObject({ stage: 'self_test', text: expect.stringMatching(/^doing nothing scores .* go on only if that is what the task means\. Resume to go on\.$/) as string });
    await sleep(300);
    expect(await aliveOf(project)).toEqual([]);
    expect(existsSync(join(project.run, 'selftest/result.json'))).toBe(false);

    // Killed while it waits, it asks again.
    direct.child.kill('SIGKILL');
    await direct.exit;
    expect(await statusOf(project)).toMatchObject({ state: 'interrupted' });
    await must('campaign_run', { root: project.root, study });
    await untilState(project, 'paused');
    await must('campaign_resume', { root: project.root, study });
    await untilState(project, 'completed');
    const kinds = eventsOf(project).map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === 'self_test')).toHaveLength(2);
    expect(kinds.indexOf('resumed')).toBeGreaterThan(kinds.lastIndexOf('paused'));
    expect(recordsOf(project).filter((one) => one.stage === 'screen' && one.candidate === 'baseline')).toHaveLength(1);
    expect(verdictFile.parse(read(project, 'verdict.json'))).toMatchObject({ stop: expect.stringMatching(/no_looks|no_better_candidate/) as string });
  });
});

// What keeps a campaign from starting or from going on: no approval, a changed study, records that cannot be trusted, a folder
// that cannot be written, a budget that is used up.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CampaignProcess } from '../../src-protocol/files/event.ts';
import { verdictFile } from '../../src-protocol/files/verdict.ts';
import { recordOf, searchOnPaper } from '../core/campaign/study-on-paper.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, approve, approvedProject, confirmGates, engine, eventsOf, ground, makeProject, must, recordsOf, refused, runDirect, statusOf, study, taskText, troubleAdapter, troubleTask, tryRead, untilState, type Project } from './project.ts';
import { fast, studyText, twin } from './studies.ts';

const options = { study: studyText({ candidates: [twin] }) };
const runs = ({ root }: Project) => join(root, '.rlxp/runs');

/** Names and digests of everything below a folder. */
function contents(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')]));
}

describe('a campaign that may not start', () => {
  it('CA25: CA31: without an approval nothing starts, by any door, and nothing is written', async () => {
    const project = await makeProject('unapproved', options);
    await confirmGates(project);
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'not_approved', next: expect.stringContaining('rlxp approve') as string });
    expect(await runDirect(project)).toMatchObject({ code: 3, out: expect.stringContaining('has no approval') as string });
    expect(existsSync(runs(project))).toBe(false);
    expect(await statusOf(project)).toMatchObject({ state: 'none', text: 'it never ran' });
    for (const tool of ['campaign_status', 'trial_list', 'campaign_stop']) expect(await refused(tool, { root: project.root, study: 'nope' })).toMatchObject({ code: 'not_found', message: 'There is no study nope.' });
  });

  it('AD23: an interpreter that is gone refuses campaign and extra trial with its line, and nothing is tried', async () => {
    const own = join(ground, 'own-node');
    symlinkSync(process.execPath, own);
    const project = await approvedProject('gone', { adapter: troubleAdapter.replace(process.execPath, own), task: troubleTask, study: studyText({ noise: 'off', verify: '{}', candidates: ['{ name: other, agent_cfg: { gain: 2 } }'] }) });
    rmSync(own);
    const gone = { code: 'not_started', message: `Not started: the program \`${own}\` is not there.`, problems: [{ file: '.rlxp/adapter.yaml', line: 2 }] };
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject(gone);
    expect(await refused('trial_extra', { root: project.root, study, candidate: 'other' })).toMatchObject(gone);
    expect(await must('trial_extra', { root: project.root, study, candidate: 'other', dry_run: true })).toMatchObject({ state: 'planned' });
    expect(recordsOf(project)).toEqual([]);
    expect(existsSync(join(project.run, 'extra.json'))).toBe(false);
  });

  it('CA24: a study edited after its approval is refused with the difference', async () => {
    const project = await approvedProject('edited', options);
    const file = join(project.root, '.rlxp/studies/quick.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('timesteps: 4096', 'timesteps: 5120'));
    const before = contents(runs(project));
    const refusal = await refused('campaign_run', { root: project.root, study });
    expect(refusal.code).toBe('approval_lapsed');
    expect(refusal.differences).toEqual([{ what: 'study.stages.screen.timesteps', approved: '4096', now: '5120' }]);
    expect((await runDirect(project)).code).toBe(3);
    expect(contents(runs(project))).toEqual(before);
  });

  const whole = () => {
    const search = searchOnPaper();
    return [42, 43, 44].map((seed, index) => JSON.stringify(recordOf(search.plan('noise', 'baseline', seed, 0), { seq: index, study })));
  };
  it.each([
    { name: 'newer', code: 'newer_schema', line: 2, spoil: (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('"schema":1', '"schema":2')) },
    { name: 'damaged', code: 'damaged', line: 2, spoil: (lines: string[]) => lines.with(1, (lines[1] ?? '').slice(0, 40)) },
    { name: 'unreadable', code: 'damaged', line: 3, spoil: (lines: string[]) => lines.with(2, (lines[2] ?? '').replace('"status":"completed"', '"status":"fine"')) },
    { name: 'missing', code: 'damaged', line: 2, spoil: (lines: string[]) => [lines[0] ?? '', lines[2] ?? ''] },
  ])('CA13: records that are $name refuse to run, name the line, and stay as they are', async ({ name, code, line, spoil }) => {
    const project = await approvedProject(`records-${name}`, options);
    writeFileSync(join(project.run, 'trials.jsonl'), `${spoil(whole()).join('\n')}\n`);
    const before = contents(runs(project));
    const refusal = await refused('campaign_run', { root: project.root, study });
    expect(refusal.code).toBe(code);
    expect(`${refusal.message} ${JSON.stringify(refusal.problems ?? [])}`).toMatch(new RegExp(`line.{0,3}${line}|jsonl:${line}`));
    const direct = await runDirect(project);
    expect(direct).toMatchObject({ code: 3, out: expect.stringMatching(new RegExp(`line ${line}|jsonl:${line}`)) as string });
    expect(contents(runs(project))).toEqual(before);
  });

  it.each(['manifest.json', 'campaign.json'])('CA13: a run whose %s is of a newer program is refused and stays as it is', async (name) => {
    const project = await approvedProject(`newer-${name.split('.')[0] ?? ''}`, options);
    writeFileSync(join(project.run, name), '{ "schema": 2, "what": "unknown here" }');
    const before = contents(runs(project));
    expect(await refused('campaign_run', { root: project.root, study })).toMatchObject({ code: 'newer_schema', message: expect.stringContaining(name) as string });
    expect(await runDirect(project)).toMatchObject({ code: 3, out: expect.stringContaining(`${name} has schema 2`) as string });
    expect(contents(runs(project))).toEqual(before);
  });

  it.runIf(process.getuid?.() === 0)('a run folder that cannot be written is refused, and nothing is', async () => {
    const project = await approvedProject('unwritable', options);
    chmodSync(ground, 0o755);
    const nobody = 65534;
    const [config, runtime] = ['config', 'runtime'].map((name) => join(ground, `${name}-of-nobody`));
    cpSync(join(ground, 'config'), config ?? '', { recursive: true });
    mkdirSync(runtime ?? '');
    await run('chown', ['-R', `${nobody}:${nobody}`, config ?? '', runtime ?? '']);
    await run('chmod', ['-R', 'a+rX', project.root]);
    const before = contents(project.root);
    const command = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, await reachable(), 'campaign', 'run', study, '--root', project.root];
    const { code, text } = await run('setpriv', command, { RLXP_CONFIG_DIR: config, RLXP_RUNTIME_DIR: runtime, HOME: runtime });
    expect(text).toContain('cannot be written (EACCES)');
    expect(code).toBe(3);
    expect(contents(project.root)).toEqual(before);
  });
});

describe('a campaign with a budget', () => {
  it('CA18: pauses with the reason when it is used up, and goes on after an amendment with the same fresh seeds', { timeout: 120_000 }, async () => {
    const project = await approvedProject('budget', { budgetHours: 0.2, study: studyText({ noise: 'off', candidates: [fast] }) });
    await must('campaign_run', { root: project.root, study });
    const isFresh = () => recordsOf(project).some((one) => one.stage === 'verify' && one.repeat === 0);
    await until('a trial on a fresh seed', isFresh, 60_000);
    await must('campaign_stop', { root: project.root, study });
    await untilState(project, 'stopped');
    const used = new Set(recordsOf(project).flatMap((one) => (one.stage === 'verify' && one.repeat === 0 && one.status === 'completed' ? [one.seed] : [])));

    // As if the earlier run had taken nearly everything.
    const standing = join(project.run, 'campaign.json');
    writeFileSync(standing, tryRead(standing).replace(/"spent_s":[\d.]+/, '"spent_s":719.9'));
    // And as if a crash had cut its last write.
    const journal = join(project.run, 'trials.jsonl');
    const lines = tryRead(journal);
    writeFileSync(journal, `${lines}{"schema":1,"seq":`);

    await must('campaign_run', { root: project.root, study });
    const paused = await untilState(project, 'paused');
    expect(paused.text).toMatch(/^the budget of 12 min 00 s is used up: 12 min 00 s spent; raise it with `rlxp campaign amend quick --wall-hours N` to go on/);
    await until('the pause to be told', () => eventsOf(project).some(({ event }) => event.kind === 'paused' && event.reason === paused.text));
    expect(await aliveOf(project)).toEqual([]);
    await must('campaign_resume', { root: project.root, study });
    await untilState(project, 'paused');
    await must('gate_set', { root: project.root, gate: 'budget', value: { wall_hours: 1, per_trial_s: 30 } });
    await confirmGates(project, ['budget']);
    expect(await refused('study_approve', { root: project.root, study }, study)).toMatchObject({ code: 'campaign_running' });
    await must('campaign_stop', { root: project.root, study });
    await untilState(project, 'stopped');
    expect(tryRead(journal).startsWith(lines)).toBe(true);
    await approve(project);
    expect(await must('campaign_run', { root: project.root, study })).toMatchObject({ state: 'resumed' });
    const status = await untilState(project, 'completed');
    expect(status.budget_s).toBe(3600);
    expect(status.spent_s).toBeGreaterThan(719.9);
    const verdict = verdictFile.parse(JSON.parse(tryRead(join(project.run, 'verdict.json'))));
    expect(verdict.winner).toBe('lr-high');
    const seeds = verdict.pairs.map((pair) => pair.seed);
    for (const seed of used) expect(seeds).toContain(seed);
    expect(recordsOf(project).map((one) => one.seq)).toEqual(recordsOf(project).map((_, index) => index));
    expect(await must('ledger_verify', { root: project.root })).toMatchObject({ intact: true });
  });

  it('CA18: a trial that outlasts it is ended, and runs again once there is more', { timeout: 60_000 }, async () => {
    const task = taskText.replace('rewards: { alive: 1, speed: 0 }', 'rewards: { alive: 1, speed: 0 }\n  faults: { hang_after: 500 }');
    const project = await approvedProject('outlasted', { budgetHours: 0.2, task, study: studyText({ noise: 'off', verify: '{}', monitor: 'monitor: { startup_s: 20, hang_s: 15, grace_s: 0.2 }', candidates: [fast] }) });
    const before: CampaignProcess = {
      ...{ schema: 1, study, pid: 1, start_time: '1', boot_id: 'an earlier one', status: 'stopped', text: 'stopped', heartbeat_at: '2026-01-01T00:00:00.000Z', started_at: '2026-01-01T00:00:00.000Z' },
      ...{ stage: null, trials_done: 0, trials_planned: 0, eta_s: null, spent_s: 717.5, reserved_s: 0, budget_s: 720, idle_share: 0, running: [], asked: null },
    };
    writeFileSync(join(project.run, 'campaign.json'), JSON.stringify(before));
    await must('campaign_run', { root: project.root, study });
    const paused = await untilState(project, 'paused', 15_000);
    expect(paused.text).toContain('the budget of 12 min 00 s is used up');
    expect(recordsOf(project)).toMatchObject([{ candidate: 'baseline', status: 'cancelled', rule: 'budget', reason: { text: 'the campaign has used up its budget' } }]);
    await must('campaign_stop', { root: project.root, study });
    await untilState(project, 'stopped');
  });
});

/** The program where any user may read it: a copy, when the folders above the build are closed. */
async function reachable(): Promise<string> {
  const probe = await run('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', `require('fs').readFileSync(${JSON.stringify(join(engine, 'cli.js'))})`]);
  if (probe.code === 0) return join(engine, 'cli.js');
  const copy = join(ground, 'program/out/engine');
  cpSync(engine, copy, { recursive: true });
  writeFileSync(join(ground, 'program/package.json'), '{"type":"module","version":"0.0.0"}');
  await run('chmod', ['-R', 'a+rX', join(ground, 'program')]);
  return join(copy, 'cli.js');
}

function run(file: string, args: readonly string[], more: Readonly<Record<string, string | undefined>> = {}): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { env: { ...process.env, ...more } }, (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, text: out + err }));
  });
}

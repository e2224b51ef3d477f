// The check of a real campaign's files: clean when whole, exact about what is wrong, and mended by the repair.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tempName } from '../../src-main/durable/replace-file.ts';
import type { CheckFinding } from '../../src-protocol/check.ts';
import { campaignProcess } from '../../src-protocol/files/event.ts';
import { manifestFile } from '../../src-protocol/files/manifest.ts';
import { comparableRecords } from './comparable-records.ts';
import { approvedProject, ground, must, ports, recordsOf, refused, runDirect, statusOf, study, troubleAdapter, troubleTask, tryRead, type Project } from './project.ts';
import { fast, studyText } from './studies.ts';

interface Check {
  readonly state: 'clean' | 'warnings' | 'broken';
  readonly findings: readonly CheckFinding[];
}
interface Repair extends Check {
  readonly repaired: readonly { readonly file: string; readonly did: string; readonly copy: string | null }[];
  readonly rerun: readonly { readonly study: string; readonly trial: string }[];
}

let project: Project;
const check = () => must<Check>('repository_check', { root: project.root });
const repair = () => must<Repair>('repository_repair', { root: project.root });
const at = (name: string) => join(project.run, name);
const shown = (name: string) => `.rlxp/runs/quick/${name}`;
const change = (name: string, how: (text: string) => string) => writeFileSync(at(name), how(tryRead(at(name))));
const kept = () => join(ground, 'kept');

beforeAll(async () => {
  project = await approvedProject('checked', { study: studyText({ noise: 'off', verify: '{}', candidates: [fast] }) });
  expect((await runDirect(project)).code).toBe(0);
  cpSync(join(project.root, '.rlxp'), kept(), { recursive: true, preserveTimestamps: true });
}, 60_000);

// Each test spoils a copy of the same finished campaign.
beforeEach(() => {
  rmSync(join(project.root, '.rlxp'), { recursive: true });
  cpSync(kept(), join(project.root, '.rlxp'), { recursive: true, preserveTimestamps: true });
});

const strays: number[] = [];
afterEach(() => {
  for (const pid of strays.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it went
    }
  }
});

/** One finding, about `file`. */
async function onlyFinding(file: string): Promise<CheckFinding> {
  const { findings } = await check();
  expect(findings.map((one) => `${one.file}: ${one.message}`), file).toHaveLength(1);
  const [finding] = findings;
  if (finding === undefined) throw new Error('nothing was found');
  expect(finding.file).toBe(file);
  expect(finding.fix).not.toBe('');
  return finding;
}

describe('the check of a finished campaign', () => {
  it('CK1: a whole campaign is clean, every kind of file was looked at, and nothing was changed', async () => {
    const before = readdirSync(project.run, { recursive: true });
    const whole = await must<Check & { looked_at: Record<string, number> }>('repository_check', { root: project.root });
    expect(whole.findings).toEqual([]);
    expect(whole).toMatchObject({ state: 'clean', looked_at: { studies: 1, trials: recordsOf(project).length } });
    for (const count of Object.values(whole.looked_at)) expect(count).toBeGreaterThan(0);
    expect(readdirSync(project.run, { recursive: true })).toEqual(before);
    expect(await repair()).toMatchObject({ state: 'clean', repaired: [], rerun: [] });
    expect(await refused('repository_check', { root: project.root, study: 'nosuch' })).toMatchObject({ code: 'not_found' });
  });

  it.each([
    { what: 'a score', spoil: () => change('trials.jsonl', (text) => text.replace(/"score":([\d.]+)/, '"score":9999')), file: /evaluation\.json$/, says: /the record in line 1 of trials\.jsonl says a score of 9999/ },
    { what: 'an identity', spoil: () => change('trials.jsonl', (text) => text.replace(/"seed":42/, '"seed":41')), file: /trials\.jsonl$/, says: /not what the approved study plans/ },
    { what: 'a settled trial twice', spoil: () => appendFileSync(at('trials.jsonl'), `${(tryRead(at('trials.jsonl')).split('\n')[0] ?? '').replace('"seq":0', `"seq":${recordsOf(project).length}`)}\n`), file: /trials\.jsonl$/, says: /settled already in line 1/ },
    { what: 'a trial folder', spoil: () => rmSync(at(`trials/${recordsOf(project)[0]?.folder ?? ''}`), { recursive: true }), file: /trial\.json$/, says: /its trial\.json is gone/ },
    { what: 'an evaluation', spoil: () => change(`trials/${recordsOf(project)[0]?.folder ?? ''}/evaluation.json`, (text) => text.replace(/"return": ?\d+/, '"return": 3')), file: /evaluation\.json$/, says: /Its episodes give/ },
    { what: 'a checkpoint', spoil: () => appendFileSync(checkpointOf(recordsOf(project)[0]?.folder ?? ''), 'x'), file: /checkpoints\//, says: /not the checkpoint/ },
  ])('CK2: $what that does not fit its record is broken, with the line', async ({ spoil, file, says }) => {
    spoil();
    const { state, findings } = await check();
    expect(state).toBe('broken');
    expect(findings.filter((one) => file.test(one.file) && says.test(one.message)), JSON.stringify(findings)).not.toHaveLength(0);
    expect(findings.every((one) => one.study === study)).toBe(true);
  });

  it('CK3: approval, frozen study, approved values and copied code are held against their digests', async () => {
    for (const [name, how] of [
      ['approval.json', (text: string) => text.replace('"agents_may_start": false', '"agents_may_start": true')],
      ['approved.json', (text: string) => text.replace('0.004', '0.005')],
      ['study.yaml', (text: string) => text.replace('4096', '4097')],
      ['snapshot/env.mjs', (text: string) => `${text}\n`],
    ] as const) {
      rmSync(at(name));
      writeFileSync(at(name), how(readFileSync(join(kept(), 'runs/quick', name), 'utf8')), { mode: 0o444 });
      expect((await check()).findings.filter((one) => one.severity === 'broken'), name).not.toHaveLength(0);
      rmSync(at(name));
      cpSync(join(kept(), 'runs/quick', name), at(name));
    }
    expect((await check()).state).toBe('clean');
  });

  it('CK3: packages that were upgraded after a campaign ended are a warning: its results stand', { timeout: 60_000 }, async () => {
    const text = studyText({ noise: 'off', verify: '{}', candidates: ['{ name: own, agent_cfg: { gain: 2 } }'] });
    const upgraded = await approvedProject('upgraded', { adapter: troubleAdapter, task: troubleTask, study: text });
    expect((await runDirect(upgraded)).code).toBe(0);
    expect(await must('repository_check', { root: upgraded.root })).toMatchObject({ state: 'clean' });
    writeFileSync(join(upgraded.root, 'uv.lock'), 'torch 3\n');
    const found = await must<{ state: string; findings: readonly CheckFinding[] }>('repository_check', { root: upgraded.root });
    expect(found).toMatchObject({ state: 'warnings', findings: [{ severity: 'warning', file: '.rlxp/runs/quick/approval.json', message: expect.stringContaining('its results stand. package list: ') as string }] });
    expect(await refused('campaign_run', { root: upgraded.root, study, fresh: true })).toMatchObject({ code: 'approval_lapsed' });
  });

  it('CK4: verdict, winner and report derive from the records byte for byte, times aside, and are written anew', async () => {
    change('winner.json', (text) => text.replace(/"total_campaign_hours": [\d.e-]+/, '"total_campaign_hours": 1.5'));
    expect((await check()).findings).toEqual([]);
    change('verdict.json', (text) => text.replace('"schema": 1', '"schema":  1'));
    change('winner.json', (text) => text.replace('"reproduced": true', '"reproduced": false'));
    unlinkSync(at('report.md'));
    const files = (await check()).findings.filter((one) => one.severity === 'broken').map((one) => one.file);
    expect(files).toEqual(['verdict.json', 'winner.json', 'report.md'].map(shown));
    const mended = await repair();
    expect(mended.state).toBe('clean');
    expect(tryRead(at('verdict.json'))).toBe(readFileSync(join(kept(), 'runs/quick/verdict.json'), 'utf8'));
    expect(mended.repaired.find((one) => one.file === shown('verdict.json'))?.copy).toMatch(/verdict\.json\.damaged-\d{8}T\d{9}Z$/);
  });

  it('CK5: a campaign or manifest that says running without its process is a warning, and is marked as it is', async () => {
    change('campaign.json', (text) => text.replace('"status":"completed"', '"status":"running"'));
    change('manifest.json', (text) => text.replace('"status": "completed"', '"status": "running"'));
    expect((await check()).findings.map((one) => [one.severity, one.file])).toEqual([['warning', shown('campaign.json')], ['warning', shown('manifest.json')]]);
    expect(await repair()).toMatchObject({ state: 'clean' });
    expect(campaignProcess.parse(JSON.parse(tryRead(at('campaign.json'))))).toMatchObject({ status: 'completed' });
    expect(manifestFile.parse(JSON.parse(tryRead(at('manifest.json'))))).toMatchObject({ status: 'interrupted' });
  });

  it('CK6: a lost or halved campaign.json gives no budget back', async () => {
    const { spent_s: spent } = await statusOf(project);
    writeFileSync(at('campaign.json'), tryRead(at('campaign.json')).slice(0, 50));
    expect(await onlyFinding(shown('campaign.json'))).toMatchObject({ severity: 'broken', repairable: true });
    expect(await repair()).toMatchObject({ state: 'clean' });
    const mended = campaignProcess.parse(JSON.parse(tryRead(at('campaign.json'))));
    expect(mended).toMatchObject({ status: 'completed' });
    expect(mended.spent_s).toBeGreaterThan(spent - 0.1);
    change('campaign.json', (text) => text.replace(/"spent_s":[\d.]+/, '"spent_s":0.1'));
    expect((await onlyFinding(shown('campaign.json'))).message).toMatch(/says that 0\.1 s were spent, and ledger and records prove at least/);
    change('campaign.json', (text) => text.replace(/"spent_s":[\d.]+/, '"spent_s":9999'));
    expect((await onlyFinding(shown('campaign.json'))).message).toMatch(/9999 s were spent of a budget of 3600 s/);
  });

  it('CK7: requests, orphans and what a crash left half done are told, and go', async () => {
    mkdirSync(at('control'), { recursive: true });
    writeFileSync(at('control/20260101000000000-abc-stop.json'), '{"action":"stop","trial":null,"by":"x","at":"2026-01-01T00:00:00.000Z"}\n');
    const temp = at(tempName('verdict.json').replace(`.${process.pid}.`, '.4194303.'));
    writeFileSync(temp, 'half');
    utimesSync(temp, new Date(0), new Date(0));
    const child = spawn('sleep', ['60'], { env: { RLXP_TRIAL: `rlxp:${project.key}:screen-x-s1` }, stdio: 'ignore' });
    strays.push(child.pid ?? 0);
    const { findings } = await check();
    expect(findings.map((one) => one.severity).sort()).toEqual(['broken', 'warning', 'warning']);
    expect(findings.find((one) => one.severity === 'broken')?.message).toContain(`The process ${child.pid}`);
    expect(await repair()).toMatchObject({ state: 'clean' });
    expect(existsSync(temp)).toBe(false);
    expect(readdirSync(at('control'))).toEqual([]);
    expect(await ports.processes.findTagged(`rlxp:${project.key}:`)).toEqual([]);
  });

  it('CK8: events are derived, so what is wrong with them is a warning', async () => {
    change('events.jsonl', (text) => text.split('\n').toSpliced(3, 1, 'not an event').join('\n'));
    expect(await onlyFinding(shown('events.jsonl'))).toMatchObject({ severity: 'warning', line: 4 });
    expect(await repair()).toMatchObject({ state: 'clean' });
    rmSync(at('events.jsonl'));
    expect((await check()).state).toBe('clean');
  });

  it('CK9: a torn record is set aside; a damaged one ends what can be trusted, those behind it run again, and the result is the same', { timeout: 60_000 }, async () => {
    const whole = recordsOf(project);
    appendFileSync(at('trials.jsonl'), '{"schema":1,"se');
    expect(await onlyFinding(shown('trials.jsonl'))).toMatchObject({ severity: 'warning', repairable: true });
    expect(await repair()).toMatchObject({ state: 'clean', rerun: [] });
    expect(recordsOf(project)).toEqual(whole);

    const damaged = tryRead(at('trials.jsonl')).split('\n').toSpliced(2, 1, '{"schema":1}').join('\n');
    writeFileSync(at('trials.jsonl'), damaged);
    expect(await onlyFinding(shown('trials.jsonl'))).toMatchObject({ severity: 'broken', line: 3, repairable: true });
    expect(await refused('campaign_run', { root: project.root, study, fresh: false })).toMatchObject({ code: 'damaged' });
    const mended = await repair();
    expect(mended.findings).toEqual([]);
    expect(mended.rerun.map((one) => one.trial).sort()).toEqual(whole.slice(2).map((one) => one.folder).sort());
    const record = mended.repaired.find((one) => one.file === shown('trials.jsonl'));
    expect(tryRead(join(project.root, record?.copy ?? ''))).toBe(damaged);
    expect(recordsOf(project)).toEqual(whole.slice(0, 2));
    expect(existsSync(at('verdict.json'))).toBe(false);
    expect(await statusOf(project)).toMatchObject({ state: 'stopped', verdict: null });
    const { lines } = await must<{ lines: readonly { kind: string; study: string | null; facts: Record<string, unknown> }[] }>('ledger_show', { root: project.root, last: 50 });
    expect(lines.at(-1)).toMatchObject({ kind: 'repaired', study, facts: { rerun: mended.rerun.map((one) => one.trial) } });
    // A repair of records is no repair of the ledger: the gates stay confirmed, and the study runs on.
    expect((await runDirect(project)).code).toBe(0);
    expect(comparableRecords(recordsOf(project))).toEqual(comparableRecords(whole));
    expect((await check()).findings).toEqual([]);
  });

  it('CK10: a damaged ledger is kept whole in a copy, cut to what can be trusted, and gates must be confirmed again', async () => {
    const ledger = join(project.root, '.rlxp/ledger.jsonl');
    const text = tryRead(ledger);
    const lines = text.trimEnd().split('\n');
    writeFileSync(ledger, `${lines.toSpliced(lines.length - 2, 1, 'x').join('\n')}\n`);
    const { findings } = await check();
    expect(findings[0]).toMatchObject({ severity: 'broken', file: '.rlxp/ledger.jsonl', line: lines.length - 1, study: null });
    expect(findings[0]?.message).toContain(`A repair keeps ${lines.length - 2} lines and loses the 2 lines from line ${lines.length - 1} on: they stay in the copy, and count no more. After it all gates must be confirmed anew.`);
    expect(findings[0]?.fix).toContain('from a backup of both');
    writeFileSync(ledger, `${lines.toSpliced(2, 1, 'x').join('\n')}\n`);
    expect((await check()).findings[0]?.message).toContain(`A repair keeps 2 lines and loses the ${lines.length - 2} lines from line 3 on, 5 confirmations, 1 approval among them`);
    writeFileSync(ledger, `${lines.toSpliced(lines.length - 2, 1, 'x').join('\n')}\n`);
    const mended = await repair();
    expect(mended.state).toBe('clean');
    expect(mended.repaired[0]?.did).toContain('Gates must be confirmed again');
    expect(tryRead(join(project.root, mended.repaired[0]?.copy ?? '')).split('\n')).toContain('x');
    expect(await must('ledger_verify', { root: project.root })).toMatchObject({ intact: true });
  });

  it('CK11: what a newer program wrote is told with its version, and not touched', async () => {
    for (const name of ['trials.jsonl', 'manifest.json']) {
      change(name, (text) => text.replace(/"schema": ?1/, '"schema": 2'));
      const before = tryRead(at(name));
      const { findings } = await check();
      expect(findings.find((one) => one.file === shown(name)), name).toMatchObject({ severity: 'broken', repairable: false });
      expect((await repair()).state).toBe('broken');
      expect(tryRead(at(name))).toBe(before);
      cpSync(join(kept(), 'runs/quick', name), at(name));
    }
    expect((await check()).state).toBe('clean');
  });

  it('CK12: RE4: a repair and a rebuild wait for nobody: they are refused while something works on the repository', async () => {
    const lock = await ports.locks.take(project.root, 'campaign quick');
    if (!lock.held) throw new Error('the lock is held');
    expect(await refused('repository_repair', { root: project.root })).toMatchObject({ code: 'campaign_running' });
    expect(await refused('report_rebuild', { root: project.root, study })).toMatchObject({ code: 'campaign_running' });
    await lock.release();
  });

  it('CK13: a clone without the folders of trials warns, and calls no result wrong', async () => {
    renameSync(at('trials'), at('elsewhere'));
    const { state, findings } = await check();
    expect(state).toBe('warnings');
    expect(findings.map((one) => one.file)).toEqual([shown('trials')]);
  });
});

function checkpointOf(folder: string): string {
  const at = join(project.run, 'trials', folder);
  const { checkpoint } = JSON.parse(tryRead(join(at, 'trial.json'))) as { checkpoint: string };
  return join(at, checkpoint);
}

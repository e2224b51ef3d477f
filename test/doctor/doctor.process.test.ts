// Doctors with real processes: a copy of the bundled example by the real command at a pseudo-terminal, and projects with one thing wrong.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { doctorAllows, doctorGates, doctorReport, type DoctorReport } from '../../src-protocol/files/doctor.ts';
import { manifestFile } from '../../src-protocol/files/manifest.ts';
import { until } from '../adapters/support/wait.ts';
import { aliveOf, confirmGates, engine, ground, makeProject, must, ports, refused, study, type Project } from '../campaign/project.ts';
import { fast, studyText } from '../campaign/studies.ts';

interface Pty {
  spawn(file: string, args: readonly string[], options: object): { onData(listener: (text: string) => void): void; onExit(listener: (exit: { readonly exitCode: number }) => void): void; write(keys: string): void };
}
const { spawn } = createRequire(import.meta.url)('node-pty') as Pty;
const home = fileURLToPath(new URL('../..', import.meta.url));
const environment = { ...(process.env as Record<string, string>), NO_COLOR: '1' };
const doctorOf = ({ root }: Pick<Project, 'root'>) => join(root, '.rlxp/doctor/quick');
const runsOf = (project: Pick<Project, 'root'>) => readdirSync(doctorOf(project)).filter((name) => /^\d{8}t\d{6}z$/.test(name));
const findingsOf = (report: DoctorReport) => Object.fromEntries(report.findings.map((one) => [one.name, `${one.state}: ${one.text}`]));

function rlxp(args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(engine, 'cli.js'), ...args], { cwd: ground, env: environment }, (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }));
  });
}

/** Types `keys` once the question stands. */
function atTerminal(args: readonly string[], keys: string): Promise<{ readonly code: number; readonly screen: string }> {
  return new Promise((resolve) => {
    const terminal = spawn(process.execPath, [join(engine, 'cli.js'), ...args], { cwd: ground, env: { ...environment, TERM: 'xterm' }, cols: 120, rows: 40 });
    let screen = '';
    let isTyped = false;
    terminal.onData((text) => {
      screen += text;
      if (isTyped || !screen.includes('press Enter to leave it: ')) return;
      isTyped = true;
      terminal.write(keys);
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen }));
  });
}

describe('the doctor of a copy of the bundled example', () => {
  it('CK14: DR4 DR7 DR9 DR19 DR20: a person approves it at a terminal, it runs once, and then evaluates a checkpoint', { timeout: 90_000 }, async () => {
    const root = join(ground, 'copied');
    cpSync(join(home, 'examples/cartpole'), root, { recursive: true, filter: (from) => !/\.rlxp\/(runs|doctor|ledger|report)/.test(from) });
    const place = ['quick', '--root', root];
    const without = await rlxp(['doctor', 'run', ...place, '--json']);
    expect([without.code, JSON.parse(without.out)]).toMatchObject([3, { refusal: { code: 'not_approved', next: expect.stringContaining('rlxp doctor approve quick') as string } }]);
    const open = await atTerminal(['doctor', 'approve', ...place], 'quick\r');
    expect([open.code, open.screen]).toMatchObject([3, expect.stringContaining('rlxp contract confirm task') as string]);
    for (const gate of doctorGates) await must('gate_confirm', { root, gate }, gate);
    expect((await rlxp(['doctor', 'approve', ...place])).code).toBe(3);
    const wrong = await atTerminal(['doctor', 'approve', ...place, '--timesteps', '4096'], 'quikc\r');
    expect(wrong.code).toBe(3);
    expect(existsSync(join(root, '.rlxp/doctor/quick/approval.json'))).toBe(false);
    const approved = await atTerminal(['doctor', 'approve', ...place, '--timesteps', '4096'], 'quick\r');
    expect(approved.screen.replaceAll(/\s+/g, ' ')).toContain(doctorAllows);
    expect(approved.screen).toContain('4096 steps, 8 environments, seed 42, on cpu');
    expect(approved.code).toBe(0);

    const startedMs = performance.now();
    const ran = await rlxp(['doctor', 'run', ...place, '--json']);
    console.log(`doctor of the bundled example at 4096 steps: ${Math.round(performance.now() - startedMs)} ms`);
    expect(ran.err).toBe('');
    const report = doctorReport.parse((JSON.parse(ran.out) as { output: unknown }).output);
    expect(findingsOf(report)).toMatchObject({
      interpreter: expect.stringMatching(/^ok: .*Node/) as string,
      environment: expect.stringMatching(/^ok/) as string,
      logs: expect.stringMatching(/^ok: 4 mapped tags/) as string,
      steps: expect.stringMatching(/^ok: .* 4096 of 4096/) as string,
      checkpoint: expect.stringMatching(/^ok/) as string,
      evaluation: expect.stringMatching(/^ok: .*over 20 episodes/) as string,
      speed: expect.stringMatching(/^ok/) as string,
      resume: expect.stringMatching(/^ok: The adapter declares no way/) as string,
    });
    expect(report).toMatchObject({ kind: 'trial', approval: { kind: 'person' }, evaluation: { valid: true, episodes: 20 }, checkpoint: { path: 'trial/checkpoints/step_4096.safetensors' } });
    expect(report.measured.stages.map((one) => one.stage)).toEqual(['noise', 'screen', 'refine', 'verify']);
    expect(report.measured.peak_memory_bytes).toBeGreaterThan(10e6);
    expect(report.measured.peak_vram_bytes).toBe('unknown');
    const folder = join(root, '.rlxp/doctor/quick', report.run);
    expect(doctorReport.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')))).toEqual(report);
    expect(manifestFile.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))).toMatchObject({ kind: 'doctor', status: 'completed' });
    expect(readdirSync(folder).sort()).toEqual(['manifest.json', 'report.json', 'snapshot', 'trial']);
    expect(existsSync(join(root, '.rlxp/runs'))).toBe(false);

    const again = await rlxp(['doctor', 'run', ...place, '--json']);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([3, { refusal: { code: 'not_approved', message: expect.stringContaining('has been run') as string } }]);
    const shown = await rlxp(['doctor', 'show', ...place]);
    expect(shown.out).toMatch(/approval: used\..*\n\nDOCTOR of quick: one trial of the baseline/);

    expect((await atTerminal(['doctor', 'approve', ...place], 'quick\r')).code).toBe(0);
    const outside = await rlxp(['doctor', 'run', ...place, '--eval-only', '--checkpoint', join(engine, 'cli.js'), '--json']);
    expect([outside.code, JSON.parse(outside.out)]).toMatchObject([3, { refusal: { code: 'no_checkpoint', message: expect.stringContaining('outside the repository') as string } }]);
    expect((await rlxp(['doctor', 'run', ...place, '--eval-only'])).code).toBe(2);
    const file = `.rlxp/doctor/quick/${report.run}/trial/checkpoints/step_4096.safetensors`;
    const judged = await rlxp(['doctor', 'run', ...place, '--eval-only', '--checkpoint', file, '--json']);
    const evaluated = doctorReport.parse((JSON.parse(judged.out) as { output: unknown }).output);
    expect(evaluated).toMatchObject({ kind: 'evaluation', state: 'ok', checkpoint: { path: file, step: 4096, sha256: report.checkpoint?.sha256 } });
    expect(evaluated.evaluation).toEqual(report.evaluation);
    expect(evaluated.findings.map((one) => one.name)).toEqual(['interpreter', 'checkpoint', 'evaluation']);
    const { lines } = await must<{ lines: readonly { kind: string }[] }>('ledger_show', { root, last: 100 });
    expect(lines.map((line) => line.kind)).toEqual([...doctorGates.map(() => 'gate_confirmed'), 'doctor_approved', 'doctor_started', 'doctor_ended', 'doctor_approved', 'doctor_started', 'doctor_ended']);
    expect(await must('repository_check', { root })).toMatchObject({ state: 'clean' });

    // As a doctor leaves it that was killed, and one whose report was spoilt.
    const manifest = join(folder, 'manifest.json');
    const killed = manifestFile.parse(JSON.parse(readFileSync(manifest, 'utf8')));
    writeFileSync(manifest, JSON.stringify({ ...killed, status: 'running', process: { ...killed.process, pid: 1, start_time: 'another' } }));
    const spoilt = join(root, '.rlxp/doctor/quick', evaluated.run, 'report.json');
    writeFileSync(spoilt, readFileSync(spoilt, 'utf8').replace('"kind": "evaluation"', '"kind": "guess"'));
    const { findings } = await must<{ findings: readonly { severity: string; file: string; message: string }[] }>('repository_check', { root, study });
    expect(findings.map((one) => `${one.severity} ${one.file.split('/').slice(-1)[0] ?? ''}`).sort()).toEqual(['broken report.json', 'warning manifest.json']);
    await must('repository_repair', { root });
    expect(manifestFile.parse(JSON.parse(readFileSync(manifest, 'utf8'))).status).toBe('interrupted');
  });
});

const quick = studyText({ screenSteps: 2048, candidates: [fast] });
const command = (train: string, more = '') => `framework: command\npython: ["${process.execPath}"]\ntrain: [${train}, "{trial_json}"]\nevaluate: [./evaluator.mjs, "{trial_json}"]\n${more}metrics:\n  train/reward: { meaning: reward }\n  train/loss: { meaning: loss }\n`;

/** A project whose four gates are confirmed, with another adapter where one is given. */
async function withGates(name: string, adapter?: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await makeProject(`doctor-${name}`, { study: quick });
  const all = { ...(adapter === undefined ? {} : { '.rlxp/adapter.yaml': adapter, 'evaluator.mjs': '' }), ...files };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project.root, file)), { recursive: true });
    writeFileSync(join(project.root, file), text);
  }
  await confirmGates(project, doctorGates);
  return project;
}

async function reportOf(project: Project): Promise<DoctorReport> {
  await must('doctor_approve', { root: project.root, study }, study);
  return must<DoctorReport>('doctor_run', { root: project.root, study });
}

describe('a doctor that may not start', () => {
  it('DR3 DR4 DR6: nothing starts without an approval, or after an edit, by any door, and nothing is used up', { timeout: 40_000 }, async () => {
    const project = await withGates('unapproved');
    const direct = () => new Promise<{ code: number; text: string }>((resolve) => {
      execFile(process.execPath, [join(engine, 'doctor.js'), project.root, study, 'by-hand'], (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: out + err }));
    });
    expect(await refused('doctor_run', { root: project.root, study })).toMatchObject({ code: 'not_approved' });
    expect(await direct()).toMatchObject({ code: 3, text: expect.stringContaining('No doctor of quick is approved') as string });
    await must('doctor_approve', { root: project.root, study }, study);
    const env = join(project.root, 'env.mjs');
    const before = readFileSync(env, 'utf8');
    writeFileSync(env, `${before}// another\n`);
    expect(await refused('doctor_run', { root: project.root, study })).toMatchObject({ code: 'approval_lapsed', differences: [{ what: 'file env.mjs' }] });
    expect(await direct()).toMatchObject({ code: 3, text: expect.stringContaining('Something changed') as string });
    expect(existsSync(doctorOf(project)) ? runsOf(project) : []).toEqual([]);
    writeFileSync(env, before);
    const stray = await ports.processes.start({ argv: [process.execPath, '-e', 'setInterval(() => {}, 1000)'], cwd: project.root, env: {}, tag: `rlxp:${project.key}:left-behind`, consolePath: join(ground, 'stray.log') });
    const { report } = await must<{ report: unknown }>('doctor_show', { root: project.root, study });
    expect(report).toBeNull();
    expect((await must<DoctorReport>('doctor_run', { root: project.root, study })).findings.find((one) => one.name === 'evaluation')?.state).toBe('ok');
    // DR6: what an earlier run left behind was ended first.
    expect(await ports.processes.isAlive(stray.identity)).toBe(false);
  });
});

describe('a doctor that finds what is wrong', () => {
  it('DR10: an interpreter that is not there, one that does not answer with a version, and no training', { timeout: 40_000 }, async () => {
    const absent = await withGates('missing', command('./trainer.mjs').replace(process.execPath, '.venv/bin/python'));
    const place = { root: absent.root, study };
    expect(await refused('doctor_approve', place, study)).toMatchObject({ code: 'invalid_file', problems: [{ file: '.rlxp/adapter.yaml', line: 2, message: 'the program `.venv/bin/python` is not there' }, { line: 3, message: '`train` runs ./trainer.mjs, and the repository has no such file' }] });
    for (const file of ['.venv/bin/python', 'trainer.mjs']) {
      mkdirSync(dirname(join(absent.root, file)), { recursive: true });
      writeFileSync(join(absent.root, file), '', { mode: 0o755 });
    }
    await must('doctor_approve', place, study);
    rmSync(join(absent.root, '.venv'), { recursive: true });
    const missing = await must<DoctorReport>('doctor_run', place);
    expect(findingsOf(missing)).toEqual({ interpreter: expect.stringMatching(/^failed: The program .*\.venv\/bin\/python is not there/) as string });
    const project = await withGates('wrong', command('./trainer.mjs').replace(`["${process.execPath}"]`, `["${process.execPath}", ./interpreter.mjs]`), { 'interpreter.mjs': 'process.exit(7);\n', 'trainer.mjs': '' });
    const wrong = await reportOf(project);
    expect(findingsOf(wrong)).toEqual({ interpreter: expect.stringMatching(/^failed: .*--version` ended with code 7/) as string });
    expect(existsSync(join(doctorOf(project), wrong.run, 'trial'))).toBe(false);
  });

  it('DR11: a trainer that never gets under way, with its last words', { timeout: 40_000 }, async () => {
    const project = await withGates('start', command('./trainer.mjs'), { 'trainer.mjs': "import 'gymnasium-of-nowhere';\n" });
    const report = await reportOf(project);
    expect(report.state).toBe('failed');
    const environment = report.findings.find((one) => one.name === 'environment');
    expect(environment).toMatchObject({ state: 'failed', fix: expect.stringContaining('Install it') as string });
    expect(JSON.stringify(environment)).toContain('gymnasium-of-nowhere');
    expect(report.findings[0]).toMatchObject({ name: 'interpreter', state: 'ok', text: expect.stringContaining(process.version) as string });
  });

  it('DR12 DR13: a trainer that writes no event file', { timeout: 40_000 }, async () => {
    const trainer = "import { writeFileSync, readFileSync } from 'node:fs';\nimport { dirname, join } from 'node:path';\nconst trial = JSON.parse(readFileSync(process.argv[2], 'utf8'));\nwriteFileSync(join(dirname(process.argv[2]), trial.checkpoints, 'model.zip'), 'weights');\nconsole.log('trained');\n";
    const report = await reportOf(await withGates('quiet', command('./trainer.mjs'), { 'trainer.mjs': trainer }));
    expect(findingsOf(report)).toMatchObject({ environment: expect.stringMatching(/^ok/) as string, logs: expect.stringMatching(/^failed: The trainer wrote no event/) as string, steps: expect.stringMatching(/^failed/) as string });
    expect(Object.keys(findingsOf(report))).not.toContain('evaluation');
  });
});

describe('a doctor of a trainer that can resume', () => {
  const fixture = (name: string) => join(home, 'test/doctor/fixtures', name);
  const resuming = `framework: command\npython: ["${process.execPath}"]\ntrain: [${fixture('resuming-trainer.mjs')}, "{trial_json}"]\nresume: [${fixture('resuming-trainer.mjs')}, "{trial_json}", "{checkpoint}"]\nevaluate: [${fixture('learned-evaluator.mjs')}, "{trial_json}"]\nmetrics:\n  train/reward: { meaning: reward }\n  train/loss: { meaning: loss }\n`;
  const task = (env: string) => ({ '.rlxp/tasks/balance.yaml': `entry: ./env.mjs#makeEnv\n${env}score_scale: 100\n` });

  it('DR18 DR19: trains it once more in two halves and compares the scores, and evaluates with the statistics beside', { timeout: 60_000 }, async () => {
    const good = await reportOf(await withGates('resumes', resuming, task('')));
    expect(good.findings.map((one) => `${one.name} ${one.state}`)).toEqual(['interpreter ok', 'environment ok', 'logs ok', 'steps ok', 'checkpoint ok', 'evaluation ok', 'speed ok', 'memory ok', 'resume ok']);
    expect(good.findings.at(-1)).toMatchObject({ evidence: ['first half 1024 steps; the second logged from 1088 to 2048 of 2048', 'score 2048 in one go, 2048 in two halves'] });
    const beside = join(good.run, 'trial/checkpoints');
    writeFileSync(join(ground, 'doctor-resumes/.rlxp/doctor/quick', beside, 'statistics_1.json'), '{}');
    writeFileSync(join(ground, 'doctor-resumes/.rlxp/adapter.yaml'), `${resuming}normalizer: 'checkpoints/statistics*.json'\n`);
    const place = { root: join(ground, 'doctor-resumes'), study };
    await must('doctor_approve', place, study);
    const judged = await must<DoctorReport>('doctor_run', { ...place, eval_only: true, checkpoint: join('.rlxp/doctor/quick', beside, 'model.json') });
    // The statistics are beside the copy; this evaluator does not use them, and an adapter that says it must is believed.
    expect(readdirSync(join(place.root, '.rlxp/doctor/quick', judged.run, 'trial/checkpoints'))).toEqual(['model.json', 'statistics_1.json']);
    expect(findingsOf(judged)).toMatchObject({ checkpoint: expect.stringMatching(/^ok/) as string, evaluation: expect.stringMatching(/^failed: .*without its observation normaliser/) as string });
    const forgetful = await reportOf(await withGates('forgets', resuming, task('env: { forgets: true }\n')));
    expect(forgetful.findings.at(-1)).toMatchObject({ name: 'resume', state: 'warning', text: expect.stringContaining('otherwise than in one go') as string });
  });
});

describe('a doctor that runs', () => {
  it('DR6 DR8: keeps the repository for itself, and is gone with its trial when nobody waits any more', { timeout: 60_000 }, async () => {
    const project = await withGates('cancelled', undefined, { '.rlxp/tasks/balance.yaml': 'entry: ./env.mjs#makeEnv\nenv: { faults: { hang_after: 500 } }\nagent: { agent: { rollouts: 64 }, models: { hidden: [16] } }\n', '.rlxp/studies/quick.yaml': quick.replaceAll('hang_s: 2', 'hang_s: 50') });
    await must('doctor_approve', { root: project.root, study }, study);
    const terminal = spawn(process.execPath, [join(engine, 'cli.js'), 'doctor', 'run', 'quick', '--root', project.root], { cwd: ground, env: { ...environment, TERM: 'xterm' }, cols: 120, rows: 40 });
    let screen = '';
    terminal.onData((text) => (screen += text));
    const exit = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    await until('a trial of the doctor', async () => (await aliveOf(project)).length > 0, 20_000);
    expect(screen).toContain('Ctrl-C ends it');
    expect(await ports.locks.holder(project.root)).toMatchObject({ purpose: 'doctor quick' });
    expect(await refused('doctor_run', { root: project.root, study })).toMatchObject({ code: 'not_approved' });
    expect(await refused('repository_repair', { root: project.root })).toMatchObject({ code: 'campaign_running', message: expect.stringContaining('doctor quick') as string });
    terminal.write('\u0003');
    expect(await exit).toBe(130);
    expect(await aliveOf(project)).toEqual([]);
    expect(await ports.locks.holder(project.root)).toBeNull();
    const [run = ''] = runsOf(project);
    expect(manifestFile.parse(JSON.parse(readFileSync(join(doctorOf(project), run, 'manifest.json'), 'utf8'))).status).toBe('interrupted');
    const { lines } = await must<{ lines: readonly { kind: string; facts: object }[] }>('ledger_show', { root: project.root, last: 1 });
    expect(lines).toMatchObject([{ kind: 'doctor_ended', facts: { state: 'cancelled' } }]);
  });
});

// The built entries as processes: exit codes, Ctrl-C, user files, start-up time.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTrialRoot } from './trial-folder.ts';

const engine = fileURLToPath(new URL('../../out/engine/', import.meta.url));
const trials = makeTrialRoot();
beforeAll(() => {
  for (const name of ['train.js', 'evaluate.js']) {
    if (!existsSync(join(engine, name))) throw new Error(`out/engine/${name} is not built; run the build first`);
  }
});
afterAll(() => trials.dispose());

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly firstLineMs: number;
}

/** Runs an entry; `onLine` sees each line of its output and may send signals. */
function run(entry: string, args: readonly string[], onLine: (line: string, kill: (signal: NodeJS.Signals) => void) => void = () => undefined) {
  return new Promise<Ended>((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, [join(engine, entry), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, rest, firstLineMs] = ['', '', '', NaN];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout === '') firstLineMs = performance.now() - started;
      stdout += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line, (signal) => child.kill(signal));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, firstLineMs }));
  });
}

describe('the built entries', () => {
  it('RU39: train ends with 0 and evaluate then writes evaluation.json', async () => {
    const path = trials.trial('whole');
    const trained = await run('train.js', [path]);
    expect([trained.code, trained.stderr]).toEqual([0, '']);
    expect(trained.stdout).toMatch(/finished at step 1000\n$/);
    const evaluated = await run('evaluate.js', [path]);
    expect([evaluated.code, evaluated.stderr]).toEqual([0, '']);
    expect(existsSync(join(dirname(path), 'evaluation.json'))).toBe(true);
    // The bound is loose for a busy machine; the figure is in docs/specs/runner.md.
    expect(trained.firstLineMs).toBeLessThan(2000);
  });

  it('RU39: a wrong call ends with 2, a wrong trial with 1 and one line', async () => {
    expect(await run('train.js', [])).toMatchObject({ code: 2, stderr: 'usage: train <path to trial.json>\n' });
    const missing = await run('evaluate.js', [trials.trial('untrained')]);
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toMatch(/^evaluate: no checkpoint \(step_<n>\.safetensors\) in .*\n$/);
  });

  it.each(['tfjs-cpu', 'tfjs-wasm'])('BK8: the backend %s travels with the built program, and keeps quiet', async (backend) => {
    const path = trials.trial(backend, { backend });
    const trained = await run('train.js', [path]);
    expect([trained.code, trained.stderr]).toEqual([0, '']);
    expect(trained.stdout).toMatch(new RegExp(`^training baseline on CartPole-v1: 4 environments, seed 3, backend ${backend}\n`));
    const evaluated = await run('evaluate.js', [path]);
    expect([evaluated.code, evaluated.stderr]).toEqual([0, '']);
  });

  it('BK7: a trial that names a package nobody installed fails with one plain sentence', async () => {
    const ended = await run('train.js', [trials.trial('absent', { backend: 'tfjs-gpu' })]);
    expect([ended.code, ended.stderr]).toEqual([1, 'train: @tensorflow/tfjs-node-gpu is not installed; it is optional\n']);
  });

  it('RU40: one Ctrl-C ends training with 130 after an update, leaving a checkpoint and no temporary file', async () => {
    const path = trials.trial('interrupt', { timesteps: 10_000_000 });
    const ended = await run('train.js', [path], (line, kill) => {
      if (/^step \d+\//.test(line)) kill('SIGINT');
    });
    expect([ended.code, ended.signal, ended.stderr]).toEqual([130, null, '']);
    const step = /interrupted at step (\d+)\n$/.exec(ended.stdout)?.[1];
    const names = readdirSync(join(dirname(path), 'checkpoints'));
    expect(names).toContain(`step_${step}.safetensors`);
    expect(names.filter((name) => !name.endsWith('.safetensors'))).toEqual([]);
  });

  it('RU40: SIGTERM ends even a blocked environment at once', async () => {
    writeFileSync(join(trials.root, 'blocked.mjs'), 'export function makeEnv() { process.stdout.write("blocked\\n"); for (;;); }');
    const path = trials.trial('blocked', { entry: './blocked.mjs#makeEnv' });
    const ended = await run('train.js', [path], (line, kill) => {
      if (line === 'blocked') kill('SIGTERM');
    });
    expect([ended.code, ended.signal]).toEqual([null, 'SIGTERM']);
  });

  it('RU41: the bundle loads a user environment, and one that leaves a timer behind does not keep the process', async () => {
    writeFileSync(
      join(trials.root, 'timer.mjs'),
      'export function makeEnv({ generators }, rlxp) { setInterval(() => 0, 1000); return rlxp.makeCartPole(generators); }',
    );
    const ended = await run('train.js', [trials.trial('timer', { entry: './timer.mjs#makeEnv' })]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });

  it('RU41: an error thrown while an environment steps shows where', async () => {
    for (const [i, fault] of ['null.track', 'throw new Error("derailed")'].entries()) {
      writeFileSync(
        join(trials.root, `faulty-${i}.mjs`),
        `export function makeEnv({ generators }, rlxp) { const env = rlxp.makeCartPole(generators); return { ...env, step() { ${fault}; } }; }`,
      );
      const ended = await run('train.js', [trials.trial(`faulty-${i}`, { entry: `./faulty-${i}.mjs#makeEnv` })]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^train: (TypeError|Error): [^]*faulty-\d\.mjs:1/);
    }
  });
});

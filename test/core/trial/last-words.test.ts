// What a trainer says as it dies, and what takes its memory: real processes, ended in every way there is.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTrial } from '../../../src-main/core/trial/run-trial.ts';
import { lastLine } from '../../../src-main/core/trial/training-verdict.ts';
import type { TrialOutcome } from '../../../src-main/core/trial/trial-outcome.ts';
import { makeRealPorts, trialOptions } from './trial-cases.ts';

const ports = makeRealPorts();
const hasPython = spawnSync('python3', ['-c', '']).status === 0;

async function train(...argv: readonly [string, ...string[]]): Promise<{ readonly outcome: TrialOutcome; readonly console: string }> {
  const options = trialOptions({ ports });
  const outcome = await runTrial({ ...options, plan: { ...options.plan, trainArgv: argv } });
  return { outcome, console: readFileSync(join(options.folder, 'console.log'), 'utf8') };
}

/** 3 KB of frames, the sentence that matters, and the end at once. */
const traceback = (words: string) => `echo 'Traceback (most recent call last):'; head -c 3000 /dev/zero | tr '\\0' x; echo; echo 'ValueError: ${words}'`;
const python = (words: string, end: string) => `import os, sys, faulthandler\nsys.stderr.write('Traceback (most recent call last):\\n' + '  File "train.py", line 3, in step\\n' * 90 + 'ValueError: ${words}\\n')\nsys.stderr.flush()\n${end}`;

const ways: readonly { readonly name: string; readonly argv: (words: string) => readonly [string, ...string[]]; readonly cause: 'own' | 'infrastructure' }[] = [
  { name: 'exit', argv: (words) => ['/bin/sh', '-c', `${traceback(words)}; exit 1`], cause: 'own' },
  { name: 'SIGABRT', argv: (words) => ['/bin/sh', '-c', `${traceback(words)}; kill -ABRT $$`], cause: 'own' },
  { name: 'SIGKILL', argv: (words) => ['/bin/sh', '-c', `${traceback(words)}; kill -KILL $$`], cause: 'infrastructure' },
];
const pythonWays: typeof ways = [
  { name: 'os._exit', argv: (words) => ['python3', '-c', python(words, 'os._exit(7)')], cause: 'own' },
  { name: 'os.abort under faulthandler', argv: (words) => ['python3', '-c', python(words, 'faulthandler.enable()\nos.abort()')], cause: 'own' },
];

describe('last words', () => {
  it('MT50 the last line of 60 trainers that die at once is in their console and in their record', { timeout: 120_000 }, async () => {
    const all = hasPython ? [...ways, ...pythonWays] : ways;
    if (!hasPython) process.stdout.write('no python3 here: its ways to die are left out\n');
    const runs = Array.from({ length: 60 }, (_, index) => ({ way: all[index % all.length] as (typeof all)[number], words: `lost in run ${index}` }));
    const lost: string[] = [];
    const next = async (): Promise<void> => {
      for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
        const { outcome, console: text } = await train(...run.way.argv(run.words));
        expect(outcome).toMatchObject({ status: 'failed', reason: { cause: run.way.cause } });
        // Python's own end under faulthandler comes after its traceback.
        const said = run.way.name.includes('faulthandler') ? 'Fatal Python error: Aborted' : `ValueError: ${run.words}`;
        if (!text.includes(`ValueError: ${run.words}\r\n`) || !outcome.reason.text.includes(said)) lost.push(`${run.way.name}: ${outcome.reason.text} | ${text.slice(-200)}`);
      }
    };
    await Promise.all([next(), next(), next(), next()]);
    expect(lost).toEqual([]);
  });

  it('MT50 frames are no last words, whatever language they come from', () => {
    const faulthandler = 'Fatal Python error: Aborted\n\nCurrent thread 0x00007f0a (most recent call first):\n  File "train.py", line 3 in step\n  File "<string>", line 5 in <module>\n\nExtension modules: numpy.core (total: 1)\n';
    expect(lastLine(faulthandler)).toBe('Fatal Python error: Aborted');
  });

  it('MT51 memory that runs out for real is the machine\'s failure, told with the line that says so', { timeout: 60_000 }, async () => {
    const heap = await train(process.execPath, '--max-old-space-size=24', '-e', 'const a = []; for (;;) a.push(new Array(1000).fill(Math.random()));');
    expect(heap.outcome).toMatchObject({ status: 'failed', rule: 'oom', reason: { cause: 'infrastructure', code: 'oom', text: expect.stringMatching(/heap out of memory/) as string } });
    const torch = await train('/bin/sh', '-c', 'echo "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB"; exit 1');
    expect(torch.outcome).toMatchObject({ rule: 'oom', reason: { cause: 'infrastructure', text: expect.stringContaining('CUDA out of memory. Tried to allocate 2.00 GiB') as string } });
    if (!hasPython) return void process.stdout.write('no python3 here: its MemoryError was not tried\n');
    const limited = await train('python3', '-c', 'import resource\nresource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))\nx = []\nwhile True: x.append(bytearray(10 << 20))');
    expect(limited.outcome).toMatchObject({ status: 'failed', rule: 'oom', reason: { cause: 'infrastructure', code: 'oom', text: expect.stringContaining('MemoryError') as string } });
  });
});

import { describe, expect, it } from 'vitest';
import { tools } from '../../../src-protocol/index.ts';
import { makeRefusal, RefusalError } from '../../../src-protocol/refusal.ts';
import { sampleOutputs } from '../../conformance/doors/samples.ts';
import { makeScene, replay } from '../../conformance/doors/scene.ts';
import { runLine } from './command-line.ts';

/** A command line for each tool that can be called without more. */
const lines: Readonly<Record<string, readonly string[]>> = {
  repository_init: ['init', '--project', 'x'],
  gate_set: ['contract', 'set', 'budget', '--value', '{}'],
  campaign_skip: ['campaign', 'skip', 'quick', 'screen-a-s1'],
  trial_causes: ['trial', 'causes', 'screen-a-s1', '--study', 'quick'],
  trial_extra: ['trial', 'extra', 'quick', 'fast'],
  selftest_run: ['selftest'],
};
const lineOf = (name: string, path: readonly string[]): readonly string[] => lines[name] ?? [...path, ...(['contract', 'ledger'].includes(path[0] ?? '') || path[0] === 'status' ? [] : ['quick'])];
const open = tools.filter((tool) => tool.effect !== 'approve');

describe('output', () => {
  it.each(open.map((tool) => [tool.name, tool.cli.path] as const))('T43, T46: %s is one JSON value, or clean text when piped', async (name, path) => {
    const json = await runLine([...lineOf(name, path), '--json', ...(name === 'campaign_run' ? ['--detach'] : [])]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true });
    expect(json.err).toBe('');
    const text = await runLine(lineOf(name, path));
    expect(text.out).not.toMatch(/[\u001b\r]/);
    expect(text.out.trim()).not.toBe('');
    expect(text.out).not.toMatch(/undefined|\[object|NaN %/);
    expect(text.code).toBe(json.code);
  });

  it('T43, T51: a refusal is JSON on standard output, or text with its next step on standard error', async () => {
    const scene = makeScene();
    scene.approval = 'none';
    const json = await runLine(['campaign', 'resume', 'quick', '--json'], { scene });
    expect([json.code, json.err]).toEqual([3, '']);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, refusal: { code: 'not_approved', next: expect.any(String) as string } });
    const text = await runLine(['campaign', 'resume', 'quick'], { scene });
    expect([text.code, text.out]).toEqual([3, '']);
    expect(text.err).toBe('rlxp: refused: quick is not approved\nnext: Run `rlxp approve quick` in a terminal.\n');
  });

  it('T43, T51: problems name file, line and fix; differences both sides', async () => {
    const scene = makeScene();
    scene.answers.set('study_check', () => {
      throw new RefusalError(
        makeRefusal('invalid_file', 'the study cannot be read', { problems: [{ file: 'studies/quick.yaml', line: 12, column: 3, message: 'unknown key "tolerence"', fix: 'Write tolerance.' }], differences: [{ what: 'env.mjs', approved: 'aa', now: null }] }),
      );
    });
    const { err, code } = await runLine(['study', 'check', 'quick'], { scene });
    expect(code).toBe(3);
    expect(err).toContain('  studies/quick.yaml:12:3  unknown key "tolerence"\n      fix: Write tolerance.\n');
    expect(err).toContain('  env.mjs: aa -> (nothing)\n');
  });

  it('T43, T51: a fault and wrong usage are JSON too', async () => {
    const scene = makeScene();
    scene.answers.set('contract_show', () => {
      throw new Error('x');
    });
    const fault = await runLine(['contract', 'show', '--json'], { scene });
    expect([fault.code, (JSON.parse(fault.out) as { fault: { id: string } }).fault.id]).toEqual([1, '00000001']);
    for (const words of [['contract', 'show', '--nope', '--json'], ['contrakt', '--json'], ['campaign', '--json']]) {
      const usage = await runLine(words);
      expect([usage.code, usage.err]).toEqual([2, '']);
      expect(JSON.parse(usage.out)).toMatchObject({ ok: false, refusal: { code: expect.stringMatching(/bad_input|unknown_tool/) as string } });
    }
  });

  it('T51: a check that finds problems is 3, in text and in JSON', async () => {
    expect((await runLine(['ledger', 'verify'])).code).toBe(3);
    expect((await runLine(['ledger', 'verify', '--json'])).code).toBe(3);
    const scene = makeScene();
    scene.answers.set('ledger_verify', () => ({ intact: true, lines: 3, seal: 'valid', problems: [] }));
    expect((await runLine(['ledger', 'verify'], { scene })).code).toBe(0);
  });

  it('T46: colours only on a screen that wants them', async () => {
    expect((await runLine(['contract', 'show'], { isScreen: true, hasColour: true })).out).toContain('\u001b[1m');
    expect((await runLine(['contract', 'show'], { isScreen: true, hasColour: false })).out).not.toContain('\u001b');
  });

  it('T47: escapes in what files say reach no terminal', async () => {
    const scene = makeScene();
    const evil = 'a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\rE\u202e';
    scene.answers.set('contract_show', () => ({ ...sampleOutputs.contract_show, project: evil }));
    scene.answers.set('repository_show', () => {
      throw new RefusalError(makeRefusal('not_found', evil));
    });
    const shown = await runLine(['contract', 'show'], { scene });
    expect(shown.out).toContain('a]0;ownedb[2Jc31mdE\n');
    const refused = await runLine(['status'], { scene });
    expect(refused.err).not.toMatch(/[\u001b\u0007\u009b\r\u202e]/);
  });
});

describe('watching', () => {
  it('T49: piped, a line for each event and nothing else', async () => {
    const { out, code } = await runLine(['campaign', 'watch', 'quick']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '   0:00  started quick: 20 trials planned (24 with every look of verify), 2 at a time',
      '   1:23  ended  screen fast s42  score NaN  early stopped by nan: its loss became NaN  (ETA 2 min 10 s)',
      '   1:39  completed: all stages finished',
      '',
    ]);
  });

  it('T49: on a screen also a status line with progress and ETA, gone at the end', async () => {
    const { out } = await runLine(['campaign', 'watch', 'quick'], { isScreen: true });
    expect(out).toContain('screen, 3 of 20 trials, ETA 2 min 10 s  |  fast 45 % r=131.3');
    expect(out.endsWith('\r\u001b[2K   1:39  completed: all stages finished\n')).toBe(true);
    for (const line of out.split(/[\n\r]/).filter((one) => one.includes('of 20 trials'))) expect(line.length).toBeLessThan(80 + 4);
  });

  it('T52: --jsonl is a frame a line; --json one value at the end', async () => {
    const frames = (await runLine(['campaign', 'watch', 'quick', '--jsonl'])).out.trimEnd().split('\n').map((line) => JSON.parse(line) as { kind: string });
    expect(frames.map((frame) => frame.kind)).toEqual(['snapshot', 'change', 'change', 'change', 'end']);
    const json = await runLine(['campaign', 'watch', 'quick', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, output: { changes: 3, last: { kind: 'event' } } });
  });

  it('T50: run starts, watches and shows the report', async () => {
    const { out, code, ran } = await runLine(['campaign', 'run', 'quick']);
    expect(ran.map(([name]) => name)).toEqual(['campaign_run', 'campaign_watch', 'report_show']);
    expect(code).toBe(0);
    expect(out).toContain('approval: the one shipped with this example');
    expect(out).toContain('VERDICT  quick  BETTER');
    expect(out).toContain('RANKING');
    expect(out).toContain('WHY EPISODES END');
    expect(out).toContain('/work/cartpole/.rlxp/runs/quick/report.md');
  });

  it('T50, T43: with --json it is one value that holds run, end and report', async () => {
    const { out } = await runLine(['campaign', 'run', 'quick', '--json']);
    expect(JSON.parse(out)).toMatchObject({ ok: true, output: { run: { state: 'started' }, end: { kind: 'event' }, report: { verdict: { word: 'better' } } } });
  });

  it('T51: a finished campaign whose records cannot be read is refused, with and without --json', async () => {
    const scene = makeScene();
    scene.answers.set('report_show', () => {
      throw new RefusalError(makeRefusal('damaged', 'trials.jsonl is damaged at line 1'));
    });
    expect(await runLine(['campaign', 'run', 'quick'], { scene })).toMatchObject({ code: 3, err: expect.stringContaining('damaged at line 1') as string });
    const json = await runLine(['campaign', 'run', 'quick', '--json'], { scene });
    expect([json.code, JSON.parse(json.out)]).toMatchObject([3, { ok: false, refusal: { code: 'damaged' } }]);
  });

  it('T50: --detach only starts', async () => {
    expect((await runLine(['campaign', 'run', 'quick', '--detach'])).ran.map(([name]) => name)).toEqual(['campaign_run']);
  });

  it('T50, T51: Ctrl-C ends the watching only, says how to go on, and is 130', async () => {
    const scene = makeScene();
    scene.changes = () => stuck();
    const { code, err, ran } = await runLine(['campaign', 'run', 'quick', '--root', '/r'], { scene, onTerminal: (terminal) => setTimeout(() => terminal.interrupt(), 20) });
    expect(code).toBe(130);
    expect(err).toContain('rlxp campaign watch quick --root /r\n');
    expect(err).toContain('rlxp campaign stop quick --root /r\n');
    expect(ran.map(([name]) => name)).toEqual(['campaign_run', 'campaign_watch']);
  });

  it('T50: Ctrl-C of a watch says that it goes on, in words and in JSON', async () => {
    const interrupted = async (words: readonly string[]) => {
      const scene = makeScene();
      scene.changes = () => stuck();
      return runLine(['campaign', 'watch', 'quick', '--root', '/my runs', ...words], { scene, onTerminal: (terminal) => setTimeout(() => terminal.interrupt(), 20) });
    };
    const { code, err } = await interrupted([]);
    expect([code, err]).toEqual([130, '\ndetached: the campaign goes on in the background\n  watch it again:  rlxp campaign watch quick --root "/my runs"\n  stop it:         rlxp campaign stop quick --root "/my runs"\n']);
    const json = await interrupted(['--json']);
    expect([json.code, json.err]).toEqual([130, '']);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, refusal: { code: 'cancelled', message: 'The watching was ended; the campaign goes on in the background.', next: expect.stringContaining('rlxp campaign stop quick') as string } });
  });

  it.each(['stopped', 'blocked', 'failed'] as const)('T51: a campaign that ends %s is 4', async (status) => {
    const scene = makeScene();
    const line = { seq: 1, at: '2026-01-02T03:04:05.000Z', mono_ms: 5, eta_s: null, event: { kind: 'campaign_ended', status, text: 'so it is' } };
    scene.changes = () => replay([{ kind: 'event', line }]);
    expect((await runLine(['campaign', 'run', 'quick'], { scene })).code).toBe(4);
    expect((await runLine(['campaign', 'watch', 'quick', '--json'], { scene })).code).toBe(4);
  });

  it('T51: a feed that breaks is a fault', async () => {
    const scene = makeScene();
    scene.changes = () => replay([{ kind: 'nonsense' }]);
    expect(await runLine(['campaign', 'watch', 'quick'], { scene })).toMatchObject({ code: 1, err: expect.stringContaining('fault') as string });
  });
});

async function* stuck(): AsyncGenerator {
  await new Promise(() => undefined);
  yield null;
}

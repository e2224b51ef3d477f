import { describe, expect, it } from 'vitest';
import { feeds, tools } from '../../../src-protocol/index.ts';
import { sampleOutputs } from '../../conformance/doors/samples.ts';
import { makeScene } from '../../conformance/doors/scene.ts';
import { runLine } from './command-line.ts';

const all = [...tools, ...feeds];

describe('commands and help', () => {
  it.each(all.map((one) => one.cli.path.join(' ')))('T40: `rlxp %s --help` explains it and calls nothing', async (path) => {
    for (const words of [[...path.split(' '), '--help'], [...path.split(' '), '-h'], ['help', ...path.split(' ')]]) {
      const { code, out, ran } = await runLine(words);
      expect(code).toBe(0);
      expect(out).toContain(`usage: rlxp ${path}`);
      expect(out).toContain('--json');
      expect(out).toContain('exit codes:');
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
      expect(ran).toEqual([]);
    }
  });

  it('T40: the top level lists every command', async () => {
    const { code, out } = await runLine([]);
    expect(code).toBe(0);
    for (const { cli } of all) expect(out).toContain(`  ${cli.path.join(' ')}`);
  });

  it('T40: a group lists its commands; without --help it is wrong usage', async () => {
    const asked = await runLine(['campaign', '--help']);
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.out).toContain('campaign skip <study> <trial>');
    expect(asked.out).not.toContain('ledger');
    expect(await runLine(['campaign'])).toMatchObject({ code: 2, out: asked.out });
  });

  it('T53: a switch runs another tool with the same inputs', async () => {
    const plain = await runLine(['check', 'quick']);
    expect(plain.ran).toEqual([['repository_check', 'script']]);
    expect(plain.code).toBe(3); // the sample is broken
    const switched = await runLine(['check', 'quick', '--repair']);
    expect(switched.scene.runs).toMatchObject([{ name: 'repository_repair', input: { study: 'quick' } }]);
    expect(switched).toMatchObject({ code: 0, out: (await runLine(['repair', 'quick'])).out });
    expect((await runLine(['check', '--repair=yes'])).ran).toEqual([]);
    expect((await runLine(['check', '--help'])).out).toContain('--repair');
  });

  it('T1: T55: the longer command wins, and files are taken from the current folder', async () => {
    const packed = await runLine(['evidence', 'quick', '--out', 'a/b.zip']);
    expect(packed.scene.runs).toMatchObject([{ name: 'evidence_pack', input: { study: 'quick', out: '/work/cartpole/a/b.zip', checkpoints: false } }]);
    const verified = await runLine(['evidence', 'verify', '../b.zip']);
    expect(verified.scene.runs).toMatchObject([{ name: 'evidence_verify', input: { file: '/work/b.zip' } }]);
    expect((await runLine(['evidence', '--study', 'verify'])).scene.runs).toMatchObject([{ name: 'evidence_pack', input: { study: 'verify' } }]);
    expect((await runLine(['evidence', 'verify', '/x.zip'])).scene.runs).toMatchObject([{ input: { file: '/x.zip' } }]);
    expect((await runLine(['evidence', '--help'])).out).toContain('--out FILE');
  });

  it('prints the version', async () => {
    expect(await runLine(['--version'])).toMatchObject({ code: 0, out: '0.1.0\n' });
  });

  it.each([
    [['campain'], 'Did you mean "rlxp campaign"?'],
    [['campaign', 'rnu'], 'Did you mean "rlxp campaign run"?'],
    [['contract', 'comfirm', 'task'], 'Did you mean "rlxp contract confirm"?'],
    [['--hlep'], 'Did you mean "--help"?'],
  ])('T42: %j suggests the nearest', async (words, hint) => {
    const { code, err, out, ran } = await runLine(words);
    expect([code, out, ran]).toEqual([2, '', []]);
    expect(err).toContain(hint);
  });
});

describe('words', () => {
  it('T42: tells everything that was not understood at once and calls nothing', async () => {
    const { code, err, ran } = await runLine(['ledger', 'show', '--lats', '3', '--last', 'three', '--root']);
    expect([code, ran]).toEqual([2, []]);
    expect(err).toContain('Did you mean "--last"?');
    expect(err).toContain('"three" is not a number');
    expect(err).toContain('--root  needs a value');
  });

  it.each([
    [['contract', 'set', 'bugdet', '--value', '{}'], 'did you mean "budget"?'],
    [['contract', 'set', 'budget', '--value', '{a}'], 'this is not JSON'],
    [['contract', 'set', 'budget'], '--value  is missing'],
    [['contract', 'set', 'budget', 'metric', '--value', '{}'], 'one word too many'],
    [['contract', 'set', 'budget', '--value', '{}', '--value', '{}'], 'given twice'],
    [['contract', 'set', 'budget', '--value'], 'needs a value'],
    [['campaign', 'run', 'quick', '--fresh=maybe'], 'neither true nor false'],
    [['campaign', 'run', 'quick', '--json=1'], 'takes no value'],
    [['campaign', 'skip', 'quick'], '<trial>  is missing'],
    [['campaign', 'status', 'Quick'], 'use lowercase letters'],
    [['campaign', 'run', 'quick', '--watsh'], 'Did you mean the command "rlxp campaign watch"?'],
    [['--watsh'], 'Did you mean the command "rlxp campaign watch"?'],
    [['campaign', '--sotp'], 'Did you mean the command "rlxp campaign stop"?'],
    [['campaign', 'watch', 'quick', '--detatch'], '--detach is a flag of "rlxp campaign run".'],
    [['status', '--jsn'], 'Did you mean "--json"?'],
    [['status', '--quite-another'], 'See `--help`.'],
    [['trial', 'causes', 'a', '--study', 'quick', '--episodes', '0'], '--episodes'],
  ])('T42: %j', async (words, message) => {
    const { code, err, out } = await runLine(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it.each([
    [['--fresh'], true],
    [['--fresh=true'], true],
    [['--no-fresh'], false],
    [['--fresh=false'], false],
    [[], false],
  ])('T41: a switch %j is %s', async (flags, expected) => {
    const { scene } = await runLine(['campaign', 'run', 'quick', '--detach', ...flags]);
    expect(scene.runs[0]?.input).toMatchObject({ study: 'quick', fresh: expected });
  });

  it('T41: flags in any order, lists by repetition, JSON for maps, positions as flags, `--` before values with dashes', async () => {
    const { scene } = await runLine(['contract', 'set', '--evidence', 'a', '--value={"x": [1]}', '--evidence=--b', '--', 'budget']);
    expect(scene.runs[0]?.input).toMatchObject({ gate: 'budget', value: { x: [1] }, evidence: ['a', '--b'] });
    const asFlag = await runLine(['contract', 'set', '--gate', 'budget', '--value', '{}']);
    expect(asFlag.scene.runs[0]?.input).toMatchObject({ gate: 'budget' });
    const underscores = await runLine(['approve', 'quick', '--agents_may_start'], { isInteractive: true, answers: ['quick'] });
    expect(underscores.scene.runs.at(-1)?.input).toMatchObject({ agents_may_start: true });
  });

  it('T44: --root, else the nearest project, else for init the current folder', async () => {
    const rootOf = async (words: readonly string[]) => (await runLine(words)).scene.runs[0]?.input;
    expect(await rootOf(['contract', 'show'])).toEqual({ root: '/work/cartpole/nearest' });
    expect(await rootOf(['contract', 'show', '--root', '/elsewhere'])).toEqual({ root: '/elsewhere' });
    expect(await rootOf(['init', '--project', 'x'])).toEqual({ root: '/work/cartpole/here', project: 'x' });
  });

  it('T45: fills in the only study, but never for approving', async () => {
    const status = await runLine(['campaign', 'status']);
    expect(status.ran).toEqual([['repository_show', 'script'], ['campaign_status', 'script']]);
    expect(status.scene.runs[1]?.input).toMatchObject({ study: 'quick' });
    const approve = await runLine(['approve'], { isInteractive: true, answers: ['quick'] });
    expect([approve.code, approve.ran]).toEqual([2, [['repository_show', 'terminal']]]);
    expect(approve.err).toContain('<study>  is missing');
    expect(approve.err).toContain('Write: rlxp approve quick.');
  });

  it('T45: asks for a study when there are several, and says what is wrong when there is no repository', async () => {
    const several = await runLine(['report'], { scene: withStudies(['a', 'b']) });
    expect([several.code, several.err.includes('a, b')]).toEqual([2, true]);
    const none = await runLine(['report', '--json'], { scene: withStudies([]) });
    expect(JSON.parse(none.out)).toMatchObject({ ok: false, refusal: { code: 'bad_input' } });
  });
});

function withStudies(names: readonly string[]) {
  const scene = makeScene();
  const [study] = sampleOutputs.repository_show.studies;
  scene.answers.set('repository_show', () => ({ ...sampleOutputs.repository_show, studies: names.map((name) => ({ ...study, study: name })) }));
  return scene;
}

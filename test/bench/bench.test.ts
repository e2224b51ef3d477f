import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotRun } from './bench-part.ts';
import type { Bench, BenchPart, PartReport } from './bench-part.ts';
import { parts } from './parts.ts';
import { makePeerEnvironments } from './peer-environments.ts';
import { runParts } from './run-parts.ts';
import { putSection } from './section.ts';
import { runSideBySide } from './side-by-side.ts';
import type { Contender, SideBySide } from './side-by-side.ts';
import { figureText, spreadOf, spreadText } from './spread.ts';

let ground: string;
let said: string[];
let bench: Omit<Bench, 'folder'>;

beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'rlxp-bench-test-'));
  said = [];
  const never = () => Promise.reject(new NotRun('nothing is installed on paper'));
  bench = { home: ground, isQuick: false, rounds: null, options: {}, say: (text) => said.push(text), program: (name) => name, python: never, nodePackages: never };
});
afterEach(() => rmSync(ground, { recursive: true, force: true }));

describe('side by side', () => {
  const turns: string[] = [];
  const contender = (name: string, values: readonly number[]): Contender => ({
    name,
    prepare: () =>
      Promise.resolve({
        versions: { [name]: '1.0' },
        measure(round) {
          turns.push(`${name}${round}`);
          return Promise.resolve({ speed: values[round] ?? NaN, memory: 100 / (values[round] ?? NaN) });
        },
      }),
  });
  const missing: Contender = { name: 'absent', prepare: (given) => given.python('none.txt').then(() => Promise.reject(new Error('it was found'))) };
  const plan = (over: Partial<SideBySide> = {}): SideBySide => ({
    figures: [
      { name: 'speed', title: 'steps a second', isBetter: 'higher' },
      { name: 'memory', title: 'MB', isBetter: 'lower' },
    ],
    contenders: [contender('ours', [30, 10, 20]), contender('theirs', [10, 10, 5]), missing],
    rounds: { full: 3, quick: 1 },
    bars: [
      { text: 'twice as fast', figure: 'speed', against: 'theirs', atLeast: 2 },
      { text: 'twice as small', figure: 'memory', against: 'theirs', atLeast: 3.5 },
      { text: 'fast', figure: 'speed', atLeast: 15, atMost: 25 },
      { text: 'faster than the absent', figure: 'speed', against: 'absent', atLeast: 1 },
    ],
    ...over,
  });

  it('BN1: repeats are interleaved, the first one changes, ratios are taken round by round', async () => {
    turns.length = 0;
    const report = await runSideBySide({ ...bench, folder: ground }, plan());
    expect(turns).toEqual(['ours0', 'theirs0', 'theirs1', 'ours1', 'ours2', 'theirs2']);
    expect(report.tables[0]?.columns).toEqual(['figure', 'ours', 'theirs', 'against theirs']);
    expect(report.tables[0]?.rows).toEqual([
      ['steps a second', '20.0 (10.0 to 30.0)', '10.0 (5.00 to 10.0)', '3.00 (1.00 to 4.00) x'],
      ['MB', '5.00 (3.33 to 10.0)', '10.0 (10.0 to 20.0)', '3.00 (1.00 to 4.00) x'],
    ]);
    expect(report.versions).toEqual({ ours: '1.0', theirs: '1.0' });
    expect((await runSideBySide({ ...bench, folder: ground, rounds: 2 }, plan())).tables[0]?.rows[0]?.[3]).toBe('2.00 (1.00 to 3.00) x');
  });

  it('BN2: a peer that cannot run here is told with its reason, and its bars are not run', async () => {
    const report = await runSideBySide({ ...bench, folder: ground }, plan());
    expect(report.notRun).toEqual([{ what: 'absent', why: 'nothing is installed on paper' }]);
    expect(report.bars.map(({ bar, state }) => [bar, state])).toEqual([
      ['twice as fast', 'met'],
      ['twice as small', 'missed'],
      ['fast', 'met'],
      ['faster than the absent', 'not run'],
    ]);
    const broken: Contender = { name: 'broken', prepare: () => Promise.reject(new Error('a fault')) };
    await expect(runSideBySide({ ...bench, folder: ground }, plan({ contenders: [contender('ours', [1]), broken] }))).rejects.toThrow('a fault');
  });

  it('BN1: medians and spreads', () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4, count: 4 });
    expect(spreadText(spreadOf([0.01234]))).toBe('0.0123');
    expect([figureText(1234567), figureText(0), figureText(99.94), figureText(-0.5)]).toEqual(['1,234,567', '0.00', '99.9', '-0.500']);
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});

describe('a run', () => {
  const part = (name: string, run: () => Promise<PartReport>, bars: readonly string[] = ['bar']): BenchPart => ({ name, title: name, measures: 'On paper.', peers: [], bars, run });
  const report = (state: 'met' | 'missed', over: Partial<PartReport> = {}): PartReport => ({ tables: [], bars: [{ bar: 'bar', state, measured: '1' }], notRun: [], versions: { peer: '2.0' }, ...over });
  const good = part('good', () => Promise.resolve(report('met')));
  const document = () => join(ground, 'benchmarks.md');
  const printed: string[] = [];
  const go = (list: readonly BenchPart[], isWritten = true) => {
    printed.length = 0;
    const noteMachine = () => () => ({ date: '2026-01-01', text: 'paper; load 1.0 before and 1.0 after', versions: { Node: '20' } });
    return runParts(list, { ground, isKept: false, document: isWritten ? document() : null, noteMachine, print: (text) => printed.push(text), bench });
  };
  beforeEach(() => writeFileSync(document(), '# Benchmarks\n\nBy hand.\n'));

  it('BN3: a missed bar or a failed part is no pass, and the other parts still run', async () => {
    const missed = part('missed', () => Promise.resolve(report('missed')));
    const failing = part('failing', () => Promise.reject(new Error('broken')));
    expect(await go([good])).toEqual({ isPassed: true });
    expect(await go([missed, good])).toEqual({ isPassed: false });
    expect(printed.at(-1)).toBe('bars: 1 met, 1 missed, 0 not run; 0 parts failed');
    expect(await go([failing, good])).toEqual({ isPassed: false });
    expect(printed.at(-1)).toBe('bars: 1 met, 0 missed, 0 not run; 1 parts failed');
    expect(said.join('\n')).toContain('failing failed: Error: broken');
    expect(readdirSync(ground)).toEqual(['benchmarks.md']);
  });

  it('BN2: BN4: what was not judged was not run, and what was not declared is a fault', async () => {
    const absent = part('absent', () => Promise.reject(new NotRun('no network')));
    const silent = part('silent', () => Promise.resolve(report('met')), ['bar', 'other']);
    expect(await go([absent, silent])).toEqual({ isPassed: true });
    expect(printed.at(-1)).toBe('bars: 1 met, 0 missed, 2 not run; 0 parts failed');
    expect(printed[0]).toContain('Not run: absent (no network).');
    expect(await go([part('more', () => Promise.resolve(report('met')), [])])).toEqual({ isPassed: false });
  });

  it('BN5: a section is written between its marks, and nothing else is touched', async () => {
    await go([good]);
    const first = readFileSync(document(), 'utf8');
    expect(first).toContain('# Benchmarks\n\nBy hand.\n\n<!-- bench good -->\n## good (`npm run bench good`)');
    expect(first).toContain('| bar | 1 | met |');
    expect(first).toContain('2026-01-01, paper; load 1.0 before and 1.0 after; Node 20, peer 2.0.');
    writeFileSync(document(), `${first}\nAlso by hand.\n`);
    await go([part('good', () => Promise.resolve(report('missed'))), part('second', () => Promise.resolve(report('met')))]);
    const second = readFileSync(document(), 'utf8');
    expect(second).toBe(`${first.replace('| bar | 1 | met |', '| bar | 1 | missed |')}\nAlso by hand.\n\n${second.slice(second.indexOf('<!-- bench second'))}`);
    await go([good], false);
    expect(readFileSync(document(), 'utf8')).toBe(second);
  });

  it('BN5: a run that lacks something takes no place of one that had it', async () => {
    const lacking = part('good', () => Promise.resolve(report('met', { notRun: [{ what: 'peer', why: 'no network' }] })));
    await go([lacking]);
    expect(readFileSync(document(), 'utf8')).toContain('Not run: peer (no network).');
    await go([good]);
    const whole = readFileSync(document(), 'utf8');
    expect(whole).not.toContain('Not run');
    await go([lacking]);
    expect(readFileSync(document(), 'utf8')).toBe(whole);
    expect(() => putSection('<!-- bench x -->', 'x', 'text')).toThrow('not a pair');
  });
});

describe('the parts', () => {
  it('BN4: each has a name of its own, a folder and bars', () => {
    const home = fileURLToPath(new URL('.', import.meta.url));
    const folders = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory() && readdirSync(join(home, entry.name)).includes('part.ts'));
    expect(parts.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
    for (const part of parts) expect([part.name, part.bars.length > 0, new Set(part.bars).size]).toEqual([part.name, true, part.bars.length]);
    const options = parts.flatMap((part) => Object.keys(part.options ?? {}));
    expect(new Set(options).size).toBe(options.length);
  });

  it('BN6: an environment that cannot be made is a reason, not a failure', async () => {
    writeFileSync(join(ground, 'requirements.txt'), 'nothing==1.0\n');
    process.env['RLXP_BENCH_PYTHON'] = join(ground, 'no-python');
    try {
      const { python } = makePeerEnvironments({ home: ground, cache: join(ground, 'cache'), say: () => undefined });
      const error: unknown = await python('requirements.txt').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NotRun);
      expect(String(error)).toContain('Install Python 3.11 or later, or name one with RLXP_BENCH_PYTHON.');
    } finally {
      delete process.env['RLXP_BENCH_PYTHON'];
    }
  });
});

// Reading YAML texts from a repository nobody vouches for.
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src-protocol/refusal.ts';
import { parseYaml, type YamlDocument } from '../../../src-main/core/workspace/yaml-document.ts';

function read(text: string): YamlDocument {
  const reading = parseYaml(text, 'f.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.document;
}

function problems(text: string): readonly Problem[] {
  const reading = parseYaml(text, 'f.yaml');
  return reading.ok ? [] : reading.problems;
}

/** `line:column message` of each problem. */
function said(text: string): readonly string[] {
  return problems(text).map((problem) => `${problem.line}:${problem.column} ${problem.message}`);
}

describe('size and depth', () => {
  test('F1 a text over 1 MB is refused before it is parsed', () => {
    const started = performance.now();
    expect(said(`a: ${'x'.repeat(2_000_000)}`)).toEqual(['1:1 the file is larger than 1 MB']);
    expect(performance.now() - started).toBeLessThan(100);
  });

  test('F1 a text of very many parts is refused before it is parsed', () => {
    expect(said('- a\n'.repeat(200_000))).toEqual(['40000:4 the file has more than 200,000 words and marks']);
  });

  test.each([
    ['brackets', '['.repeat(1000), 1],
    ['braces', '{a: '.repeat(1000), 1],
    ['dashes', '- '.repeat(1000), 1],
    ['question marks', '? '.repeat(1000), 1],
    ['closed brackets on line 3', `a: 1\nb: 2\nc: ${'['.repeat(1000)}${']'.repeat(1000)}`, 3],
    ['indented maps', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'), 65],
    ['19,999 brackets', '['.repeat(19_999), 1],
  ])('F2 1,000 nested levels are refused before they are parsed: %s', (_name, text, line) => {
    for (let again = 0; again < 2; again += 1) {
      const [problem, ...rest] = problems(text);
      expect(rest).toEqual([]);
      expect(problem).toMatchObject({ file: 'f.yaml', line, message: 'the file nests more than 64 levels deep' });
    }
  });

  test('F2 60 levels are read', () => {
    expect(read(`a: ${'['.repeat(60)}1${']'.repeat(60)}`).value).toHaveProperty('a');
  });

  test('F3 an alias bomb is refused with its line', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`);
    const [first, ...rest] = problems(`l0: &l0 [x]\n${levels.join('\n')}\n`);
    expect(rest).toEqual([]);
    expect(first?.message).toBe('aliases expand more than 100 times');
    expect(first?.line).toBeGreaterThan(1);
  });

  test('F3 a long chain of aliases and a node that holds itself are refused', () => {
    const chain = Array.from({ length: 90 }, (_, i) => `k${i}: &k${i} [${i === 0 ? 'x' : `*k${i - 1}`}]`).join('\n');
    expect(said(chain).join()).toMatch(/aliases expand more than 100 times|nest more than 64/);
    expect(said('a: &x [*x]')).toEqual(['1:8 values nest more than 64 deep (an alias may hold itself)']);
    expect(said('a: 1\nb: *y')).toEqual(['2:4 the alias *y has no anchor before it']);
  });

  test('F3 an ordinary alias is read, and what it brings stands where the alias stands', () => {
    const document = read('a: &x\n  b: [1, 2]\nc: *x\n');
    expect(document.value).toEqual({ a: { b: [1, 2] }, c: { b: [1, 2] } });
    expect(document.valueAt(['c', 'b', 1])).toEqual({ line: 3, column: 4 });
    // The last anchor of a name before the alias counts, also when the alias is brought by another one.
    expect(read('a: &x 1\nb: &y [*x]\nc: &x 2\nd: *y\ne: *x\n').value).toEqual({ a: 1, b: [1], c: 2, d: [1], e: 2 });
    expect(read('a: &y {c: &x 1}\nb: &x 2\nd: *y\ne: *x\n').value).toEqual({ a: { c: 1 }, b: 2, d: { c: 1 }, e: 2 });
  });
});

describe('what YAML text may look like', () => {
  test('F4 a key given twice is refused, naming both lines', () => {
    expect(said('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n')).toEqual(['5:3 the key `c` stands here a second time (first on line 3)']);
    expect(said('{a: 1, a: 2}')).toEqual(['1:8 the key `a` stands here a second time (first on line 1)']);
    expect(said('1: a\n"1": b\n')).toEqual(['2:1 the key `1` stands here a second time (first on line 1)']);
  });

  test('F5 a tab as indentation is refused', () => {
    expect(problems('a:\n\tb: 1\n')).toEqual([
      { file: 'f.yaml', line: 2, column: 1, message: 'a tab is used as indentation', fix: 'Indent with spaces; YAML does not allow tabs there.' },
    ]);
  });

  test('F5 a byte order mark and CRLF line ends are accepted, lines counted alike', () => {
    const document = read('\uFEFFa: 1\r\nb:\r\n  - x\r\n  - y\r\n');
    expect(document.value).toEqual({ a: 1, b: ['x', 'y'] });
    expect(document.valueAt(['b', 1])).toEqual({ line: 4, column: 5 });
    expect(said('\uFEFFa: 1\r\na: 2\r\n')).toEqual(['2:1 the key `a` stands here a second time (first on line 1)']);
  });

  test.each([
    ['a: !!python/object:os.system {b: 1}', '1:30 the tag `!!python/object:os.system` is not allowed: these files hold plain values only'],
    ['a: 1\nb: !mine x', '2:10 the tag `!mine` is not allowed: these files hold plain values only'],
    ['a: !!binary aGk=', '1:13 the tag `!!binary` is not allowed: these files hold plain values only'],
    ['a: &x {b: 1}\n<<: *x', '2:1 merge keys (`<<`) are not read'],
    ['&a x: 1\n*a : 2', '2:1 a key must be a plain word, not empty, a list, a map or an alias'],
    ['? [1]\n: 2', '1:3 a key must be a plain word, not empty, a list, a map or an alias'],
    [': 2', '1:1 a key must be a plain word, not empty, a list, a map or an alias'],
    ['a:\n  __proto__: {b: 1}', '2:3 the key `__proto__` is not allowed'],
    ['a: {constructor: 1}', '1:5 the key `constructor` is not allowed'],
    ['%YAML 1.1\n---\na: yes', '1:1 the line `%YAML 1.1` is not allowed: these files are plain YAML 1.2'],
    ['a: 1\nb: x\u0000y', '2:5 the file holds a control character, so it is no text'],
    ['a: 1\nb: \uFFFD', '2:4 the file holds a control character, so it is no text'],
  ])('F6 only plain values are read: %j', (text, message) => {
    expect(said(text)).toEqual([message]);
  });

  test('F7 numbers are finite and exact, and named when they are not', () => {
    expect(said('a:\n  b: .nan')).toEqual(['2:6 `a.b` must be a finite number; it is `.nan`']);
    expect(said('a: [-.inf]')).toEqual(['1:5 `a[0]` must be a finite number; it is `-.inf`']);
    expect(said('a: 1e999')).toEqual(['1:4 `a` must be a finite number; it is `1e999`']);
    expect(said('a: 9007199254740993')).toEqual(['1:4 `a` is the whole number 9007199254740993, too large to be kept exactly']);
    expect(read('{a: 0777, b: 0o17, c: 3e-4, d: no, e: off, f: 2020-01-01, g: 1_000, h: ~, i: true, j: -0}').value).toEqual(
      { a: 777, b: 15, c: 3e-4, d: 'no', e: 'off', f: '2020-01-01', g: '1_000', h: null, i: true, j: 0 },
    );
  });

  test('F8 a file holds one document', () => {
    expect(said('a: 1\n---\nb: 2\n')).toEqual(['2:1 the file holds more than one document']);
    expect(read('---\na: 1\n').value).toEqual({ a: 1 });
    expect(read('# nothing\n').value).toBeNull();
  });

  test.each([
    ['a: [1, 2', '1:9'],
    ['a: "x', '1:6'],
    ['a: b: c', '1:4'],
    ['a: 1\n b: 2', '1:4'],
    ['a: @x', '1:4'],
    ['a: "\\q"', '1:5'],
    ['- a\nb: 1', '2:1'],
  ])('F9 a syntax error is one problem with its line and a fix: %j', (text, place) => {
    const found = problems(text);
    expect(found).toHaveLength(1);
    expect(`${found[0]?.line}:${found[0]?.column}`).toBe(place);
    expect(found[0]?.fix).toMatch(/\.$/);
  });
});

test('F11 every value and key has a place; a missing one takes that of what is nearest', () => {
  const document = read('a: 1\nstages:\n  screen:\n    timesteps: 5\n  refine: {top_k: 3}\nlist:\n  - x\n  - {y: 2}\n');
  expect(document.valueAt(['stages', 'screen', 'timesteps'])).toEqual({ line: 4, column: 16 });
  expect(document.keyAt(['stages', 'screen', 'timesteps'])).toEqual({ line: 4, column: 5 });
  expect(document.keyAt(['stages', 'refine', 'timesteps'])).toEqual({ line: 5, column: 3 });
  expect(document.valueAt(['list', 1, 'y'])).toEqual({ line: 8, column: 9 });
  expect(document.keyAt([])).toEqual({ line: 1, column: 1 });
});

import { describe, expect, it } from 'vitest';
import { makeLook, printable, printableValue } from '../../../src-main/serve/present/look.ts';
import { alignRows, cut, wrap } from '../../../src-main/serve/present/table.ts';
import { clockText, durationText, intervalText, numberText, percentText, plainLines, wordAndText } from '../../../src-main/serve/present/words.ts';

describe('numbers in words', () => {
  it.each([
    [187.26, '187.3'],
    [12_000, '12000'],
    [0.012345, '0.01235'],
    [0.000012, '1.20e-5'],
    [-3.14159, '-3.142'],
    [1e8, '1.00e+8'],
    [0, '0'],
    [null, '-'],
    [Number.NaN, 'NaN'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
  ])('%s is %s', (value, expected) => {
    expect(numberText(value)).toBe(expected);
  });

  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min 00 s'],
    [130, '2 min 10 s'],
    [3599.7, '1 h 00 min'],
    [11_100, '3 h 05 min'],
    [-5, '0 s'],
  ])('%s seconds is %s', (seconds, expected) => {
    expect(durationText(seconds)).toBe(expected);
  });

  it('tells clocks, shares and intervals', () => {
    expect([clockText(5_000), clockText(760_000), clockText(3_723_000)]).toEqual(['0:05', '12:40', '1:02:03']);
    expect([percentText(0), percentText(0.004), percentText(0.355), percentText(1)]).toEqual(['0 %', '<1 %', '36 %', '100 %']);
    expect([intervalText(1, 2), intervalText(null, 2)]).toEqual(['1.000 to 2.000', '-']);
  });

  it('says a word once', () => {
    expect([wordAndText('not_reproduced', 'It fell.'), wordAndText('better', 'Better: by 3.')]).toEqual(['not reproduced: It fell.', 'Better: by 3.']);
  });

  it('writes a configuration block the way YAML does', () => {
    expect(plainLines({ a: 1, b: { c: ['x', 2], d: 'a: b' }, e: {}, f: null })).toEqual(['  a: 1', '  b:', '    c: [x, 2]', '    d: "a: b"', '  e: {}', '  f: null']);
  });
});

describe('text in columns', () => {
  it('aligns by what shows, not by the codes of its style', () => {
    const look = makeLook({ hasColour: true, columns: 80 });
    const rows = alignRows([[look.bold('ab'), '1', 'x'], ['abcd', '22', 'y']], ['left', 'right']);
    expect(rows.map((row) => row.replace(/\u001b\[[0-9;]*m/g, ''))).toEqual(['ab     1  x', 'abcd  22  y']);
  });

  it('breaks lines at spaces, with a hanging indent, and cuts with an ellipsis', () => {
    expect(wrap('one two three four', 10, '- ', '  ')).toEqual(['- one two', '  three', '  four']);
    expect(wrap('unbreakable', 4)).toEqual(['unbreakable']);
    expect([cut('abcdef', 4), cut('abc', 4)]).toEqual(['abc…', 'abc']);
  });

  it('T46: writes no codes without colour', () => {
    const look = makeLook({ hasColour: false, columns: 80 });
    expect([look.bold('a'), look.good('b'), look.dim('')]).toEqual(['a', 'b', '']);
  });

  it('T47: takes out what a terminal would act on, at any depth', () => {
    expect(printable('a\u001b[31mb\u0000c\td\ne\u009b')).toBe('a[31mbc\td\ne');
    expect(printableValue({ 'k\u001b': ['v\u0007', 1, null, { deep: '\u202ex' }] })).toEqual({ k: ['v', 1, null, { deep: 'x' }] });
  });
});

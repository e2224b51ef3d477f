// Rows for a person: one per leaf that differs, none when nothing does, and never more than fit on a screen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesBetween } from '../../../src-main/core/contract/differences.ts';
import { canonicalJson } from '../../../src-main/core/provenance/canonical-json.ts';
import { words } from './project.ts';

describe('differences', () => {
  it('C10 names each leaf that differs, things with names by their name', () => {
    const before = { a: { x: 1, y: [1, 2] }, list: [{ name: 'p', v: 1 }, { name: 'q' }], gone: true };
    const after = { a: { x: 2, y: [1, 3] }, list: [{ name: 'q' }, { name: 'r' }, { name: 'p', v: 2 }], fresh: null };
    expect(words(differencesBetween('study', before, after))).toEqual([
      'study.a.x: 1 -> 2',
      'study.a.y[1]: 2 -> 3',
      'study.list.p.v: 1 -> 2',
      'study.list.r: - -> {"name":"r"}',
      'study.gone: true -> -',
      'study.fresh: - -> null',
    ]);
    expect(words(differencesBetween('s', { l: [{ name: 'a' }, { name: 'b' }] }, { l: [{ name: 'b' }, { name: 'a' }] }))).toEqual(['s.l: their order: a, b -> b, a']);
  });

  it('C10 is empty exactly when both have one canonical text (seeded)', () => {
    const value = fc.dictionary(fc.constantFrom('a', 'b', 'name'), fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom('x', '1', null), fc.array(fc.dictionary(fc.constantFrom('name', 'v'), fc.constantFrom('p', 'q', 1)), { maxLength: 3 })));
    fc.assert(
      fc.property(value, value, (before, after) => (differencesBetween('v', before, after).length === 0) === (canonicalJson(before) === canonicalJson(after))),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it('C10 counts what does not fit, and shortens long texts', () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, value]));
    const rows = differencesBetween('m', many(1), many(2));
    expect(rows).toHaveLength(24);
    expect(rows.at(-1)?.what).toBe('37 more');
    expect(differencesBetween('t', 'x'.repeat(500), 'y')[0]?.approved).toHaveLength(120);
  });
});

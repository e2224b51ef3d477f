// Merging configuration blocks and naming differences: laws on random blocks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import { covers, differences, getPath, isSamePlain, joinPath, mergeSettings, setPath, splitPath } from '../../../src-main/core/workspace/merge.ts';

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a.b', '\\', '', 'x y'), fc.string({ maxLength: 4 })).filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
const { block } = fc.letrec<{ plain: Plain; block: PlainMap }>((tie) => ({
  plain: fc.oneof({ maxDepth: 3 }, fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 3 }), fc.array(tie('plain'), { maxLength: 3 }), tie('block')),
  block: fc.dictionary(key, tie('plain'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('merge', () => {
  test('F16 maps merge, everything else replaces, nothing is changed in place', () => {
    const base = { agent: { rollouts: 8, hidden: [64, 64] }, seed: 1 };
    expect(mergeSettings(base, { agent: { hidden: [32] }, seed: { a: 1 } })).toEqual({ agent: { rollouts: 8, hidden: [32] }, seed: { a: 1 } });
    expect(base).toEqual({ agent: { rollouts: 8, hidden: [64, 64] }, seed: 1 });
  });

  test('F16 merging with nothing and with itself changes nothing; laying the same over twice is laying it once', () => {
    fc.assert(
      fc.property(block, block, (a, b) => {
        expect(mergeSettings(a, {})).toEqual(a);
        expect(mergeSettings({}, a)).toEqual(a);
        expect(mergeSettings(a, a)).toEqual(a);
        expect(mergeSettings(mergeSettings(a, b), b)).toEqual(mergeSettings(a, b));
      }),
    );
  });

  test('F16 every leaf of what is laid over is in the result', () => {
    fc.assert(
      fc.property(block, block, (a, b) => {
        const merged = mergeSettings(a, b);
        for (const change of differences({}, b)) {
          if (isSamePlain(change.after, {})) continue;
          expect(getPath(merged, change.path)).toEqual(change.after);
        }
      }),
    );
  });

  test('F16 keys that reach a prototype are refused', () => {
    const evil = JSON.parse('{"a": {"__proto__": {"polluted": true}}}') as PlainMap;
    expect(() => mergeSettings({}, evil)).toThrow(RangeError);
    expect(() => setPath({}, 'a.constructor.b', 1)).toThrow(RangeError);
    expect(getPath({}, 'constructor.name')).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('differences', () => {
  test('F17 differences are the smallest values that differ, in order of path', () => {
    const before = { agent: { lr: 0.1, hidden: [64, 64] }, old: { x: 1, y: 2 } };
    const after = { agent: { lr: 0.2, hidden: [64] }, fresh: { p: { q: 1 }, r: 2 } };
    expect(differences(before, after)).toEqual([
      { path: 'agent.hidden', before: [64, 64], after: [64] },
      { path: 'agent.lr', before: 0.1, after: 0.2 },
      { path: 'fresh.p.q', before: undefined, after: 1 },
      { path: 'fresh.r', before: undefined, after: 2 },
      { path: 'old', before: { x: 1, y: 2 }, after: undefined },
    ]);
  });

  test('F17 applying the differences gives the other block; equal blocks have none', () => {
    fc.assert(
      fc.property(block, block, (a, b) => {
        const changes = differences(a, b);
        const applied = changes.reduce((map, change) => setPath(map, change.path, change.after), a);
        expect(isSamePlain(applied, b)).toBe(true);
        expect(changes.length === 0).toBe(isSamePlain(a, b));
        for (const change of changes) expect(getPath(a, change.path)).toEqual(change.before);
      }),
      { numRuns: 500 },
    );
  });
});

describe('dotted paths', () => {
  test('F18 a path names one place: joining and splitting are inverse', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '.', '\\', 'b') }), { minLength: 1 }), (keys) => void expect(splitPath(joinPath(keys))).toEqual(keys)));
    expect(joinPath(['a.b', 'c'])).toBe('a\\.b.c');
  });

  test('F18 a path covers itself and what is below it, not its namesakes', () => {
    expect(covers('agent_cfg.agent', 'agent_cfg.agent')).toBe(true);
    expect(covers('agent_cfg.agent', 'agent_cfg.agent.lr')).toBe(true);
    expect(covers('agent_cfg.agent', 'agent_cfg.agents.lr')).toBe(false);
    expect(covers('agent_cfg.agent.lr', 'agent_cfg.agent')).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { findMatches, matches } from '../../../src-main/core/metrics/glob.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';

const match = (glob: string, name: string) => matches(glob.split('/'), name.split('/'));

describe('glob', () => {
  it.each([
    ['checkpoints/*', 'checkpoints/a.pt', true],
    ['checkpoints/*', 'checkpoints/a/b.pt', false],
    ['logs/**', 'logs/a', true],
    ['logs/**', 'logs/a/b/c', true],
    ['**/x', 'x', true],
    ['**/x', 'a/b/x', true],
    ['a/**/b/*.pt', 'a/b/1.pt', true],
    ['a/**/b/*.pt', 'a/q/b/b/1.pt', true],
    ['a/**/b/*.pt', 'a/q/c/1.pt', false],
    ['model_?.pt', 'model_1.pt', true],
    ['model_?.pt', 'model_12.pt', false],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b', 'xxaxxbxx', false],
    ['a.pt', 'axpt', false],
  ])('ME8 %s against %s', (glob, name, expected) => {
    expect(match(glob, name)).toBe(expected);
  });

  it('ME8 takes linear time on patterns made to be slow', () => {
    const start = performance.now();
    expect(match(`${'*a'.repeat(30)}b`, 'a'.repeat(5000))).toBe(false);
    expect(match(`${'**/'.repeat(30)}x`, 'a/'.repeat(200) + 'y')).toBe(false);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('ME8 follows no link and goes no deeper than it must', async () => {
    const files = makeFakeFiles();
    files.plant('/t/logs/a/1', '');
    files.plant('/t/other/deep/2', '');
    files.addLink('/t/logs/loop', '/t');
    const found = await findMatches(files, '/t', ['logs/**']);
    expect(found.filter(({ stat }) => stat.kind === 'file').map(({ relative }) => relative)).toEqual(['logs/a/1']);
    expect(await findMatches(files, '/missing', ['**'])).toEqual([]);
  });
});

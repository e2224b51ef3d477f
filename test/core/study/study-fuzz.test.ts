// Seeded mutations of four good files: whatever comes out is a loaded study or a refusal with file and line.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { goodAdapter, goodContract, goodProject, goodStudy, goodTask } from './project.ts';

const texts: Readonly<Record<string, string>> = { 'quick.yaml': goodStudy, 'cartpole.yaml': goodTask, 'adapter.yaml': goodAdapter, 'contract.yaml': goodContract };

/** Things a slip or an ill will puts into a YAML file. */
const strange = fc.constantFrom(
  '\t', ' ', '\n', '\r\n', '  ', ':', ': ', '- ', '? ', '[', ']', '{', '}', '"', "'", '#', '&a ', '*a', '!!python/object:x ', '!x ', '|', '>', '%', '@', '`', '---\n', '...\n', '<<: ',
  '.nan', '-.inf', '1e999', '-1', '0', '9007199254740993', 'null', '~', 'true', '""', '[]', '{}', '__proto__', 'constructor', 'baseline', '"\\uD800"', '\uFEFF', '\u0000', '\u202E', 'é', '[[[[[[[[', '0x', '1_000', '..', 'a.b',
);

interface Mutation {
  readonly file: string;
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({ file: fc.constantFrom(...Object.keys(texts)), at: fc.nat(2000), cut: fc.oneof(fc.constant(0), fc.nat(30)), put: fc.oneof(strange, fc.constant('')) });

function mutate(mutations: readonly Mutation[]) {
  return mutations.reduce((project, { file, at, cut, put }) => {
    const name = Object.keys(project.texts).find((path) => path.endsWith(file)) ?? file;
    const text = project.texts[name] ?? '';
    const start = at % (text.length + 1);
    return project.set(file, text.slice(0, start) + put + text.slice(start + cut));
  }, goodProject());
}

async function outcome(project: ReturnType<typeof goodProject>): Promise<'loaded' | 'refused'> {
  try {
    await project.load();
    return 'loaded';
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { problems = [], message, next } = error.refusal;
    expect(problems.length).toBeGreaterThan(0);
    expect(message).not.toBe('');
    expect(next).not.toBe('');
    for (const problem of problems) {
      expect(problem.file).toMatch(/^\.rlxp\/(studies\/quick|tasks\/[a-z0-9_-]+|adapter|contract)\.yaml$/);
      if (problem.message !== 'the file does not exist') expect(problem.line).toBeGreaterThan(0);
      expect(problem.message).not.toMatch(/undefined|\[object/);
      expect(problem.fix).toMatch(/[.?]$/);
      const text = Object.entries(project.texts).find(([name]) => name === problem.file)?.[1] ?? '';
      if (problem.line !== null) expect(problem.line).toBeLessThanOrEqual(text.split('\n').length);
    }
    return 'refused';
  }
}

describe('mutations', () => {
  test('S34 one to four mutations of good files load or are refused with file and line', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => void seen.add(await outcome(mutate(mutations)))),
      { numRuns: 150, seed: 20_260_131 },
    );
    expect([...seen].sort()).toEqual(['loaded', 'refused']);
  });

  test('S34 a line given twice, left out, or moved', async () => {
    const line = fc.record({ file: fc.constantFrom(...Object.keys(texts)), from: fc.nat(30), to: fc.nat(30), how: fc.constantFrom('twice', 'out', 'move') });
    await fc.assert(
      fc.asyncProperty(line, async ({ file, from, to, how }) => {
        const lines = (texts[file] ?? '').split('\n');
        const [index, target] = [from % lines.length, to % lines.length];
        const taken = how === 'twice' ? [lines[index] ?? ''] : lines.splice(index, 1);
        if (how !== 'out') lines.splice(target, 0, ...taken);
        await outcome(goodProject().set(file, lines.join('\n')));
      }),
      { numRuns: 80, seed: 7 },
    );
  });
});

describe('bad input from the list', () => {
  const deep = (one: string) => `${goodStudy}extra: ${one.repeat(1000)}\n`;
  const levels = Array.from({ length: 9 }, (_, i) => `  l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`).join('\n');
  test.each([
    ['1,000 nested brackets', deep('['), '20 the file nests more than 64 levels deep'],
    ['1,000 nested dashes', `${goodStudy}extra:\n  ${'- '.repeat(1000)}x\n`, '21 the file nests more than 64 levels deep'],
    ['1,000 nested question marks', `${goodStudy}extra:\n  ${'? '.repeat(1000)}x\n`, '21 the file nests more than 64 levels deep'],
    ['an alias bomb', `bomb:\n  l0: &l0 [x]\n${levels}\n${goodStudy}`, '4 aliases expand more than 100 times'],
    ['2 MB', `${goodStudy}# ${'x'.repeat(2_000_000)}\n`, '1 the file is larger than 1 MB'],
    ['a tab', goodStudy.replace('  screen:', '\tscreen:'), '5 a tab is used as indentation'],
    ['a key given twice', goodStudy.replace('    timesteps: 8192\n', '    timesteps: 8192\n    timesteps: 4096\n'), '7 the key `timesteps` stands here a second time (first on line 6)'],
    ['an unknown key', goodStudy.replace('    max_parallel: 2', '    max_paralel: 2'), '7 `max_paralel` is not a known key of `stages.screen`'],
  ])('S34 %s', async (_name, text, message) => {
    expect((await goodProject().set('quick.yaml', text).said())[0]?.split(' | ')[0]).toBe(`studies/quick.yaml:${message}`);
  });

  test('S34 a BOM and CRLF load', async () => {
    expect(await outcome(goodProject().set('quick.yaml', `\uFEFF${goodStudy.replaceAll('\n', '\r\n')}`))).toBe('loaded');
  });
});

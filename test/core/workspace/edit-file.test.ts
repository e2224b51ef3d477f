// Editing YAML that people wrote, and reading files of .rlxp through the Files port.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RefusalError, type Refusal } from '../../../src-protocol/refusal.ts';
import { editYaml, writeYamlEdit } from '../../../src-main/core/workspace/edit-file.ts';
import { setPath, type isPlainMap } from '../../../src-main/core/workspace/merge.ts';
import { readJsonFile, readYamlFile } from '../../../src-main/core/workspace/read-file.ts';
import { parseYaml } from '../../../src-main/core/workspace/yaml-document.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';

type PlainMap = Parameters<typeof isPlainMap>[0] & object;

const schema = z.strictObject({ a: z.number().positive(), b: z.strictObject({ c: z.string(), d: z.array(z.number()).default([]) }), note: z.string().optional() });

const text = `# first
a: 1 # how many

b: # a block
  c: "x" # quoted
  d: [1, 2]
# last
`;

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
  throw new Error('nothing was refused');
}

function disk(content = text) {
  const files = makeFakeFiles();
  files.plant('/r/f.yaml', content);
  return files;
}

describe('edits', () => {
  test('F15 comments, order and style stay around a changed value', async () => {
    const files = disk();
    const value = await writeYamlEdit(files, '/r/f.yaml', [{ path: ['a'], value: 2 }, { path: ['b', 'c'], value: 'y' }], { schema, shownAs: 'f.yaml' });
    expect(value).toEqual({ a: 2, b: { c: 'y', d: [1, 2] } });
    expect(files.contents()['/r/f.yaml']).toBe(text.replace('a: 1', 'a: 2').replace('"x"', '"y"'));
  });

  test('F15 comments and order stay when keys come and go', () => {
    const edited = editYaml(text, [{ path: ['note'], value: 'new' }, { path: ['b', 'd'], value: undefined }, { path: ['a'], value: 3 }], 'f');
    expect(edited).toBe(`# first
a: 3 # how many

b:
  # a block
  c: "x" # quoted
note: new

# last
`);
  });

  test('F15 nothing is written when nothing changes or the result is invalid', async () => {
    const files = disk();
    files.failNth('replaceFile', 1, 'EIO', { again: true });
    expect(await writeYamlEdit(files, '/r/f.yaml', [{ path: ['a'], value: 1 }], { schema })).toMatchObject({ a: 1 });
    const refusal = await refusalOf(writeYamlEdit(files, '/r/f.yaml', [{ path: ['a'], value: -1 }], { schema, shownAs: 'f.yaml' }));
    expect(refusal).toMatchObject({ code: 'invalid_file', problems: [{ file: 'f.yaml', line: 2, message: '`a` must be a number above 0; it is -1' }] });
    expect(files.contents()['/r/f.yaml']).toBe(text);
  });

  test('F15 CRLF stays CRLF', () => {
    expect(editYaml('a: 1\r\nb: 2\r\n', [{ path: ['a'], value: 3 }], 'f')).toBe('a: 3\r\nb: 2\r\n');
  });

  test('F15 a file with aliases is not edited', async () => {
    const refusal = await refusalOf(Promise.resolve().then(() => editYaml('a: &x {c: 1}\nb: *x\n', [{ path: ['b', 'c'], value: 2 }], 'f.yaml')));
    expect(refusal.message).toBe('f.yaml uses aliases, so the program does not edit it: write their values out first.');
  });

  test('F15 an edited text holds exactly the value that was set', () => {
    const value = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.stringMatching(/^[-#:,&*!|>'"%@`{}[\]?~ a]{1,6}$/), fc.array(fc.integer(), { maxLength: 3 }), fc.constant({ p: { q: 'r' } }));
    const path = fc.constantFrom(['a'], ['b', 'c'], ['b', 'e'], ['a', 'z'], ['new', 'deep']);
    fc.assert(
      fc.property(path, value, (keys, set) => {
        const edited = editYaml(text, [{ path: keys, value: set }], 'f');
        const [before, after] = [parseYaml(text, 'f'), parseYaml(edited, 'f')];
        if (!before.ok || !after.ok) throw new Error(edited);
        expect(after.document.value).toEqual(setPath(before.document.value as PlainMap & Record<string, never>, keys.join('.'), set));
      }),
      { numRuns: 100 },
    );
  });
});

describe('reading', () => {
  test('F1 a file over the cap is refused before it is read', async () => {
    const files = disk(`a: "${'x'.repeat(2_000_000)}"`);
    expect(await refusalOf(readYamlFile(files, '/r/f.yaml', schema, { shownAs: 'f.yaml' }))).toMatchObject({ code: 'invalid_file', problems: [{ file: 'f.yaml', line: 1, message: 'the file is larger than 1 MB' }] });
  });

  test('F9 a missing, unreadable or binary file is refused by name', async () => {
    const files = disk();
    expect(await refusalOf(readYamlFile(files, '/r/g.yaml', schema, { shownAs: 'g.yaml' }))).toMatchObject({ code: 'not_found', message: 'g.yaml does not exist.' });
    files.failNth('readText', 1, 'EACCES');
    expect(await refusalOf(readYamlFile(files, '/r/f.yaml', schema, { shownAs: 'f.yaml' }))).toMatchObject({ code: 'invalid_file', message: 'f.yaml cannot be read (EACCES).' });
    files.plant('/r/bin', new Uint8Array([0xff, 0xfe, 0x00]));
    expect(await refusalOf(readYamlFile(files, '/r/bin', schema, { shownAs: 'bin' }))).toMatchObject({ code: 'invalid_file', message: 'bin is not UTF-8 text.' });
  });

  const record = z.strictObject({ schema: z.literal(1), facts: z.record(z.string(), z.number()) });

  test.each([
    ['{"schema": 1, "facts": {"a": 1,}}', 'this is no valid JSON'],
    ['', 'this is no valid JSON'],
    [`{"schema": 1, "facts": ${'['.repeat(70)}`, 'the file nests more than 64 levels deep'],
    ['{"schema": 1, "facts": {"__proto__": 1}}', 'the key `__proto__` is not allowed'],
    ['{"schema": 1, "facts": {"a": "x"}}', '`facts.a` must be a number; it is the text "x"'],
    ['{"schema": 1, "facts": {}, "fact": 1}', '`fact` is not a known key of this file'],
  ])('F13 JSON that is not ours is refused: %j', async (content, message) => {
    const files = disk();
    files.plant('/r/f.json', content);
    expect(await refusalOf(readJsonFile(files, '/r/f.json', record, { shownAs: 'f.json' }))).toMatchObject({ code: 'invalid_file', problems: [{ file: 'f.json', message }] });
  });

  test('F13 brackets inside texts do not count as nesting', async () => {
    const files = disk();
    files.plant('/r/f.json', JSON.stringify({ schema: 1, facts: { [`${'['.repeat(100)}"\\`]: 1 } }));
    expect((await readJsonFile(files, '/r/f.json', record)).schema).toBe(1);
  });

  test('F14 JSON of a newer schema is refused as newer', async () => {
    const files = disk();
    files.plant('/r/f.json', '{"schema": 7, "facts": 3}');
    expect(await refusalOf(readJsonFile(files, '/r/f.json', record, { shownAs: 'runs/x/f.json' }))).toMatchObject({ code: 'newer_schema', message: 'runs/x/f.json has schema 7, made by a newer version of this program; this program reads schema 1 at most.' });
  });
});

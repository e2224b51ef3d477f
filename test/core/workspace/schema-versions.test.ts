import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRecords } from '../../../src-main/core/campaign/record-journal.ts';
import { tryJsonFile } from '../../../src-main/core/workspace/read-file.ts';
import { jsonSchemaOf } from '../../../src-main/core/workspace/schema-words.ts';
import { stepsOf } from '../../../src-main/core/workspace/schema-steps.ts';
import { knownSchema, newerSchema, upgrade, type SchemaSteps } from '../../../src-main/core/workspace/schema-versions.ts';
import { approvalFile, approvedFile } from '../../../src-protocol/files/approval.ts';
import { budgetAmendment } from '../../../src-protocol/files/budget-amendment.ts';
import { babysitterFile } from '../../../src-protocol/files/babysitter.ts';
import { campaignProcess } from '../../../src-protocol/files/event.ts';
import { evidenceIndex } from '../../../src-protocol/files/evidence-index.ts';
import { evaluationFile } from '../../../src-protocol/files/evaluation.ts';
import { ledgerHead, ledgerLine } from '../../../src-protocol/files/ledger.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { trialRecord } from '../../../src-protocol/files/record.ts';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import { verdictFile } from '../../../src-protocol/files/verdict.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';

const golden = join(import.meta.dirname, '../../fixtures/schemas');
const textOf = (name: string) => readFileSync(join(golden, name), 'utf8');

/** Every kind of file with a schema number, by the name of its golden files. */
const kinds: Readonly<Record<string, z.ZodType>> = {
  approval: approvalFile,
  approved: approvedFile,
  babysitter: babysitterFile,
  budget: budgetAmendment,
  campaign: campaignProcess,
  evaluation: evaluationFile,
  'evidence-index': evidenceIndex,
  'ledger-head': ledgerHead,
  ledger: ledgerLine,
  manifest: manifestFile,
  record: trialRecord,
  trial: trialFile,
  verdict: verdictFile,
};

/** A schema 0 that never was: the commit stood at the top, and there were no facts. */
const manifestSteps: SchemaSteps = [
  {
    from: 0,
    change({ commit = null, branch = null, dirty = null, ...rest }) {
      return { ...rest, repository: { commit, branch, dirty, diff_sha256: null }, facts: {} };
    },
  },
];

async function read(text: string, schema: z.ZodType, steps?: SchemaSteps) {
  const files = makeFakeFiles();
  files.plant('/r/file.json', text);
  return tryJsonFile(files, '/r/file.json', schema, { shownAs: 'file.json', ...(steps === undefined ? {} : { steps }) });
}

describe('versions of schemas', () => {
  it.each(Object.entries(kinds))('CK20: the golden file of %s opens, for every version up to the one that is known', async (kind, schema) => {
    const known = knownSchema(schema) ?? 0;
    const names = readdirSync(golden).filter((name) => name.startsWith(`${kind}.`) && /\.\d+\.jsonl?$/.test(name));
    const first = kind === 'manifest' ? 0 : 1; // its schema 0 is synthetic and has steps of its own
    expect(names.map((name) => Number(/\.(\d+)\./.exec(name)?.[1])).sort()).toEqual(Array.from({ length: known - first + 1 }, (_, index) => first + index));
    for (const name of names.filter((one) => !one.includes('.0.'))) {
      const values = name.endsWith('.jsonl') ? textOf(name).trimEnd().split('\n') : [textOf(name)];
      for (const value of values) expect(await read(value, schema), name).toMatchObject({ ok: true });
    }
    expect(stepsOf(schema).map((step) => step.from)).toEqual(Array.from({ length: known - 1 }, (_, index) => index + 1));
  });

  it('CK21: an earlier version is taken to the known one by numbered steps, in memory, and the file stays as it is', async () => {
    const [old, now] = [textOf('manifest.0.json'), JSON.parse(textOf('manifest.1.json')) as Record<string, unknown>];
    const reading = await read(old, manifestFile, manifestSteps);
    expect(reading).toEqual({ ok: true, file: { ...now, facts: {} } });
    const value: unknown = JSON.parse(old);
    expect(upgrade(value, manifestFile, manifestSteps)).toMatchObject({ ok: true, from: 0 });
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(old)));
    expect(upgrade(now, manifestFile, manifestSteps)).toEqual({ ok: true, value: now, from: null });
  });

  it('CK21: several steps follow each other, each numbered by the mechanism', () => {
    const third = z.strictObject({ schema: z.literal(3), trail: z.string() });
    const steps: SchemaSteps = [2, 0, 1].map((from) => ({ from, change: (value) => ({ ...value, trail: `${String(value['trail'] ?? '')}${from}` }) }));
    expect(upgrade({ schema: 0 }, third, steps)).toEqual({ ok: true, value: { schema: 3, trail: '012' }, from: 0 });
    expect(upgrade({ schema: 2, trail: 'x' }, third, steps)).toEqual({ ok: true, value: { schema: 3, trail: 'x2' }, from: 2 });
  });

  it('CK22: a version without a way to today is refused by name and number', async () => {
    expect(await read(textOf('manifest.0.json'), manifestFile)).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_file', problems: [{ message: 'it has schema 0, and there is no way from 0 to 1' }] },
    });
    for (const schema of [-1, 0.5, '1', null]) expect(upgrade({ schema }, manifestFile, manifestSteps)).toEqual({ ok: true, value: { schema }, from: null });
  });

  it('CK23: a later version is refused with what is needed to open it', async () => {
    const later = textOf('manifest.1.json').replace('"schema": 1', '"schema": 2').replace('"version": "0.1.0"', '"version": "0.4.0"');
    expect(await read(later, manifestFile)).toMatchObject({
      ok: false,
      refusal: { code: 'newer_schema', next: 'Open it with rlxp-workbench 0.4.0 or later.', message: 'file.json has schema 2, made by rlxp-workbench 0.4.0; this program reads schema 1 at most.' },
    });
    expect(newerSchema({ schema: 2 }, trialRecord, 'x')).toMatchObject({ code: 'newer_schema', next: expect.stringContaining('newer version') as string });
    expect(newerSchema({ schema: 1 }, trialRecord, 'x')).toBeNull();
  });

  it('CK23: a journal with one line of a later version is refused with its line', async () => {
    const files = makeFakeFiles();
    const [first = '', second = ''] = textOf('record.1.jsonl').split('\n');
    files.plant('/r/trials.jsonl', `${first}\n${second}\n`);
    expect(await readRecords(files, '/r/trials.jsonl')).toHaveLength(2);
    files.plant('/r/trials.jsonl', `${first}\n${second.replace('"schema":1', '"schema":2')}\n`);
    await expect(readRecords(files, '/r/trials.jsonl')).rejects.toMatchObject({ refusal: { code: 'newer_schema', message: expect.stringContaining('trials.jsonl:2') as string } });
  });
});

it('CK20 the known number is read from the schema itself, however it is wrapped, and from its description where it is no plain object', () => {
  for (const [name, schema] of Object.entries(kinds)) expect(knownSchema(schema), name).toBe(jsonSchemaOf(schema).properties?.['schema']?.const);
  const number = z.literal(3);
  for (const one of [number, number.default(3), number.optional(), number.prefault(3).optional()]) expect(knownSchema(z.strictObject({ schema: one }))).toBe(3);
  expect(knownSchema(z.strictObject({ schema: number }).refine(() => true))).toBe(3);
  expect(knownSchema(z.strictObject({ other: number }))).toBeNull();
  expect(knownSchema(z.strictObject({ schema: z.literal([1, 2]) }))).toBeNull();
  expect(knownSchema(z.strictObject({ schema: z.string() }))).toBeNull();
});

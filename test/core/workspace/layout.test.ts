// Where things lie and what folders are called.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stageName } from '../../../src-protocol/files/plain.ts';
import { archivedRunFolder, projectPaths, runPaths, shownPath, studyPath, taskPath, trialFolder, trialFolderName, trialPaths, type TrialName } from '../../../src-main/core/workspace/layout.ts';
import { slugOf } from '../../../src-main/core/workspace/slug.ts';

describe('slugs', () => {
  test('F19 a safe name is kept as it is; anything lost adds a hash', () => {
    expect(slugOf('epochs8_a-b')).toBe('epochs8_a-b');
    expect(slugOf('Isaac:Cartpole-v0')).toMatch(/^isaac-cartpole-v0-[0-9a-f]{10}$/);
    expect(slugOf('')).toMatch(/^x-[0-9a-f]{10}$/);
    expect(slugOf('../../etc')).toMatch(/^etc-[0-9a-f]{10}$/);
    expect(slugOf('nul')).toMatch(/^nul-[0-9a-f]{10}$/);
    expect(slugOf('a'.repeat(121))).toHaveLength(120);
  });

  test('F19 a slug is always a safe folder name and its own slug', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ minLength: 100, maxLength: 300 })), (text) => {
        const slug = slugOf(text);
        expect(slug).toMatch(/^[a-z0-9_][a-z0-9_-]{0,119}$/);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });

  test('F19 two texts never share a slug', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.string({ maxLength: 12 }), { maxLength: 60 }), (texts) => void expect(new Set(texts.map(slugOf)).size).toBe(texts.length)));
  });
});

describe('places', () => {
  test('F20 everything lies where the specification says', () => {
    const project = projectPaths('/r');
    expect([project.contract, project.adapter, project.ledger, project.runs].map((file) => shownPath('/r', file))).toEqual(['.rlxp/contract.yaml', '.rlxp/adapter.yaml', '.rlxp/ledger.jsonl', '.rlxp/runs']);
    expect([taskPath('/r', 't'), studyPath('/r', 's')].map((file) => shownPath('/r', file))).toEqual(['.rlxp/tasks/t.yaml', '.rlxp/studies/s.yaml']);
    expect(shownPath('/r', runPaths('/r', 's').trials)).toBe('.rlxp/runs/s/trials.jsonl');
    expect(shownPath('/r', trialPaths(trialFolder('/r', 's', { stage: 'screen', candidate: 'a', seed: 1, repeat: 0, attempt: 2 })).evaluation)).toBe('.rlxp/runs/s/trials/screen-a-s1-a2/evaluation.json');
    expect(shownPath('/r', archivedRunFolder('/r', 's', Date.UTC(2026, 0, 31, 12)))).toBe('.rlxp/runs/s.20260131t120000z');
  });

  test('F20 no name leads out of .rlxp', () => {
    for (const name of ['..', '../../x', '/etc/passwd', 'a/b', 'C:\\x', '.']) expect(shownPath('/r', runPaths('/r', name).folder)).toMatch(/^\.rlxp\/runs\/[a-z0-9-]+$/);
  });

  test('F21 two trials never share a folder name', () => {
    const candidate = fc.oneof(fc.constantFrom('a', 'a-s1', 'a-s1-r1', 'a-r1', 's1', 'screen-a'), fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,12}$/));
    const small = fc.integer({ min: 0, max: 3 });
    const trial: fc.Arbitrary<TrialName> = fc.record({ stage: fc.constantFrom(...stageName.options), candidate, seed: fc.oneof(small, fc.maxSafeNat()), repeat: small, attempt: small });
    fc.assert(
      fc.property(fc.uniqueArray(trial, { maxLength: 40, selector: (item) => JSON.stringify(item) }), (trials) => {
        const names = trials.map(trialFolderName);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name.length).toBeLessThanOrEqual(120);
      }),
    );
    expect(trialFolderName({ stage: 'verify', candidate: 'epochs8', seed: 42, repeat: 1, attempt: 0 })).toBe('verify-epochs8-s42-r1');
  });
});

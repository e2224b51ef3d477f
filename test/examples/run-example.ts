// Runs one example through its command and holds what came out to its expect.yaml. For the tests of examples, here and in test/edges.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { trialRecord } from '../../src-protocol/files/record.ts';
import { verdictFile, verdictWord, winnerFile } from '../../src-protocol/files/verdict.ts';

const home = fileURLToPath(new URL('../..', import.meta.url));

const expectation = z.strictObject({
  study: z.string(),
  /** `python`: an environment with the trainer's packages must be active; `npm run test:edges` makes one. */
  needs: z.literal('python').optional(),
  exit: z.number(),
  /** Any of these words; `never` none of those. */
  word: z.array(verdictWord).optional(),
  never: z.array(verdictWord).optional(),
  winner: z.string().optional(),
  /** Mean difference over the pooled seed sd of one arm. */
  effect_sd_at_least: z.number().optional(),
  trials: z.record(z.string(), z.strictObject({ status: z.string(), rule: z.string().nullable() })).default({}),
  /** Candidate -> text its ranking note must hold. */
  notes: z.record(z.string(), z.string()).default({}),
  /** Wall seconds, on two cores. */
  at_most_s: z.number(),
});
type Expectation = z.infer<typeof expectation>;

export function allExamples(): readonly string[] {
  return readdirSync(join(home, 'examples'));
}

/** Names of the examples that need what is said, and say what to expect of them. */
export function examplesThat(needs: 'nothing' | 'python'): readonly string[] {
  return allExamples().filter((name) => existsSync(join(home, 'examples', name, 'expect.yaml')) && (readExpectation(name).needs ?? 'nothing') === needs);
}

export function runExample(name: string): void {
  const root = join(home, 'examples', name);
  const expected = readExpectation(name);
  const startedAt = Date.now();
  const run = spawnSync(process.execPath, [join(home, 'bin/rlxp.mjs'), 'campaign', 'run', expected.study, '--root', root, '--fresh', '--json'], { encoding: 'utf8' });
  const seconds = (Date.now() - startedAt) / 1000;
  expect(run.status, run.stderr + run.stdout).toBe(expected.exit);

  const runFolder = join(root, '.rlxp/runs', expected.study);
  const verdict = verdictFile.parse(JSON.parse(readFileSync(join(runFolder, 'verdict.json'), 'utf8')));
  const winner = winnerFile.parse(JSON.parse(readFileSync(join(runFolder, 'winner.json'), 'utf8')));
  if (expected.word !== undefined) expect(expected.word).toContain(verdict.word);
  for (const word of expected.never ?? []) expect(verdict.word).not.toBe(word);
  expect(winner.verdict).toBe(verdict.word);
  if (expected.winner !== undefined) expect(winner.name).toBe(expected.winner);
  if (expected.effect_sd_at_least !== undefined) {
    expect((verdict.estimate?.mean ?? NaN) / (verdict.seed_spread?.sd ?? NaN)).toBeGreaterThan(expected.effect_sd_at_least);
  }

  const records = readFileSync(join(runFolder, 'trials.jsonl'), 'utf8').trimEnd().split('\n').map((line) => trialRecord.parse(JSON.parse(line)));
  for (const [folder, { status, rule }] of Object.entries(expected.trials)) {
    expect(records.find((record) => record.folder === folder), folder).toMatchObject({ status, rule });
  }
  const shown = JSON.parse(run.stdout) as { output: { report: { ranking: readonly { candidate: string; note: string }[] } } };
  for (const [candidate, note] of Object.entries(expected.notes)) {
    expect(shown.output.report.ranking.find((row) => row.candidate === candidate)?.note, candidate).toContain(note);
  }
  const report = readFileSync(join(root, '.rlxp/report.md'), 'utf8');
  expect(report).toContain(verdict.headline);
  process.stdout.write(`${name}: ${verdict.word} in ${seconds.toFixed(0)} s, ${records.length} trials\n`);
  expect(seconds, 'wall seconds').toBeLessThan(expected.at_most_s);
}

function readExpectation(name: string): Expectation {
  return expectation.parse(parse(readFileSync(join(home, 'examples', name, 'expect.yaml'), 'utf8')));
}

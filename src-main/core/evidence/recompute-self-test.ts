// Judges the evaluator's self-test again from its evaluations. This room only.
import path from 'node:path';
import { evaluationFile } from '../../../src-protocol/files/evaluation.ts';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import type { FileScope } from '../check/findings.ts';
import { readNoise, type CampaignView } from '../campaign/judges.ts';
import { needsNormalizer, primaryMetric } from '../campaign/launch-rules.ts';
import { findingOf, readSelfTestFile, selfTestRuns } from '../campaign/self-test-run.ts';
import { settledTrials } from '../campaign/search-plan.ts';
import { judgeSelfTest, type SelfTestResult } from '../evaluation/self-test.ts';
import { summarise } from '../evaluation/summarise.ts';
import { runPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { Account } from './account.ts';

export async function recomputeSelfTest({ ports, root, found }: FileScope, view: CampaignView, account: Account): Promise<void> {
  const { study } = view;
  const paths = runPaths(root, study.name);
  const kept = await readSelfTestFile({ ports, paths });
  if (kept === null) return;
  const at = path.join(paths.folder, 'selftest', 'result.json');
  const baseline = settledTrials(view.records).get(kept.trained);
  if (baseline?.evaluation == null) return found.add('broken', at, 'The trial that it tested has no record with an evaluation.');
  const isBitIdentical = readNoise(view).determinism === 'bit-identical';
  const results: SelfTestResult[] = [];
  for (const run of selfTestRuns(study, isBitIdentical)) {
    const folder = path.join(paths.folder, 'selftest', run.name);
    const [trial, evaluation] = [await tryJsonFile(ports.files, path.join(folder, 'trial.json'), trialFile), await tryJsonFile(ports.files, path.join(folder, 'evaluation.json'), evaluationFile)];
    if (!trial.ok || !evaluation.ok) return account.missing('the evaluator\'s self-test', `the evaluation "${run.name}" is not in the bundle`);
    const expected = { ...trial.file.evaluation, policy: run.policy, ...study.eval };
    results.push({ run, summary: summarise(evaluation.file, { expected, metric: primaryMetric(study), needsNormalizer: run.policy === 'checkpoint' && needsNormalizer(study, study.baseline) }) });
  }
  const again = findingOf(judgeSelfTest({ baseline: baseline.evaluation, results, isBitIdentical }));
  if (again.passed !== kept.passed || again.text !== kept.text || again.randomScore !== kept.random_score) found.add('broken', at, `Its evaluations say: ${again.passed ? 'passed' : 'failed'}; ${again.text}`);
  account.computed('evaluations of the self-test', results.length);
}

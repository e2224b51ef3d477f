// Runs the evaluator self-test on the trained baseline and keeps what it found in selftest/result.json.
// Imported by this room and evidence.
import { countText } from '../../../src-protocol/count-text.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { trialFile } from '../../../src-protocol/files/trial.ts';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import { judgeSelfTest, planSelfTest, type SelfTestJudgement, type SelfTestResult, type SelfTestRun } from '../evaluation/self-test.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import { runEvaluation } from '../trial/run-evaluation.ts';
import { withEvaluation } from '../trial/trial-file.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import type { Files } from '../../ports.ts';
import { trialPaths, type RunPaths } from '../workspace/layout.ts';
import { covers } from '../workspace/merge.ts';
import { readJsonFile } from '../workspace/read-file.ts';
import { attemptsForInfrastructure, checkLaunch, needsNormalizer, primaryMetric, refusalSentence } from './launch-rules.ts';
import type { SelfTestFinding } from './judges.ts';
import type { Campaign } from './open-campaign.ts';
import { runInSlots } from './slots.ts';

const resultFile = z.strictObject({
  schema: z.literal(1),
  passed: z.boolean(),
  text: z.string(),
  random_score: z.number().nullable(),
  /** Identity of the trial whose checkpoint was tested. */
  trained: z.string(),
});

interface SelfTestPlace {
  readonly ports: { readonly files: Pick<Files, 'stat' | 'readText'> };
  readonly paths: RunPaths;
}

export async function readSelfTest(campaign: SelfTestPlace): Promise<SelfTestFinding | null> {
  const result = await readSelfTestFile(campaign);
  return result === null ? null : { passed: result.passed, text: result.text, randomScore: result.random_score };
}

/** The file itself, which names the trial whose checkpoint was tested. */
export async function readSelfTestFile(campaign: SelfTestPlace): Promise<z.infer<typeof resultFile> | null> {
  const path = resultPath(campaign);
  if ((await campaign.ports.files.stat(path)) === null) return null;
  return readJsonFile(campaign.ports.files, path, resultFile);
}

/** Every evaluation that the self-test of a study needs. */
export function selfTestRuns(study: LoadedStudy, isBitIdentical: boolean): readonly SelfTestRun[] {
  const scope = study.contract.gates.scope.value;
  const isInScope = (path: string) => scope?.may_change.some((allowed) => covers(allowed, path)) === true && !scope.never.some((never) => covers(never, path));
  return planSelfTest({ env_cfg: study.baseline.env_cfg, rewardWeights: study.task.reward_weights, isInScope, isBitIdentical });
}

/** Runs every evaluation it needs in the campaign's slots. `ask` is for a person; call keepSelfTest once it is settled. */
export async function runSelfTest(campaign: Campaign, baseline: TrialRecord, isBitIdentical: boolean): Promise<SelfTestJudgement | null> {
  const { study } = campaign;
  const runs = selfTestRuns(study, isBitIdentical);
  const { steering } = campaign;
  const results: SelfTestResult[] = [];
  const queue = [...runs];
  const failures = new Map<string, number>();
  let problem: string | null = null;
  let fault: unknown = null;
  const evaluate = async (run: SelfTestRun) => {
    try {
      if ((await campaign.disk.shortage()) !== null) return void queue.unshift(run);
      const result = await evaluateOnce(campaign, baseline, run);
      if (result.kind === 'scored') return void results.push(result);
      if (result.kind === 'failed') return void (problem ??= result.text);
      queue.unshift(run);
      if (result.kind === 'ended') return;
      if (result.isOfDisk) campaign.disk.refused(result.text);
      const count = (failures.get(run.name) ?? 0) + 1;
      failures.set(run.name, count % attemptsForInfrastructure);
      if (count === attemptsForInfrastructure) steering.pause(`${result.text}; so it went ${countText(count, 'time')}, for reasons that are not its own`);
    } catch (error) {
      // The approval no longer holds: nothing may start, and nothing was learned about the evaluator.
      queue.unshift(run);
      if (error instanceof RefusalError) return steering.pause(refusalSentence(error));
      fault ??= error;
      steering.stop('a fault of the program');
    }
  };
  await runInSlots({
    clock: campaign.ports.clock,
    slots: campaign.slots,
    staggerS: 0,
    changed: steering.changed,
    mayComeBack: () => steering.stoppedBecause() === null && problem === null && queue.length > 0,
    take() {
      const mayStart = steering.stoppedBecause() === null && steering.pausedBecause() === null && problem === null;
      const run = mayStart ? queue.shift() : undefined;
      return run === undefined ? null : { run: () => evaluate(run) };
    },
  });
  if (fault !== null) throw fault;
  if (steering.stoppedBecause() !== null) return null;
  if (problem !== null) return { kind: 'failed', leak: 'evaluation', text: problem };
  const order = new Map(runs.map((run, index) => [run.name, index]));
  results.sort((a, b) => (order.get(a.run.name) ?? 0) - (order.get(b.run.name) ?? 0));
  if (baseline.evaluation === null) return refuse('damaged', `The record of ${baseline.folder} has no evaluation.`);
  return judgeSelfTest({ baseline: baseline.evaluation, results, isBitIdentical });
}

/** What a judgement that was accepted is kept as; `ask` was answered with yes. */
export function findingOf(judgement: SelfTestJudgement): SelfTestFinding {
  if (judgement.kind === 'failed') return { passed: false, text: `The evaluator cannot be trusted: ${judgement.text}.`, randomScore: null };
  return { passed: true, text: judgement.text, randomScore: judgement.randomScore };
}

export async function keepSelfTest(campaign: Campaign, finding: SelfTestFinding, trained: string): Promise<void> {
  const { passed, text, randomScore } = finding;
  const value = { schema: 1, passed, text, random_score: randomScore, trained } satisfies z.infer<typeof resultFile>;
  await campaign.ports.files.replaceFile(resultPath(campaign), `${JSON.stringify(value, null, 2)}\n`);
}

function resultPath(campaign: Pick<SelfTestPlace, 'paths'>): string {
  return join(campaign.paths.folder, 'selftest', 'result.json');
}

type Evaluated =
  | ({ readonly kind: 'scored' } & SelfTestResult)
  /** Its own fault: the evaluator cannot be trusted. */
  | { readonly kind: 'failed'; readonly text: string }
  /** The machine's fault. */
  | { readonly kind: 'again'; readonly text: string; readonly isOfDisk: boolean }
  /** Ended for a pause or a stop. */
  | { readonly kind: 'ended' };

/** One evaluation, or why it gave no result. */
async function evaluateOnce(campaign: Campaign, baseline: TrialRecord, run: SelfTestRun): Promise<Evaluated> {
  const { ports, study, paths } = campaign;
  const from = join(paths.trialFolders, baseline.folder);
  const trained = await readJsonFile(ports.files, trialPaths(from).trial, trialFile);
  const folder = join(paths.folder, 'selftest', run.name);
  const trial = withEvaluation(trained, {
    policy: run.policy,
    env_cfg: run.env_cfg,
    canonical: study.task.canonical,
    checkpoint: trained.checkpoint === null ? null : join(from, trained.checkpoint),
  });
  const abort = new AbortController();
  const unwatch = campaign.steering.watch(`selftest-${run.name}`, () => abort.abort());
  const letGo = campaign.device.hold();
  const tag = `rlxp:${campaign.key}:selftest-${run.name}`;
  try {
    const outcome = await runEvaluation({
      ports,
      plan: planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder, root: campaign.root }),
      trial,
      folder,
      tag,
      rules: study.stages.screen.monitor,
      maxMs: campaign.budget.per_trial_s * 1000,
      metric: primaryMetric(study),
      needsNormalizer: run.policy === 'checkpoint' && needsNormalizer(study, study.baseline),
      checkLaunch: () => checkLaunch(campaign),
      control: { signal: abort.signal, cause: 'stop' },
      graceMs: study.stages.screen.monitor.grace_s * 1000,
      onStarted: (identity) => campaign.launches.started(tag, identity),
    });
    if (outcome.ending === null) return { kind: 'scored', run, summary: outcome.summary };
    const { status, reason } = outcome.ending;
    if (status === 'cancelled') return { kind: 'ended' };
    const text = `the evaluation "${run.name}" of the self-test failed: ${reason.text}`;
    return reason.cause === 'infrastructure' ? { kind: 'again', text, isOfDisk: reason.code === 'disk' } : { kind: 'failed', text };
  } finally {
    letGo();
    campaign.launches.over(tag);
    unwatch();
  }
}

// A campaign from lock to verdict. Read it top down: every decision is in search-plan.ts and judges.ts, every launch in
// batch.ts. Imported by the campaign entry only.
import { countText } from '../../../src-protocol/count-text.ts';
import type { CampaignProcess } from '../../../src-protocol/files/event.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import type { FileError } from '../../ports.ts';
import { limitSeconds } from '../contract/budget-terms.ts';
import { heldRefusal } from '../contract/who-runs.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { runBatch } from './batch.ts';
import { overBudget, reserveSeconds } from './budget.ts';
import { conclude, finish } from './close-campaign.ts';
import { watchRequests } from './control-inbox.ts';
import { secondsFor } from './estimate.ts';
import { openEventLog } from './event-log.ts';
import { startHeartbeat } from './heartbeat.ts';
import { readNoise, readVerdict } from './judges.ts';
import { refusalSentence, slotsOf } from './launch-rules.ts';
import { tellLook, tellStage } from './narrate.ts';
import { obey } from './obey.ts';
import { openCampaign, type Campaign, type OpenOptions } from './open-campaign.ts';
import { runExtra } from './run-extra.ts';
import { nextStep, outlook, standingOf, viewOf, withPause, type Run } from './run-state.ts';
import { settledTrials, type PlannedTrial, type Step } from './search-plan.ts';
import { findingOf, keepSelfTest, readSelfTest, runSelfTest } from './self-test-run.ts';
import { writePatiently } from './write-patiently.ts';

export interface CampaignEnd {
  readonly status: Extract<CampaignProcess['status'], 'completed' | 'stopped' | 'blocked'>;
  readonly text: string;
}

export interface RunOptions extends OpenOptions {
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Throws RefusalError: campaign_running, and whatever openCampaign refuses. */
export async function runCampaign(options: RunOptions): Promise<CampaignEnd> {
  const { ports, root, study } = options;
  const lock = await ports.locks.take(await ports.files.realPath(root), `campaign ${study}`);
  if (!lock.held) throw await heldRefusal(ports, root, lock.holder);
  try {
    const campaign = await openCampaign(options);
    const stop = () => {
      campaign.asked = 'stop';
      campaign.steering.stop('the campaign process was asked to end');
    };
    options.signal.addEventListener('abort', stop, { once: true });
    if (options.signal.aborted) stop();
    return await runOpened(campaign);
  } finally {
    await lock.release();
  }
}

async function runOpened(campaign: Campaign): Promise<CampaignEnd> {
  const { ports, paths, study } = campaign;
  const budgetS = limitSeconds(campaign.budget);
  const run: Run = {
    campaign,
    selfTest: await readSelfTest(campaign),
    events: await openEventLog({ ...ports, eventsPath: paths.events, narrativePath: paths.log, etaS: () => standingOf(run).etaS }),
    standing: { status: 'running', text: 'starting', stage: null, done: 0, planned: 0, etaS: null, reservedS: 0, budgetS, idleShare: 0, running: [] },
    renew: null,
    slotMs: 0,
    idleMs: 0,
  };
  await appendLedger(ports, campaign.root, { kind: 'campaign_started', by: ports.machine.userName(), study: study.name, facts: { run_id: campaign.manifest.run_id, resumed: campaign.isResumed, approval: campaign.approved.approval.digest, ...(campaign.restart === null ? {} : { restarts: campaign.restart.restarts }), ...(campaign.extra === null ? {} : { extra: campaign.extra.candidate, timesteps: campaign.extra.timesteps }) } });
  campaign.steering.listen({
    paused: (reason) => run.events.add({ kind: 'paused', reason }, `paused: ${reason}`),
    resumed: (by) => run.events.add({ kind: 'resumed' }, `resumed by ${by}`),
  });
  const { done, planned, toLastLook } = campaign.extra === null ? outlook(run, nextStep(run)) : { done: 0, planned: 1, toLastLook: 1 };
  run.standing = { ...run.standing, done, planned };
  const heartbeat = startHeartbeat(campaign, () => withPause(run));
  if (campaign.restart !== null) run.events.add({ kind: 'process_died', text: campaign.restart.text }, campaign.restart.text);
  const unwatch = [campaign.disk.watch(), ports.clock.every(journalLookMs, async () => void (await isJournalLost(campaign)))];
  const before = campaign.device.spentS();
  run.events.add(
    { kind: 'campaign_started', study: study.name, pid: campaign.self.pid, resumed: campaign.isResumed, trials_planned: planned, trials_to_last_look: toLastLook, slots: campaign.slots },
    startedText(campaign),
  );
  if (campaign.restart !== null && campaign.restart.pausedBecause !== null) campaign.steering.pause(campaign.restart.pausedBecause);
  const stopRequests = watchRequests({
    ...ports,
    folder: paths.control,
    async onRequest(request) {
      await obey(run, request);
      // Kept before the request is removed: a crash in between forgets no stop and no pause.
      await heartbeat.beat();
    },
  });
  let end: CampaignEnd;
  try {
    end = await (campaign.extra === null ? walk(run) : runExtra(run, campaign.extra));
  } catch (error) {
    await finish(run, { status: 'failed', text: whyItFailed(error) }, before, heartbeat, stopRequests);
    throw error;
  } finally {
    for (const stop of unwatch) stop();
  }
  await finish(run, end, before, heartbeat, stopRequests);
  return end;
}

function startedText({ extra, isResumed, journal }: Campaign): string {
  if (extra !== null) return 'started for an extra trial';
  return isResumed ? `campaign taken up again with ${countText(journal.records.length, 'finished trial')}` : 'campaign started';
}

function whyItFailed(error: unknown): string {
  if (error instanceof RefusalError) return refusalSentence(error);
  const message = error instanceof Error ? error.message : String(error);
  // What the disk refuses is nobody's fault; the records are kept, and running it again concludes.
  return (error as Partial<FileError> | null)?.code === undefined ? `a fault of the program: ${message}` : `a file could not be written or read: ${message}`;
}

/** Takes one step of the plan after the other until it is concluded, blocked or stopped. */
async function walk(run: Run): Promise<CampaignEnd> {
  const { steering } = run.campaign;
  let stage: string | null = null;
  for (;;) {
    if (steering.stoppedBecause() !== null) return { status: 'stopped', text: steering.stoppedBecause() ?? '' };
    if (await isJournalLost(run.campaign)) {
      await run.campaign.ports.clock.sleep(journalLookMs);
      continue;
    }
    const step = nextStep(run);
    const now = step.kind === 'train' ? `${step.stage}${step.look ?? ''}` : step.kind;
    if (now !== stage) tellStage(run, step);
    stage = now;
    switch (step.kind) {
      case 'train':
        await train(run, step);
        break;
      case 'self_test':
        await testEvaluator(run, step.trained);
        break;
      case 'blocked':
        await writePatiently(run.campaign, () => conclude(run, null, step.reason));
        return { status: 'blocked', text: step.reason };
      case 'conclude': {
        const verdict = readVerdict(viewOf(run), step.winner);
        await writePatiently(run.campaign, () => conclude(run, verdict, verdict.headline));
        run.events.add({ kind: 'verdict', word: verdict.word, text: verdict.headline }, `verdict: ${verdict.headline}`);
        return { status: 'completed', text: verdict.headline };
      }
    }
  }
}

const journalLookMs = 2_000;

/** Whether trials.jsonl is no longer the one that was written; the campaign is paused while that is so. */
async function isJournalLost({ journal, steering }: Campaign): Promise<boolean> {
  const loss = await journal.loss();
  if (loss === null) steering.lift('journal', 'the journal, which is whole again');
  else steering.pause(loss, 'journal');
  return loss !== null;
}

async function train(run: Run, step: Extract<Step, { kind: 'train' }>): Promise<void> {
  const { campaign } = run;
  const { study } = campaign;
  const isSearch = step.stage === 'noise' || step.stage === 'screen';
  const slots = slotsOf(study, step.stage);
  const use = await runBatch({
    campaign,
    events: run.events,
    trials: step.trials,
    staggerS: isSearch ? study.stages.screen.stagger_s : 0,
    slots,
    overBudget: (trial) => overBudget(run, trial),
    onChange: (running, waiting) => {
      run.renew = () => {
        const { done, planned, left } = outlook(run, step, [...running.map((one) => one.timesteps - one.step), ...waiting.map((one) => one.timesteps)]);
        const etaS = secondsFor(campaign.journal.records, left, slots);
        return { ...run.standing, stage: step.stage, running, done, planned, etaS, reservedS: reserveSeconds(run), text: `${step.stage}: ${running.length} running, ${waiting.length} waiting` };
      };
    },
  });
  run.slotMs += use.slotMs;
  run.idleMs += use.idleMs;
  run.standing = { ...standingOf(run), running: [], idleShare: run.slotMs === 0 ? 0 : run.idleMs / run.slotMs };
  if (step.stage === 'verify' && step.look !== null && campaign.steering.stoppedBecause() === null) tellLook(run);
}

async function testEvaluator(run: Run, trained: PlannedTrial): Promise<void> {
  const { campaign, events } = run;
  const record = settledTrials(campaign.journal.records).get(trained.identity);
  if (record === undefined) throw new Error('the self-test needs a trained baseline');
  run.standing = { ...run.standing, stage: 'self_test', text: 'testing the evaluator' };
  const judgement = await runSelfTest(campaign, record, readNoise(viewOf(run)).determinism === 'bit-identical');
  if (judgement === null) return;
  const passed = judgement.kind !== 'failed';
  events.add({ kind: 'self_test', passed, text: judgement.text }, `evaluator self-test ${passed ? 'passed' : 'failed'}: ${judgement.text}`);
  if (judgement.kind === 'ask') await askToGoOn(run, judgement.text);
  if (campaign.steering.stoppedBecause() !== null) return;
  const finding = findingOf(judgement);
  run.selfTest = finding;
  await writePatiently(campaign, () => keepSelfTest(campaign, finding, trained.identity));
}

/** Waits until a person resumes (which is the yes) or stops. A pause that stood before was for something else: its end is no yes. */
async function askToGoOn(run: Run, question: string): Promise<void> {
  const { steering } = run.campaign;
  const untilResumed = async () => {
    while (steering.pausedBecause() !== null && steering.stoppedBecause() === null) await steering.changed();
  };
  await untilResumed();
  if (steering.stoppedBecause() !== null) return;
  steering.pause(`${question}. Resume to go on.`);
  await untilResumed();
}


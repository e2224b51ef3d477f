// A campaign from lock to verdict. Read it top down; every decision is in search-plan.ts and judges.ts, every launch in
// batch.ts. Imported by the campaign entry only.
import type { CampaignProcess, ControlRequest } from '../../../src-protocol/files/event.ts';
import type { VerdictFile } from '../../../src-protocol/files/verdict.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { finishManifest } from '../provenance/manifest.ts';
import { durationText } from '../report/number-text.ts';
import { addAmendment } from './amendments.ts';
import { runBatch } from './batch.ts';
import { noiseSentence, writeConclusion } from './conclude.ts';
import { watchRequests } from './control-inbox.ts';
import { outlookOf, secondsFor, secondsOf, verifyReserveS } from './estimate.ts';
import { openEventLog, type EventLog } from './event-log.ts';
import { startHeartbeat, type Standing } from './heartbeat.ts';
import { budgetSeconds, isReproduced, mayStop, pickForRefine, pickWinner, rankStage, readNoise, readVerdict, type CampaignView, type SelfTestFinding } from './judges.ts';
import { approvalSentence } from './read-campaign.ts';
import { openCampaign, type Campaign, type OpenOptions } from './open-campaign.ts';
import { planNext, settledTrials, type Judges, type PlannedTrial, type Step } from './search-plan.ts';
import { keepSelfTest, readSelfTest, runSelfTest } from './self-test-run.ts';

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
  if (!lock.held) refuse('campaign_running', `${lock.holder?.purpose ?? 'Another process'} (process ${lock.holder?.pid ?? 'unknown'}) is working on this repository.`);
  try {
    const campaign = await openCampaign(options);
    options.signal.addEventListener('abort', () => campaign.steering.stop('the campaign process was asked to end'), { once: true });
    return await runOpened(campaign);
  } finally {
    await lock.release();
  }
}

/** The mutable heart of a run: everything the heartbeat and the events tell. */
interface Run {
  readonly campaign: Campaign;
  readonly events: EventLog;
  selfTest: SelfTestFinding | null;
  standing: Standing;
  waiting: readonly PlannedTrial[];
  slotMs: number;
  idleMs: number;
}

async function runOpened(campaign: Campaign): Promise<CampaignEnd> {
  const { ports, paths, study, journal } = campaign;
  const budgetS = budgetSeconds(study);
  const run: Run = {
    campaign,
    selfTest: await readSelfTest(campaign),
    events: await openEventLog({ ...ports, eventsPath: paths.events, narrativePath: paths.log, etaS: () => run.standing.etaS }),
    standing: { status: 'running', text: 'starting', stage: null, done: 0, planned: 0, etaS: null, reservedS: 0, budgetS, idleShare: 0, running: [] },
    waiting: [],
    slotMs: 0,
    idleMs: 0,
  };
  await appendLedger(ports, campaign.root, { kind: 'campaign_started', by: ports.machine.userName(), study: study.name, facts: { run_id: campaign.manifest.run_id, resumed: campaign.isResumed, approval: campaign.approved.approval.digest } });
  const heartbeat = startHeartbeat(campaign, () => withPause(run));
  const stopRequests = watchRequests({ ...ports, folder: paths.control, onRequest: (request) => obey(run, request) });
  const before = campaign.device.spentS();
  run.events.add(
    { kind: 'campaign_started', study: study.name, pid: campaign.self.pid, resumed: campaign.isResumed, trials_planned: outlook(run, nextStep(run)).planned, slots: campaign.slots },
    campaign.isResumed ? `campaign taken up again with ${journal.records.length} finished trials` : 'campaign started',
  );
  let end: CampaignEnd;
  try {
    end = await walk(run);
  } catch (error) {
    await finish(run, { status: 'failed', text: `a fault of the program: ${error instanceof Error ? error.message : String(error)}` }, before, heartbeat, stopRequests);
    throw error;
  }
  await finish(run, end, before, heartbeat, stopRequests);
  return end;
}

/** Takes one step of the plan after the other until it is concluded, blocked or stopped. */
async function walk(run: Run): Promise<CampaignEnd> {
  const { steering } = run.campaign;
  let stage: string | null = null;
  for (;;) {
    if (steering.stoppedBecause() !== null) return { status: 'stopped', text: steering.stoppedBecause() ?? '' };
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
        await conclude(run, null, step.reason);
        return { status: 'blocked', text: step.reason };
      case 'conclude': {
        const verdict = readVerdict(viewOf(run), step.winner);
        await conclude(run, verdict, verdict.headline);
        run.events.add({ kind: 'verdict', word: verdict.word, text: verdict.headline }, `verdict: ${verdict.headline}`);
        return { status: 'completed', text: verdict.headline };
      }
    }
  }
}

async function train(run: Run, step: Extract<Step, { kind: 'train' }>): Promise<void> {
  const { campaign } = run;
  const { study } = campaign;
  const isSearch = step.stage === 'noise' || step.stage === 'screen';
  const slots = isSearch ? study.stages.screen.max_parallel : study.stages.refine.max_parallel;
  run.waiting = step.trials;
  const use = await runBatch({
    campaign,
    events: run.events,
    trials: step.trials,
    staggerS: isSearch ? study.stages.screen.stagger_s : 0,
    slots,
    overBudget: (trial) => overBudget(run, trial),
    onChange: (running, waiting) => {
      run.waiting = waiting;
      const { done, planned, left } = outlook(run, step, [...running.map((one) => one.timesteps - one.step), ...waiting.map((one) => one.timesteps)]);
      const etaS = secondsFor(campaign.journal.records, left, slots);
      run.standing = { ...run.standing, stage: step.stage, running, done, planned: planned, etaS, reservedS: reserve(run), text: `${step.stage}: ${running.length} running, ${waiting.length} waiting` };
    },
  });
  run.slotMs += use.slotMs;
  run.idleMs += use.idleMs;
  run.standing = { ...run.standing, running: [], idleShare: run.slotMs === 0 ? 0 : run.idleMs / run.slotMs };
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
  const text = passed ? judgement.text : `The evaluator cannot be trusted: ${judgement.text}.`;
  run.selfTest = { passed, text, randomScore: judgement.kind === 'failed' ? null : judgement.randomScore };
  await keepSelfTest(campaign, run.selfTest, trained.identity);
}

/** Waits until a person resumes (which is the yes) or stops. */
async function askToGoOn(run: Run, question: string): Promise<void> {
  const { steering } = run.campaign;
  pause(run, `${question}. Resume to go on.`);
  while (steering.pausedBecause() !== null && steering.stoppedBecause() === null) await steering.changed();
}

function obey(run: Run, request: ControlRequest): Promise<void> | void {
  const { campaign, events } = run;
  const { steering } = campaign;
  switch (request.action) {
    case 'stop':
      return steering.stop(`stopped by ${request.by}`);
    case 'pause':
      return pause(run, `paused by ${request.by}`);
    case 'pause_now':
      steering.pauseNow(`paused by ${request.by}`);
      return events.add({ kind: 'paused', reason: `paused by ${request.by}` }, `paused by ${request.by}; running trials are ended and run again later`);
    case 'resume':
      steering.resume();
      return events.add({ kind: 'resumed' }, `resumed by ${request.by}`);
    case 'skip':
      if (request.trial !== null) steering.skip(request.trial);
      return events.add({ kind: 'warning', text: `${request.trial ?? 'a trial'} skipped by ${request.by}` }, `${request.trial ?? 'a trial'} skipped by ${request.by}`);
    case 'complete_looks':
      campaign.isCompletingLooks = true;
      return addAmendment(campaign.ports.files, campaign.paths.folder, { kind: 'complete_looks', by: request.by, at: request.at });
  }
}

function pause(run: Run, reason: string): void {
  run.campaign.steering.pause(reason);
  run.events.add({ kind: 'paused', reason }, `paused: ${reason}`);
}

/** Search stages must leave the verify reserve untouched; verify may use it. */
function overBudget(run: Run, trial: PlannedTrial): string | null {
  const { campaign } = run;
  const budgetS = budgetSeconds(campaign.study);
  const spent = campaign.device.spentS();
  const each = secondsOf(campaign.journal.records, trial.timesteps) ?? 0;
  const kept = trial.stage === 'verify' ? 0 : reserve(run);
  if (spent + each + kept <= budgetS) return null;
  return `the budget of ${durationText(budgetS)} is used up: ${durationText(spent)} spent${kept > 0 ? `, ${durationText(kept)} kept for verify` : ''}; raise the budget gate and approve again to go on`;
}

function reserve(run: Run): number {
  const { study, journal } = run.campaign;
  const { refine, verify } = study.stages;
  const measured = verifyReserveS({ records: journal.records, refineTimesteps: refine.timesteps, lastLook: verify.looks.at(-1) ?? 0, slots: refine.max_parallel });
  return measured ?? 0;
}

function nextStep(run: Run): Step {
  const view = viewOf(run);
  const judges: Judges = {
    selfTest: run.selfTest,
    pickForRefine: (screened) => pickForRefine(view, screened),
    pickWinner: (refined) => pickWinner(view, refined),
    isReproduced: (winner) => isReproduced(view, winner),
    mayStopAtLook: (winner) => mayStop(view, winner),
  };
  return planNext(run.campaign.search, view.records, judges);
}

function viewOf(run: Run): CampaignView {
  const { study, search, journal, isCompletingLooks } = run.campaign;
  return { study, search, records: journal.records, selfTest: run.selfTest, isCompletingLooks };
}

function outlook(run: Run, step: Step, batchLeft?: readonly number[]) {
  const batch = step.kind === 'train' ? step.trials.filter((trial) => !settledTrials(run.campaign.journal.records).has(trial.identity)) : [];
  const { done, planned, left } = outlookOf(run.campaign.search, run.campaign.journal.records, {
    batch,
    look: step.kind === 'train' ? step.look : null,
    isConcluded: step.kind === 'conclude' || step.kind === 'blocked',
  });
  return { done, planned, left: batchLeft === undefined ? left : [...batchLeft, ...left.slice(batch.length)] };
}

function tellStage(run: Run, step: Step): void {
  const { events } = run;
  const view = viewOf(run);
  if (step.kind === 'self_test') events.add({ kind: 'stage_ended', stage: 'noise', text: noiseSentence(view) }, `noise: ${noiseSentence(view)}`);
  if (step.kind !== 'train') return;
  const screened = view.records.filter((record) => record.stage === 'screen');
  if (step.stage === 'refine') tellOrder(run, 'screen', rankStage(view, screened).places.map((place) => place.record.candidate));
  if (step.stage === 'verify' && (step.look ?? 0) === 0) {
    const refined = view.records.filter((record) => record.stage === 'refine');
    const order = rankStage(view, refined).places.map((place) => place.record.candidate);
    tellOrder(run, 'refine', order);
    events.add({ kind: 'winner_picked', candidate: order[0] ?? '' }, `winner picked: ${order[0] ?? 'none'}; now it must hold on seeds nobody has seen`);
  }
  events.add({ kind: 'stage_started', stage: step.stage, trials: step.trials.length }, `${step.stage}: ${step.trials.length} trials`);
}

function tellOrder(run: Run, stage: 'screen' | 'refine', order: readonly string[]): void {
  run.events.add({ kind: 'ranked', stage, order: [...order] }, `${stage} ranking: ${order.join(' > ')}`);
}

function tellLook(run: Run): void {
  const step = nextStep(run);
  const view = viewOf(run);
  const winner = pickWinner(view, view.records.filter((record) => record.stage === 'refine'));
  const verdict = readVerdict(view, winner);
  const text = step.kind === 'train' ? `${verdict.headline} More seeds are needed.` : verdict.headline;
  run.events.add({ kind: 'look', seeds: verdict.plan.used, word: verdict.word, text }, `look at ${verdict.plan.used} pairs: ${text}`);
}

async function conclude(run: Run, verdict: VerdictFile | null, statusText: string): Promise<void> {
  const { campaign } = run;
  await writeConclusion(campaign.ports.files, {
    root: campaign.root,
    paths: campaign.paths,
    conclusion: {
      view: viewOf(run),
      verdict,
      statusText,
      manifest: campaign.manifest,
      project: campaign.study.contract.project,
      approvalText: approvalSentence(campaign.approved.approval),
      spentS: campaign.device.spentS(),
    },
  });
}

async function finish(
  run: Run,
  end: { readonly status: CampaignProcess['status']; readonly text: string },
  spentBefore: number,
  heartbeat: { stop(): Promise<void> },
  stopRequests: () => void,
): Promise<void> {
  const { campaign, events } = run;
  const { ports, study } = campaign;
  stopRequests();
  const spentS = campaign.device.spentS() - spentBefore;
  const by = ports.machine.userName();
  const tellLedger = async (kind: 'device_seconds_spent' | 'verdict' | 'campaign_ended', facts: Record<string, string | number>) => {
    await appendLedger(ports, campaign.root, { kind, by, study: study.name, facts });
  };
  try {
    await tellLedger('device_seconds_spent', { seconds: Math.round(spentS * 1000) / 1000 });
    if (end.status === 'completed') await tellLedger('verdict', { text: end.text });
    await tellLedger('campaign_ended', { status: end.status, text: end.text });
  } catch (error) {
    ports.log.warn('the ledger could not be written at the end of a campaign', { error: String(error) });
  }
  const isDone = end.status === 'completed' || end.status === 'blocked';
  const facts = { spent_s: spentS, idle_share: run.standing.idleShare, ended: end.text };
  await finishManifest(
    ports,
    campaign.paths.manifest,
    campaign.manifest,
    end.status === 'failed' ? { status: 'failed', error: { type: 'fault', message: end.text }, facts } : { status: isDone ? 'completed' : 'interrupted', facts },
  );
  if (end.status === 'stopped') events.add({ kind: 'stopped', reason: end.text }, `stopped: ${end.text}`);
  if (end.status !== 'running' && end.status !== 'paused') events.add({ kind: 'campaign_ended', status: end.status, text: end.text }, `campaign ${end.status}: ${end.text}`);
  await events.settled();
  run.standing = { ...run.standing, status: end.status, text: end.text, stage: null, running: [], etaS: isDone ? 0 : null, ...doneOf(run) };
  await heartbeat.stop();
}

function doneOf(run: Run): { readonly done: number; readonly planned: number } {
  const { done, planned } = outlook(run, nextStep(run));
  return { done, planned };
}

function withPause(run: Run): Standing {
  const reason = run.campaign.steering.pausedBecause();
  return reason === null || run.standing.status !== 'running' ? run.standing : { ...run.standing, status: 'paused', text: reason };
}

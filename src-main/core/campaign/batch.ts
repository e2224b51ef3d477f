// Runs the trainings of one step of the plan: slots, retries, skips, budget, records. Imported by this room only.
import { countText } from '../../../src-protocol/count-text.ts';
import { join } from 'node:path';
import type { TrialRecord } from '../../../src-protocol/files/record.ts';
import type { TrialInFlight } from '../../../src-protocol/files/event.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import { limitSeconds } from '../contract/budget-terms.ts';
import { planLaunch } from '../trial/launch-plan.ts';
import { runTrial } from '../trial/run-trial.ts';
import { makeTrialFile } from '../trial/trial-file.ts';
import type { StopCause, TrialOutcome } from '../trial/trial-outcome.ts';
import { trialFolderName } from '../workspace/layout.ts';
import type { EventLog } from './event-log.ts';
import { attemptsForInfrastructure, checkLaunch, monitorRules, needsNormalizer, primaryMetric, refusalSentence, threadsOf } from './launch-rules.ts';
import type { Campaign } from './open-campaign.ts';
import { nextAttempt } from './next-attempt.ts';
import { NotCommitted } from './record-journal.ts';
import { isTerminal, type PlannedTrial } from './search-plan.ts';
import { runInSlots, type SlotUse } from './slots.ts';

export interface BatchOptions {
  readonly campaign: Campaign;
  readonly events: EventLog;
  readonly trials: readonly PlannedTrial[];
  readonly staggerS: number;
  readonly slots: number;
  /** Those of the stage when absent. */
  readonly rules?: MonitorRules;
  /** Why no further trial may start for want of budget; null when one may. */
  readonly overBudget: (trial: PlannedTrial) => string | null;
  /** Called with what runs and what waits whenever either changes. */
  readonly onChange: (running: readonly TrialInFlight[], waiting: readonly PlannedTrial[]) => void;
}

export async function runBatch(options: BatchOptions): Promise<SlotUse> {
  const { campaign } = options;
  const { steering } = campaign;
  const waiting = [...options.trials];
  const running = new Map<string, TrialInFlight>();
  const failures = new Map<string, number>();
  const tell = () => options.onChange([...running.values()], [...waiting]);

  const run = async (planned: PlannedTrial, slot: number, busy: () => void) => {
    try {
      if ((await campaign.disk.shortage()) !== null) return void waiting.unshift(planned);
      const record = await runOne({ ...options, running, tell, busy }, planned, slot);
      if (isTerminal(record) || steering.stoppedBecause() !== null) return;
      waiting.unshift(planned);
      if (record.reason.code === 'disk') campaign.disk.refused(record.reason.text);
      if (record.status !== 'failed') return;
      const count = (failures.get(planned.identity) ?? 0) + 1;
      failures.set(planned.identity, count);
      if (count < attemptsForInfrastructure) return;
      failures.delete(planned.identity);
      steering.pause(`${record.folder} failed ${countText(count, 'time')} for reasons that are not its own: ${record.reason.text}`);
    } catch (error) {
      // The approval no longer holds, or the launch itself is impossible: nothing was trained, nothing may start.
      waiting.unshift(planned);
      if (error instanceof NotCommitted) return;
      if (!(error instanceof RefusalError)) throw error;
      steering.pause(refusalSentence(error));
    } finally {
      tell();
    }
  };

  tell();
  let fault: unknown = null;
  const use = await runInSlots({
    clock: campaign.ports.clock,
    slots: options.slots,
    staggerS: options.staggerS,
    changed: steering.changed,
    mayComeBack: () => steering.stoppedBecause() === null && waiting.length > 0,
    take() {
      if (steering.stoppedBecause() !== null || steering.pausedBecause() !== null) return null;
      const [next] = waiting;
      if (next === undefined) return null;
      const reason = options.overBudget(next);
      if (reason !== null) {
        steering.pause(reason, 'budget');
        return null;
      }
      waiting.shift();
      return {
        run: (slot, busy) =>
          run(next, slot, busy).catch((error: unknown) => {
            fault ??= error;
            steering.stop('a fault of the program');
          }),
      };
    },
  });
  if (fault !== null) throw fault;
  return use;
}

interface OneOptions extends BatchOptions {
  readonly running: Map<string, TrialInFlight>;
  readonly tell: () => void;
  /** The trial's process runs: its slot stands empty no more. */
  readonly busy: () => void;
}

async function runOne(options: OneOptions, planned: PlannedTrial, slot: number): Promise<TrialRecord> {
  const { campaign, events } = options;
  const { study, steering, ports } = campaign;
  const attempt = await nextAttempt({ files: ports.files, paths: campaign.paths, records: campaign.journal.records }, planned);
  const name = trialFolderName({ ...planned, attempt });
  const folder = join(campaign.paths.trialFolders, name);
  const ref = { folder: name, candidate: planned.candidate, stage: planned.stage, seed: planned.seed, repeat: planned.repeat, attempt };
  const candidate = study.candidates.find((one) => one.name === planned.candidate);
  if (candidate === undefined) throw new RangeError(`the study has no candidate ${planned.candidate}`);
  const rules = options.rules ?? monitorRules(study, planned.stage);
  const trial = makeTrialFile(study, { ...planned, candidate, attempt, device: null, threads: await threadsOf(ports, study, planned.stage), entryRoot: campaign.snapshot });

  const abort = new AbortController();
  const control = { signal: abort.signal, cause: 'stop' as StopCause };
  const unwatch = steering.watch(name, (cause) => {
    control.cause = cause === 'pause' ? 'pause_now' : cause;
    abort.abort();
  });
  if (steering.isSkipped(name)) {
    control.cause = 'skip';
    abort.abort();
  }
  const show = (part: Partial<TrialInFlight>) => {
    const before = options.running.get(name) ?? { ...ref, slot, phase: 'training', step: 0, timesteps: planned.timesteps, reward: null, steps_per_s: null };
    const { folder: at, stage, candidate: who, seed } = before;
    options.running.set(name, { folder: at, stage, candidate: who, seed, slot, phase: before.phase, step: before.step, timesteps: before.timesteps, reward: before.reward, steps_per_s: before.steps_per_s, ...part });
    options.tell();
  };
  show({});
  let letGo = campaign.device.hold();
  let outcome: TrialOutcome;
  try {
    outcome = await runTrial({
      ports,
      plan: planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder, root: campaign.root }),
      trial,
      folder,
      root: campaign.root,
      campaignRunId: campaign.key,
      adapter: study.adapter,
      rules,
      maxTrialMs: campaign.budget.per_trial_s * 1000,
      campaignLeftMs: () => (limitSeconds(campaign.budget) - campaign.device.spentS()) * 1000,
      metric: primaryMetric(study),
      needsNormalizer: needsNormalizer(study, candidate),
      settings: { env_cfg: candidate.env_cfg, agent_cfg: candidate.agent_cfg, num_envs: candidate.num_envs },
      settingsDigest: planned.settingsDigest,
      redact: campaign.redact,
      checkLaunch: () => checkLaunch(campaign),
      async untilRoom(why) {
        letGo();
        const hasRoom = await campaign.disk.untilRoom(why, abort.signal);
        letGo = campaign.device.hold();
        return hasRoom;
      },
      control,
      graceMs: rules.grace_s * 1000,
      onStarted: (identity, phase) => {
        campaign.launches.started(`rlxp:${campaign.key}:${name}${phase === 'training' ? '' : ':evaluation'}`, identity);
        if (phase !== 'training') return;
        options.busy();
        events.add({ kind: 'trial_started', trial: ref, slot, pid: identity.pid }, `${name} started in slot ${slot + 1} (process ${identity.pid})`);
      },
      onProgress: (progress) =>
        show({ phase: progress.phase, step: progress.step, reward: progress.smoothedReward, steps_per_s: progress.stepsPerSecond }),
      onFinding: (finding) => events.add({ kind: 'warning', text: `${name}: ${finding.kind} in ${finding.file}` }, `${name}: ${finding.kind} in ${finding.file}`),
    });
  } finally {
    letGo();
    unwatch();
    for (const phase of ['', ':evaluation']) campaign.launches.over(`rlxp:${campaign.key}:${name}${phase}`);
    options.running.delete(name);
  }
  await campaign.disk.measure(folder);
  const record = await campaign.journal.commit(outcome);
  const score = record.evaluation?.valid === true ? record.evaluation.score : null;
  events.add(
    { kind: 'trial_ended', trial: ref, slot, status: record.status, rule: record.rule, text: record.reason.text, score },
    `${name} ${record.status}${record.rule === null ? '' : ` (${record.rule})`}: ${record.reason.text}${score === null ? '' : `; score ${score}`}`,
  );
  return record;
}


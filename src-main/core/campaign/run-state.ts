// The mutable heart of a running campaign, and what can be read off it at any moment. Imported by this room only.
import type { EventLog } from './event-log.ts';
import { outlookOf, type Outlook } from './estimate.ts';
import type { Standing } from './heartbeat.ts';
import { nextStepOf, type CampaignView, type SelfTestFinding } from './judges.ts';
import type { Campaign } from './open-campaign.ts';
import { settledTrials, type Step } from './search-plan.ts';

/** The mutable heart of a run: everything the heartbeat and the events tell. */
export interface Run {
  readonly campaign: Campaign;
  readonly events: EventLog;
  selfTest: SelfTestFinding | null;
  standing: Standing;
  /** Works out `standing` from what runs and waits; null while nothing changed since it was last asked for. */
  renew: (() => Standing) | null;
  slotMs: number;
  idleMs: number;
}

export function viewOf(run: Run): CampaignView {
  const { study, search, journal, isCompletingLooks } = run.campaign;
  return { study, search, records: journal.records, selfTest: run.selfTest, isCompletingLooks };
}

export function nextStep(run: Run): Step {
  return nextStepOf(viewOf(run));
}

/** How far the study is; `batchLeft`: timesteps that the running batch still has before it. */
export function outlook(run: Run, step: Step, batchLeft?: readonly number[]): Outlook {
  const batch = step.kind === 'train' ? step.trials.filter((trial) => !settledTrials(run.campaign.journal.records).has(trial.identity)) : [];
  const { left, ...counts } = outlookOf(run.campaign.search, run.campaign.journal.records, {
    batch,
    look: step.kind === 'train' ? step.look : null,
    isConcluded: step.kind === 'conclude' || step.kind === 'blocked',
  });
  return { ...counts, left: batchLeft === undefined ? left : [...batchLeft, ...left.slice(batch.length)] };
}

export function doneOf(run: Run): { readonly done: number; readonly planned: number } {
  const { done, planned } = outlook(run, nextStep(run));
  return { done, planned };
}

/** Where it stands now. Worked out when it is asked for and not at every point of a trial. */
export function standingOf(run: Run): Standing {
  if (run.renew !== null) run.standing = run.renew();
  run.renew = null;
  return run.standing;
}

/** A pause shows as the status of an otherwise running campaign. */
export function withPause(run: Run): Standing {
  const standing = standingOf(run);
  const reason = run.campaign.steering.pausedBecause();
  return reason === null || standing.status !== 'running' ? standing : { ...standing, status: 'paused', text: reason };
}

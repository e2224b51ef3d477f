// What every launch of a campaign shares: the approval that must hold, and how results are read. Imported by this room, check, evidence and the doctor.
import { noNormalizer } from '../../../src-protocol/files/adapter.ts';
import { bundledAgent } from '../../../src-protocol/files/agent.ts';
import type { StageName } from '../../../src-protocol/files/plain.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import type { RefusalError } from '../../../src-protocol/refusal.ts';
import { approvedOrRefuse, checkRunning } from '../contract/check-approval.ts';
import type { PrimaryMetric } from '../evaluation/summarise.ts';
import type { LoadedStudy, ResolvedCandidate } from '../study/loaded-study.ts';
import type { Ports } from '../../ports.ts';
import { threadsPerTrial } from '../trial/trial-threads.ts';
import type { Campaign } from './open-campaign.ts';

/** Attempts a trial, or an evaluation of the self-test, gets when the machine is at fault; then the campaign pauses. */
export const attemptsForInfrastructure = 3;

const shownDifferences = 5;

/** Throws RefusalError when the approval no longer holds. Called right before every process of a trial starts. */
export async function checkLaunch(campaign: Pick<Campaign, 'ports' | 'root' | 'study'>): Promise<void> {
  approvedOrRefuse(await checkRunning(campaign.ports, campaign.root, campaign.study.name));
}

/** A refusal in one paragraph for a status line: what, where it differs, what to do. */
export function refusalSentence({ refusal }: RefusalError): string {
  const rows = (refusal.differences ?? []).slice(0, shownDifferences).map(({ what, approved, now }) => `${what}: ${approved ?? 'absent'} -> ${now ?? 'absent'}`);
  const more = (refusal.differences?.length ?? 0) - rows.length;
  const list = rows.length === 0 ? '' : ` (${rows.join('; ')}${more > 0 ? `; and ${more} more` : ''})`;
  return `${refusal.message}${list} ${refusal.next}`;
}

export function primaryMetric(study: LoadedStudy): PrimaryMetric {
  const metric = study.contract.gates.metric.value;
  return { primary: metric?.primary ?? 'score', direction: metric?.direction ?? 'maximise' };
}

/** Whether a candidate's agent is evaluated with observation statistics: the bundled agent's settings say so, else the adapter. */
export function needsNormalizer({ adapter }: Pick<LoadedStudy, 'adapter'>, candidate: Pick<ResolvedCandidate, 'agent_cfg'>): boolean {
  if (adapter.framework !== 'bundled') return (adapter.normalizer ?? noNormalizer) !== noNormalizer;
  const parsed = bundledAgent.safeParse(candidate.agent_cfg);
  return parsed.success && parsed.data.agent.normalize_observations;
}

/** Trials of this stage that may run at once: search in screen's slots, what trains at full budget in refine's. */
export function slotsOf({ stages }: Pick<LoadedStudy, 'stages'>, stage: StageName): number {
  return stage === 'noise' || stage === 'screen' ? stages.screen.max_parallel : stages.refine.max_parallel;
}

/** Depends on the stage's slots and not on what runs just now: a repeat must compute as the trial it repeats did. */
export function threadsOf({ machine }: Pick<Ports, 'machine'>, study: Pick<LoadedStudy, 'adapter' | 'stages'>, stage: StageName): Promise<number | null> {
  return threadsPerTrial({ adapter: study.adapter, slots: slotsOf(study, stage), machine });
}

/** The rules that may end a trial of this stage early. */
export function monitorRules({ stages }: Pick<LoadedStudy, 'stages'>, stage: StageName): MonitorRules {
  switch (stage) {
    case 'noise':
    case 'screen':
      return stages.screen.monitor;
    case 'verify':
      return stages.verify.monitor;
    case 'refine':
    case 'extra':
      return stages.refine.monitor;
  }
}

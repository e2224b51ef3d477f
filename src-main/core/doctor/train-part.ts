// One training with its evaluation, as a doctor makes it: the baseline, watched, through the code of every trial. This room only.
import path from 'node:path';
import type { TrialFile } from '../../../src-protocol/files/trial.ts';
import { needsNormalizer, primaryMetric, threadsOf } from '../campaign/launch-rules.ts';
import type { TailFinding } from '../metrics/metric-tail.ts';
import { digest } from '../provenance/canonical-json.ts';
import { settingsDigest } from '../study/study-digest.ts';
import { planLaunch, type LaunchPlan } from '../trial/launch-plan.ts';
import { runTrial } from '../trial/run-trial.ts';
import { makeTrialFile } from '../trial/trial-file.ts';
import type { TrialOutcome } from '../trial/trial-outcome.ts';
import { observeTrial, type Observed } from './observer.ts';
import type { Doctor } from './run-doctor.ts';

export interface Part {
  readonly outcome: TrialOutcome;
  readonly observed: Observed;
  readonly trouble: readonly TailFinding[];
}

interface PartPlan {
  readonly trial: TrialFile;
  readonly plan: LaunchPlan;
}

/** Trains and evaluates the baseline in `folder`. */
export async function trainPart(doctor: Doctor, { folder, trial, plan }: PartPlan & { readonly folder: string }): Promise<Part> {
  const { ports, root, permission, tagPrefix, leftMs } = doctor;
  const { study } = permission.live;
  const { baseline, adapter } = study;
  const rules = study.stages.screen.monitor;
  const trouble: TailFinding[] = [];
  const observer = observeTrial(ports, { tagPrefix, axis: adapter.axis });
  try {
    const outcome = await runTrial({
      ports,
      plan,
      trial,
      folder,
      root,
      campaignRunId: tagPrefix.slice('rlxp:'.length),
      adapter,
      rules,
      maxTrialMs: leftMs(),
      campaignLeftMs: leftMs,
      metric: primaryMetric(study),
      needsNormalizer: needsNormalizer(study, baseline),
      settings: { env_cfg: baseline.env_cfg, agent_cfg: baseline.agent_cfg, num_envs: baseline.num_envs },
      settingsDigest: settingsDigest(baseline, trial.timesteps),
      redact: doctor.redact,
      checkLaunch: doctor.checkLaunch,
      control: { signal: doctor.signal, cause: 'stop' },
      graceMs: rules.grace_s * 1000,
      onStarted: (_identity, phase) => observer.onStarted(phase),
      onPoints: observer.onPoints,
      onFinding: (finding) => trouble.push(finding),
    });
    return { outcome, observed: observer.stop(), trouble };
  } catch (error) {
    observer.stop();
    throw error;
  }
}

/** As a trial of screen would be, its share of the cores included. `checkpoint`: absolute, what a second half goes on from. */
export async function planPart(doctor: Doctor, { folder, timesteps, checkpoint }: { readonly folder: string; readonly timesteps: number; readonly checkpoint: string | null }): Promise<PartPlan> {
  const { ports, root, permission, paths, run } = doctor;
  const { study } = permission.live;
  const { seed } = study.base;
  const identity = digest({ doctor: permission.digest, run, part: path.basename(folder) });
  const made = makeTrialFile(study, { candidate: study.baseline, stage: 'screen', seed, repeat: 0, attempt: 0, identity, timesteps, device: null, threads: await threadsOf(ports, study, 'screen'), entryRoot: paths.snapshot });
  const trial = { ...made, checkpoint };
  return { trial, plan: planLaunch({ node: ports.node, machine: ports.machine, adapter: study.adapter, trial, folder, root }) };
}

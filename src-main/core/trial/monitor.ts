// The monitor of one trial: a pure state machine over its points and a clock that others read (docs/specs/monitor.md).
// Rooms from trial leftwards may import it. Cutting the same points into other batches never changes a decision.
import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import type { StageName } from '../../../src-protocol/files/plain.ts';
import type { MonitorRules } from '../../../src-protocol/files/study.ts';
import type { MetricPoint } from '../metrics/metric-point.ts';
import { primaryRewardKey } from '../metrics/tag-match.ts';
import { makeRewardTrack, type TrackedPoint } from './reward-track.ts';
import type { MonitorDecision } from './rules/decision.ts';
import { makeGateRule } from './rules/gate.ts';
import { makeNanRule } from './rules/nan.ts';
import { makePlateauRule } from './rules/plateau.ts';
import { makeTimeRules, type MonitorTick } from './rules/time.ts';

export interface MonitorOptions {
  readonly rules: MonitorRules;
  readonly stage: StageName;
  readonly adapter: Pick<AdapterFile, 'metrics' | 'axis'>;
  /** On the adapter's axis. */
  readonly timesteps: number;
  readonly startMonoMs: number;
  readonly maxTrialMs: number;
}

/** What the points say so far. After a decision by a point nothing of it changes any more. */
export interface MonitorView {
  /** Largest step seen on the adapter's axis; 0 before any. */
  readonly lastStep: number;
  /** The last step, or the one that would follow at the same distance, is at or past `timesteps`: enough for a process that has ended. */
  readonly isAtFinalStep: boolean;
  /** No step can follow: the last one is at `timesteps`, or it is the last of iterations that are counted from 0. */
  readonly isFinalStepCertain: boolean;
  /** Distance between the last two steps that were logged at regular distances; 0 before two. */
  readonly stride: number;
  /** Wall time in seconds at which the step before the last one was logged: what was saved later holds the last stretch. Null before two. */
  readonly stretchStartS: number | null;
  /** Wall time in seconds at which the last step was logged; null before any. */
  readonly stretchEndS: number | null;
  readonly reward: readonly TrackedPoint[];
  readonly lowestReward: number | null;
  readonly firstEventS: number | null;
  readonly isDeclining: boolean;
}

export interface Monitor {
  see(points: readonly MetricPoint[]): void;
  /** The decision that ends the trial; the same one for ever once there is one. */
  tick(tick: MonitorTick): MonitorDecision | null;
  view(): MonitorView;
}

export function makeMonitor(options: MonitorOptions): Monitor {
  const { rules, adapter, timesteps } = options;
  const rewardKey = primaryRewardKey(adapter);
  const track = makeRewardTrack(rules.smoothing);
  const nan = makeNanRule();
  const gate = makeGateRule(rules.min_reward_gates);
  const plateau = makePlateauRule(hasPlateau(options.stage) ? (rules.plateau ?? null) : null, timesteps);
  const time = makeTimeRules(options);
  let decision: MonitorDecision | null = null;
  let isNew = false;
  let firstEventS: number | null = null;
  let lowestReward: number | null = null;
  let lastStep: number | null = null;
  let firstStep: number | null = null;
  let stride = 0;
  let stretchStartS: number | null = null;
  let regularStep: number | null = null;
  let regularStepS: number | null = null;

  /** Episodes end at any step: where the next point would stand is told by the others. */
  function seeRegular(point: MetricPoint): void {
    if (point.step > (regularStep ?? -Infinity)) {
      stride = regularStep === null ? 0 : point.step - regularStep;
      stretchStartS = regularStepS;
      firstStep ??= point.step;
      regularStep = point.step;
    }
    if (point.step === regularStep) regularStepS = point.wallTimeS;
  }

  function seeOne(point: MetricPoint): MonitorDecision | null {
    // The first that was written: a clock that is set back makes later ones look earlier.
    firstEventS ??= point.wallTimeS;
    const isOnAxis = point.mapped !== null && point.mapped.axis === adapter.axis;
    if (isOnAxis && point.step > (lastStep ?? -Infinity)) lastStep = point.step;
    if (isOnAxis && point.mapped.isRegular) seeRegular(point);
    const bad = nan.see(point);
    if (bad !== null || point.mapped?.key !== rewardKey || rewardKey === null) return bad;
    const tracked = track.add(point.step, point.wallTimeS, point.value);
    if (tracked === null) return null;
    lowestReward = Math.min(lowestReward ?? Infinity, tracked.value);
    return gate.see(tracked) ?? plateau.see(track.points);
  }

  return {
    see(points) {
      if (points.length > 0) isNew = true;
      for (const point of points) {
        if (decision !== null) return;
        decision = seeOne(point);
      }
    },
    tick(tick) {
      decision ??= time.tick(tick, { isNew, lastStep, stretchMs: stretchStartS === null ? 0 : ((regularStepS ?? 0) - stretchStartS) * 1000 });
      isNew = false;
      return decision;
    },
    view: () => ({
      lastStep: lastStep ?? 0,
      isAtFinalStep: lastStep !== null && Math.max(lastStep, (regularStep ?? 0) + stride) >= timesteps,
      isFinalStepCertain: lastStep !== null && lastStep + (firstStep === 0 && stride === 1 ? 1 : 0) >= timesteps,
      stride,
      stretchStartS,
      stretchEndS: regularStepS,
      reward: track.points,
      lowestReward,
      firstEventS,
      isDeclining: plateau.isDeclining(),
    }),
  };
}

/** Plateau ends refine trials, verify trials, which train exactly as refine does, and extra trials (docs/specs/monitor.md M7). */
function hasPlateau(stage: StageName): boolean {
  return stage === 'refine' || stage === 'verify' || stage === 'extra';
}
